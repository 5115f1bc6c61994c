// Limits how long a piece of work may take.
import { ColophonError } from "./errors.ts";

export type TimeLimit = { timeoutMs: number; signal?: AbortSignal | undefined };

/**
 * Runs the work. Rejects with the signal's reason as soon as the signal is aborted, and with `TIMEOUT` when the time is up, even if
 * the work does not heed the signal that it gets.
 */
export async function inTime<T>(limit: TimeLimit, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { timeoutMs, signal } = limit;
  signal?.throwIfAborted();
  const controller = new AbortController();
  let stop: (reason: unknown) => void = () => {};
  const stopped = new Promise<never>((_, reject) => {
    stop = (reason) => {
      reject(reason);
      controller.abort(reason);
    };
  });
  const abort = () => stop(signal?.reason);
  const timer = setTimeout(() => stop(timeoutError(timeoutMs)), timeoutMs);
  signal?.addEventListener("abort", abort);
  try {
    return await Promise.race([stopped, work(controller.signal)]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

/** Resolves after the delay. Rejects with the signal's reason if the signal is aborted first. */
export function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, delayMs);
    signal?.addEventListener("abort", abort);
  });
}

function timeoutError(timeoutMs: number): ColophonError {
  return new ColophonError(`There was no response within ${Math.ceil(timeoutMs / 1_000)} s.`, { code: "TIMEOUT" });
}
