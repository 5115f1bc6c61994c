// D1 behind a deadline and a bounded retry of the errors that pass: lost connections, resets, and, beside a second local
// process, a busy file. Whatever runs in here has to be safe to run twice.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withDeadline } from "../deadline.ts";

export type Database = DrizzleD1Database;
export type D1Client = {
  /** `attempt` counts from 1: a write that is made again may find its own work done. */
  run<T>(query: (database: Database, attempt: number) => Promise<T>): Promise<T>;
};

const tries = 3;
const transient =
  /network connection lost|storage caused object to be reset|reset because its code was updated|cannot resolve D1 due to transient|overloaded|SQLITE_BUSY|database is locked|internal error/i;

/** `patience` multiplies the number of tries; the operator's command has more of it than a request. */
export function d1Client(binding: D1Database, tryTimeoutMs: number, patience = 1): D1Client {
  const database = databaseOf(binding);
  const run: D1Client["run"] = async (query) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await withDeadline("D1", tryTimeoutMs, query(database, attempt));
      } catch (error) {
        if (attempt >= tries * patience || !isTransient(error)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20 * 2 ** Math.min(attempt, 6) * (0.5 + Math.random())));
      }
    }
  };
  return { run };
}

/** Drizzle's own work for a binding, done once instead of with each request. */
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
