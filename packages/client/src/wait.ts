// Waits for work that the service does after a response.
import { checkLimits, pause } from "./deadline.ts";
import { ColophonError } from "./errors.ts";
import { parseRetryAfter } from "./retry.ts";
import type { RequestOptions, Transport } from "./transport.ts";

/** The last argument of the methods that wait. Here, `totalTimeoutMs` bounds the whole wait. */
export type WaitOptions<T> = RequestOptions & {
  /** Called with each state that was read, including the last one. */
  onProgress?: (state: T) => void;
};

type Ended<T> = Exclude<T, { status: "processing" | "canceling" }>;

/**
 * Reads the state at the path until it has ended, at the interval in `Retry-After`. Throws `TIMEOUT` if that takes too long, or
 * the error of a read that failed after its retries.
 */
export async function waitUntilEnded<T extends { status: string }>(
  { json, settings }: Transport,
  path: string,
  { onProgress, totalTimeoutMs, ...options }: WaitOptions<T> & { totalTimeoutMs: number },
): Promise<Ended<T>> {
  checkLimits({ ...settings, totalTimeoutMs });
  const endMs = Date.now() + totalTimeoutMs;
  for (;;) {
    let delayMs = 0;
    const onSuccess = (headers: Headers) => {
      delayMs = 1_000 * (parseRetryAfter(headers.get("Retry-After"), Date.now()) || 1);
    };
    const leftMs = Math.max(endMs - Date.now(), 1);
    const limits = { ...options, totalTimeoutMs: Math.min(settings.totalTimeoutMs, leftMs) };
    const state = await json<T>({ method: "GET", path, onSuccess }, limits);
    onProgress?.(state);
    if (hasEnded(state)) return state;
    if (Date.now() + delayMs >= endMs)
      throw new ColophonError(`It did not end within ${totalTimeoutMs / 1_000} s.`, { code: "TIMEOUT" });
    await pause(delayMs, options.signal);
  }
}

function hasEnded<T extends { status: string }>(state: T): state is Ended<T> {
  return state.status !== "processing" && state.status !== "canceling";
}
