// How long a create may wait in the account's object and in a pool, and when a refused create should be sent again.

/** The time that is kept for the render. A render that is stopped halfway costs the browser more than one that is refused. */
const renderMs = 7_000;
/** The longest time that a small render takes when the browser has much to do. A rough value is enough. */
const usualRenderMs = 200;

/** `timeoutMs` is the time until the deadline of the create. */
export function maxWaitMs(timeoutMs: number): number {
  return Math.max(0, timeoutMs - renderMs);
}

/**
 * Returns the value of `Retry-After` for a create that was refused by a queue, whose renders run `atOnce` at a time. It is up to
 * three times as long as the queue needs, so that creates that were refused together are not sent again together. `random` is from
 * 0 to 1.
 */
export function retryAfterSeconds(queueLength: number, atOnce: number, random: number): number {
  return 1 + Math.ceil(((1 + 2 * random) * queueLength * usualRenderMs) / atOnce / 1000);
}
