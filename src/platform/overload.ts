// Detects overload of the platform's objects, and creates the error for callers.
import { DrizzleQueryError } from "drizzle-orm";
import { serviceUnavailable, type ServiceError } from "../core/errors.ts";

/** The minimum and maximum time that callers are asked to wait, in seconds. */
const retryAfterSeconds = { min: 5, max: 10 };

/** The database, or all databases of the platform account together, have reached their maximum size, or a local disk is full. */
const full = [
  "exceeded maximum db size",
  "exceeded maximum database size",
  "exceeded maximum account storage",
  "database or disk is full",
  "SQLITE_FULL",
];

/** Returns true for a write that failed because storage is full. It has not taken effect, and a retry would fail too. */
export function isFull(error: unknown): boolean {
  return full.some((text) => messageContains(error, text));
}

/** Returns true for a fault inside the platform. Locally, an object whose disk is full fails this way when it starts. */
export function isBroken(error: unknown): boolean {
  return messageContains(error, "internal error; reference");
}

/** Searches the messages of the error and its causes, but not messages that contain a query's parameters. */
export function messageContains(error: unknown, text: string): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof DrizzleQueryError) continue;
    if (cause.message.toLowerCase().includes(text.toLowerCase())) return true;
  }
  return false;
}

/** The platform marks an error as `overloaded` if the object has too much work. A second call would add to it. */
export function isOverloaded(error: unknown): boolean {
  return isFull(error) || (error instanceof Error && "overloaded" in error && error.overloaded === true);
}

/** Returns SERVICE_UNAVAILABLE with a random waiting time, so that callers do not all retry together. */
export function overloadError(cause: unknown): ServiceError {
  const { min, max } = retryAfterSeconds;
  return serviceUnavailable({ retryAfterSeconds: min + Math.floor(Math.random() * (max - min + 1)), cause });
}
