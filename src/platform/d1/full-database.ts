// Recognises the errors of a write that D1 rejects because the database, or all databases of the platform account together,
// have reached their maximum size. Such a write has not taken effect, and a retry fails in the same way.
// https://developers.cloudflare.com/d1/observability/debug-d1/#error-list
import { DrizzleQueryError } from "drizzle-orm";

const full =
  /exceeded maximum (db|database) size|exceeded maximum account storage|database or disk is full|SQLITE_FULL/i;

/** Returns true if the error, or one of its causes, says that the database is full. */
export function isFull(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    // Drizzle's own message contains the parameters of the query, which may contain any text.
    if (!(cause instanceof DrizzleQueryError) && full.test(cause.message)) return true;
  }
  return false;
}
