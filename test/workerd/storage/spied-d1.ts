// The real D1 with a listener that runs after every query. A listener that throws simulates the loss of a response. Also a D1
// that rejects queries before they reach the database.
import { env } from "cloudflare:workers";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { callTimeoutMs } from "../app.ts";

/**
 * Returns a client of the real D1 that loses one response, although the query takes effect. By default the client loses the
 * first response. If `which` is "batch", the client loses the first response to a batch.
 */
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

/**
 * Returns the real D1, except that it rejects queries with this message before they run. If `which` is "inserts", it rejects
 * only inserts. `queries` returns the number of rejected queries.
 */
export function refusingD1(message: string, which: "any" | "inserts" = "any") {
  let rejected = 0;
  const reject = async () => {
    rejected++;
    throw new Error(message);
  };
  const refused = { run: reject, all: reject, raw: reject, first: reject };
  const database = {
    prepare: (query: string) =>
      which === "inserts" && !/^insert/i.test(query)
        ? env.DB.prepare(query)
        : { ...refused, bind: () => ({ ...refused }) },
    batch: reject,
  };
  return { database: database as unknown as D1Database, queries: () => rejected };
}

type Kind = "batch" | "statement";
type Hook = (kind: Kind) => void | Promise<void>;

/**
 * Returns the real D1, which calls `starting` before each query and `finished` after it. If one of them throws, the query
 * rejects with that error. `bound` receives each query with its values.
 */
export function spiedD1(
  finished: Hook,
  starting: Hook = () => {},
  bound: (query: string, values: unknown[]) => void = () => {},
): D1Database {
  const real = new WeakMap<object, D1PreparedStatement>();
  const watched = async <T>(work: () => Promise<T>, kind: Kind = "statement"): Promise<T> => {
    await starting(kind);
    const result = await work();
    await finished(kind);
    return result;
  };
  const spied = (statement: D1PreparedStatement, query: string): D1PreparedStatement => {
    const spy = {
      bind: (...values: unknown[]) => (bound(query, values), spied(statement.bind(...values), query)),
      run: () => watched(() => statement.run()),
      all: () => watched(() => statement.all()),
      raw: () => watched(() => statement.raw()),
      first: () => watched(() => statement.first()),
    } as unknown as D1PreparedStatement;
    real.set(spy, statement);
    return spy;
  };
  const database = {
    prepare: (query: string) => spied(env.DB.prepare(query), query),
    batch: (statements: D1PreparedStatement[]) =>
      watched(() => env.DB.batch(statements.map((statement) => real.get(statement) ?? statement)), "batch"),
  };
  return database as unknown as D1Database;
}
