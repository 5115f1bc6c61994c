// Limits the time to wait for work. The work is not stopped, but its outcome is ignored after the limit, even if it fails.
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
export async function withinTime<T, Late>(limitMs: number, work: Promise<T>, onLate: () => Late): Promise<T | Late> {
  let timer: ReturnType<typeof setTimeout> | null = null;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs))).then(onLate);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
