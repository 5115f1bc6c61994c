// Tells when an object of the platform is overloaded, and creates the error that callers then get.
import { serviceUnavailable, type ServiceError } from "../core/errors.ts";

/** The shortest and the longest time for which callers are asked to wait, in seconds. */
const retryAfterSeconds = { min: 5, max: 10 };

/** The platform marks an error with `overloaded` if the object has too much work. A second call would add to it. */
export function isOverloaded(error: unknown): boolean {
  return error instanceof Error && "overloaded" in error && error.overloaded === true;
}

/** Returns SERVICE_UNAVAILABLE with a random time to wait, so that callers do not all come back together. */
export function overloadError(cause: unknown): ServiceError {
  const { min, max } = retryAfterSeconds;
  return serviceUnavailable({ retryAfterSeconds: min + Math.floor(Math.random() * (max - min + 1)), cause });
}
