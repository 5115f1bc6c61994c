// Limits the time to wait for work. The work is not stopped, but after the limit its outcome is ignored, even if it fails.
import { CodedError } from "./loggable-error.ts";

export class DeadlineError extends CodedError {
  constructor(what: string, timeoutMs: number) {
    super(`timeout: ${what}`, `${what} took longer than ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Settles like `work`, but rejects with `DeadlineError` when `work` takes longer than `timeoutMs`. `what` names the
 * work in the error; it must be a constant.
 */
export function withDeadline<T>(what: string, timeoutMs: number, work: Promise<T>): Promise<T> {
  return withinTime(timeoutMs, work, () => {
    throw new DeadlineError(what, timeoutMs);
  });
}

/** Settles like `work`, or like `onLate` if `work` takes longer than `limitMs`. `onLate` may throw. */
export function withinTime<T, Late>(limitMs: number, work: Promise<T>, onLate: () => Late): Promise<T | Late> {
  // Most calls run several times for each document, so this is not a race of promises, which takes three times as long.
  return new Promise((resolve, reject) => {
    const late = () => {
      try {
        resolve(onLate());
      } catch (cause) {
        reject(cause);
      }
    };
    const timer = setTimeout(late, limitMs);
    const inTime =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timer);
        settle(value);
      };
    work.then(inTime<T>(resolve), inTime(reject));
  });
}
