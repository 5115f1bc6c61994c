// Runs D1 queries with a deadline for each try and a limited number of retries after transient errors: a lost connection, a
// reset or, when two local processes use the same database, a locked file. A query must be safe to run more than once.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withDeadline } from "../deadline.ts";
import { retry } from "../retry.ts";

export type Database = DrizzleD1Database;
export type D1Client = {
  /**
   * Runs `query` and retries it after transient errors. `attempt` is 1 on the first try. On a later try, an earlier try
   * may have taken effect although it seemed to fail.
   */
  run<T>(query: (database: Database, attempt: number) => Promise<T>): Promise<T>;
};

const tries = 3;
const transient =
  /network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve D1 due to transient|overloaded|SQLITE_BUSY|database is locked|internal error/i;

/**
 * Returns a client for the database. `triesFactor` multiplies the number of tries. The operator's commands use a factor
 * above 1, because they can wait longer than a request.
 */
export function d1Client(binding: D1Database, tryTimeoutMs: number, triesFactor = 1): D1Client {
  const database = databaseOf(binding);
  const policy = { maxTries: tries * triesFactor, isRetryable: isTransient, firstPauseMs: 40, maxPauseMs: 1_280 };
  return {
    run: (query) => retry(policy, (attempt) => withDeadline("D1", tryTimeoutMs, query(database, attempt))),
  };
}

/** Drizzle's clients by binding, so that an isolate creates one client instead of one per request. */
const databases = new WeakMap<D1Database, Database>();

function databaseOf(binding: D1Database): Database {
  const known = databases.get(binding);
  if (known) return known;
  const database = drizzle(binding);
  databases.set(binding, database);
  return database;
}

function isTransient(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (transient.test(cause.message)) return true;
  }
  return false;
}
