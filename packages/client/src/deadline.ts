// Limits how long a piece of work may take.
import { ColophonError } from "./errors.ts";

/** A timer with a longer delay would fire immediately. */
const longestTimerMs = 2 ** 31 - 1;

export type TimeLimit = { timeoutMs: number; signal?: AbortSignal | undefined };

/**
 * Runs the work. Rejects with the signal's reason as soon as the signal is aborted, and with `TIMEOUT` when the time is up, even if
 * the work ignores the signal that it receives.
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
  const timer = setTimeout(() => stop(timeoutError(timeoutMs)), timerMs(timeoutMs));
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
    }, timerMs(delayMs));
    signal?.addEventListener("abort", abort);
  });
}

function timerMs(delayMs: number): number {
  return Math.min(Math.max(delayMs, 0), longestTimerMs);
}

function timeoutError(timeoutMs: number): ColophonError {
  const seconds = Math.max(timeoutMs, 0) / 1_000;
  return new ColophonError(`There was no response within ${Number(seconds.toFixed(1))} s.`, { code: "TIMEOUT" });
}

type Limits = { timeoutMs: number; maxRetries: number; totalTimeoutMs: number };

/** Throws a `TypeError` that names an invalid limit. `Infinity` is allowed. */
export function checkLimits({ timeoutMs, maxRetries, totalTimeoutMs }: Limits): void {
  for (const [name, value] of Object.entries({ timeoutMs, totalTimeoutMs })) {
    if (!(typeof value === "number" && value > 0)) throw new TypeError(`\`${name}\` must be a number above 0, in ms.`);
  }
  if (!(Number.isInteger(maxRetries) || maxRetries === Infinity) || maxRetries < 0)
    throw new TypeError("`maxRetries` must be a whole number, 0 or more.");
}
