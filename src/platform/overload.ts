// Creates the error that callers get when a part of the platform is overloaded.
import { serviceUnavailable, type ServiceError } from "../core/errors.ts";

/** The shortest and the longest time for which callers are asked to wait, in seconds. */
const retryAfterSeconds = { min: 5, max: 10 };

/** Returns SERVICE_UNAVAILABLE with a random time to wait, so that callers do not all come back together. */
export function overloadError(cause: unknown): ServiceError {
  const { min, max } = retryAfterSeconds;
  return serviceUnavailable({ retryAfterSeconds: min + Math.floor(Math.random() * (max - min + 1)), cause });
}
