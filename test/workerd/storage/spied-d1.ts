// The real D1 with a listener between it and whoever asks: how a test loses an answer after the work was done.
import { env } from "cloudflare:workers";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { callTimeoutMs } from "../app.ts";

/** D1 that does what it is asked, but loses its first answer, or its first answer to a batch. */
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

/** The real D1; `answered` is called when a query is done, before its answer is handed over. */
export function spiedD1(answered: (kind: "batch" | "statement") => void): D1Database {
  const real = new WeakMap<object, D1PreparedStatement>();
  const thenAnswered = async <T>(work: Promise<T>, kind: "batch" | "statement" = "statement"): Promise<T> => {
    const answer = await work;
    answered(kind);
    return answer;
  };
  const spied = (statement: D1PreparedStatement): D1PreparedStatement => {
    const spy = {
      bind: (...values: unknown[]) => spied(statement.bind(...values)),
      run: () => thenAnswered(statement.run()),
      all: () => thenAnswered(statement.all()),
      raw: () => thenAnswered(statement.raw()),
      first: () => thenAnswered(statement.first()),
    } as unknown as D1PreparedStatement;
    real.set(spy, statement);
    return spy;
  };
  return {
    prepare: (query: string) => spied(env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      thenAnswered(env.DB.batch(statements.map((statement) => real.get(statement) ?? statement)), "batch"),
  } as unknown as D1Database;
}
