// Runs D1 queries with a deadline for each try and a limited number of retries after transient errors: a lost connection, a
// reset or, when two local processes use the same database, a locked file. An overloaded database is not asked again. A
// query must be safe to run more than once.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withDeadline } from "colophon-base/deadline";
import { retry } from "../retry.ts";
import { callerError, isTransient } from "./d1-errors.ts";

export type Database = DrizzleD1Database;
export type D1Client = {
  /**
   * Runs `query` and retries it after transient errors. `attempt` is 1 on the first try. On a later try, an earlier try
   * may have taken effect although it seemed to fail. Rejects with SERVICE_UNAVAILABLE if D1 is overloaded.
   */
  run<T>(query: (database: Database, attempt: number) => Promise<T>): Promise<T>;
};

const tries = 3;

export function d1Client(binding: D1Database, tryTimeoutMs: number): D1Client {
  const database = drizzle(binding);
  const policy = { maxTries: tries, isRetryable: isTransient, firstPauseMs: 40, maxPauseMs: 1_280 };
  return {
    run: (query) =>
      retry(policy, (attempt) => withDeadline("D1", tryTimeoutMs, query(database, attempt))).catch((error: unknown) => {
        throw callerError(error);
      }),
  };
}
