// Classifies the errors of D1 by their messages. The documentation recommends to retry some of them. It recommends fewer
// queries for an overloaded database, so a retry would make the overload worse.
// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
import { CodedError } from "colophon-base/loggable-error";
import { DrizzleQueryError } from "drizzle-orm";
import { isFull, messageContains, overloadError } from "../overload.ts";

/** Parts of the messages of errors that a retry may resolve. */
const transient = [
  "Network connection lost",
  // "Internal error in D1 DB storage caused object to be reset", and the same while it starts up.
  "storage caused object to be reset",
  "reset because its code was updated",
  "Cannot resolve D1 DB due to transient issue",
  "Can't read from request stream because client disconnected",
  "Replica disconnected from primary",
  // Faults inside the platform that its list of errors does not contain.
  "internal error",
  // Only locally, when two processes use the same database file.
  "SQLITE_BUSY",
  "database is locked",
];

/** Followed by "Requests queued for too long." or "Too many requests queued." */
const overloaded = "D1 DB is overloaded";

export function isTransient(error: unknown): boolean {
  return !isOverloaded(error) && transient.some((text) => messageContains(error, text));
}

/**
 * Returns the error that the callers of a query get. If D1 is overloaded, full or cannot be reached, that is SERVICE_UNAVAILABLE. Drizzle's errors are
 * replaced, because their messages contain the parameters of the query, which may be a customer's data.
 */
export function callerError(error: unknown): unknown {
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

/** Returns what SQLite calls the error, e.g. SQLITE_CONSTRAINT. */
function codeOf(error: unknown): string {
  const [code] = /\bSQLITE_[A-Z]{1,20}\b/.exec(error instanceof Error ? error.message : "") ?? [];
  return `D1: ${code ?? "query failed"}`;
}
