// Runs D1 queries with a deadline for each try and a limited number of retries after transient errors. Errors are classified by
// their messages. The documentation recommends retrying some of them, but an overloaded database needs fewer queries, so those
// errors are not retried. https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
import { DrizzleQueryError, inArray, sql, type Column, type SQL } from "drizzle-orm";
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import { withDeadline } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { isFull, messageContains, overloadError } from "../overload.ts";

export type Database = DrizzleD1Database;
export type D1Client = {
  /**
   * Runs `query`, which must be safe to run more than once, and retries it after transient errors. `attempt` is 1 on the first try.
   * An earlier try may have taken effect although it seemed to fail. Rejects with SERVICE_UNAVAILABLE if D1 is overloaded, full or
   * cannot be reached.
   */
  run<T>(query: (database: Database, attempt: number) => Promise<T>): Promise<T>;
};

const maxTries = 3;
/** The average pause after the first try. It doubles after the second. */
const pauseMs = 40;

/** Parts of the messages of transient errors. */
const transient = [
  "Network connection lost",
  // "Internal error in D1 DB storage caused object to be reset", also while it starts.
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
  "Can't read from request stream because client disconnected",
  "Replica disconnected from primary",
  // Platform faults that are missing from its list of errors.
  "internal error",
  // These two occur only locally, if two processes use the same database file.
  "SQLITE_BUSY",
  "database is locked",
];

/** Followed by "Requests queued for too long." or "Too many requests queued." */
const overloaded = "D1 DB is overloaded";

export function d1Client(binding: D1Database, tryTimeoutMs: number): D1Client {
  const database = drizzle(binding);
  return {
    async run(query) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await withDeadline("D1", tryTimeoutMs, query(database, attempt));
        } catch (error) {
          if (attempt === maxTries || !isTransient(error)) throw callerError(error);
          // Random, so that callers that fail at the same moment do not retry at the same moment.
          const randomMs = pauseMs * attempt * (0.5 + Math.random());
          await new Promise((resolve) => setTimeout(resolve, randomMs));
        }
      }
    },
  };
}

/** Returns a condition for many ids. D1 allows at most 100 parameters, so all ids are bound as one. */
export function isOneOf(column: Column, ids: readonly string[]): SQL {
  return inArray(column, sql`(SELECT value FROM json_each(${JSON.stringify(ids)}))`);
}

function isTransient(error: unknown): boolean {
  return !isOverloaded(error) && transient.some((text) => messageContains(error, text));
}

/**
 * Returns the error for the callers of a query. Drizzle's errors are replaced, because their messages contain the query's
 * parameters, which may be customer data.
 */
function callerError(error: unknown): unknown {
  const cause = withoutParameters(error);
  return isOverloaded(error) || isFull(error) || isTransient(error) ? overloadError(cause) : cause;
}

function isOverloaded(error: unknown): boolean {
  return messageContains(error, overloaded);
}

function withoutParameters(error: unknown): unknown {
  if (!(error instanceof DrizzleQueryError)) return error;
  return new CodedError(codeOf(error.cause), `the query failed: ${error.query}`, { cause: error.cause });
}

/** Returns SQLite's name of the error, e.g. SQLITE_CONSTRAINT. */
function codeOf(error: unknown): string {
  const [code] = /\bSQLITE_[A-Z]{1,20}\b/.exec(error instanceof Error ? error.message : "") ?? [];
  return `D1: ${code ?? "query failed"}`;
}
