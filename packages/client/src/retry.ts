// Decides which failures are retried, and when. Every request that the client repeats is safe to repeat: reads, deletions,
// cancellations, and creates, which carry an idempotency key.
import type { ColophonError } from "./errors.ts";

const firstDelayMs = 500;
const maxDelayMs = 8_000;

/**
 * Returns whether the same request may succeed later. Renders that failed (422, 502 and 504 `RENDER_FAILED`) are not retried: the
 * service has recorded a failed document, and may have sent a webhook event about it. The service itself has already retried a
 * render if the browser crashed (502).
 */
export function isTemporary({ code, status }: ColophonError): boolean {
  if (status === 503) return true;
  switch (code) {
    case "CONNECTION_FAILED":
    case "TIMEOUT":
    case "TOO_MANY_REQUESTS":
      return true;
    case "IDEMPOTENCY_CONFLICT":
      return status === 409; // The first request with the key is still in progress.
    case "UNEXPECTED_RESPONSE":
      return status === 429 || (status ?? 0) >= 500; // A server between the client and the service has failed.
    default:
      return false;
  }
}

/**
 * Returns how long to wait before the next attempt. `retries` is the number of retries so far, and `random` a number from 0 to 1,
 * which prevents clients that failed together from retrying together.
 */
export function retryDelayMs({ retryAfterSeconds }: ColophonError, retries: number, random: number): number {
  if (retryAfterSeconds !== null) return retryAfterSeconds * 1_000 + random * firstDelayMs;
  return Math.min(firstDelayMs * 2 ** retries, maxDelayMs) * (0.5 + random / 2);
}

/** Returns the number of seconds in a `Retry-After` header, given as a number or a date. Null if there is no sensible value. */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const date = /^[A-Z][a-z]{2,8}, /.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - nowMs) / 1_000));
}
