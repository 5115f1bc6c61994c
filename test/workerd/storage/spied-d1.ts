// The real D1 with a listener that runs after every query, so that a test can lose the response to a query that took effect.
import { env } from "cloudflare:workers";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { callTimeoutMs } from "../app.ts";

/** The real D1, which runs every query but loses its first response or, with "batch", its first response to a batch. */
export function losingD1(which: "any" | "batch" = "any") {
  let lost = false;
  return d1Client(
    spiedD1((kind) => {
      if (lost || (which === "batch" && kind !== "batch")) return;
      lost = true;
      throw new Error("D1_ERROR: Network connection lost.");
    }),
    callTimeoutMs,
  );
}

/** The real D1, which calls `finished` after each query. If `finished` throws, the caller gets that error and no result. */
export function spiedD1(finished: (kind: "batch" | "statement") => void): D1Database {
  const real = new WeakMap<object, D1PreparedStatement>();
  const watched = async <T>(work: Promise<T>, kind: "batch" | "statement" = "statement"): Promise<T> => {
    const result = await work;
    finished(kind);
    return result;
  };
  const spied = (statement: D1PreparedStatement): D1PreparedStatement => {
    const spy = {
      bind: (...values: unknown[]) => spied(statement.bind(...values)),
      run: () => watched(statement.run()),
      all: () => watched(statement.all()),
      raw: () => watched(statement.raw()),
      first: () => watched(statement.first()),
    } as unknown as D1PreparedStatement;
    real.set(spy, statement);
    return spy;
  };
  return {
    prepare: (query: string) => spied(env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      watched(env.DB.batch(statements.map((statement) => real.get(statement) ?? statement)), "batch"),
  } as unknown as D1Database;
}
