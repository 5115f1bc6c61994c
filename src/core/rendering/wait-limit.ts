// Decides how long a create may wait in the account's object and in a pool, and when a refused create should be
// retried.

/** The time that is reserved for the render. A render that is stopped halfway costs the browser more than a refused one. */
const renderMs = 7_000;
/** The longest time that a small render takes when the browser is under load. A rough value is enough. */
const usualRenderMs = 200;

/** `timeoutMs` is the time until the deadline of the create. */
export function maxWaitMs(timeoutMs: number): number {
  return Math.max(0, timeoutMs - renderMs);
}

/**
 * Returns the value of `Retry-After` for a create that a queue refused, with `atOnce` renders running in parallel. It is up to
 * three times the time that the queue needs, so that creates that were refused together do not retry together. `random` is from 0
 * to 1.
 */
export function retryAfterSeconds(queueLength: number, atOnce: number, random: number): number {
  return 1 + Math.ceil(((1 + 2 * random) * queueLength * usualRenderMs) / atOnce / 1000);
}
