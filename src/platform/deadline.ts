import { CodedError } from "../core/observation/loggable-error.ts";
// Limits the time to wait for a promise. The work itself is not stopped, but its outcome is ignored after the deadline.

export class DeadlineError extends CodedError {
  constructor(what: string, timeoutMs: number) {
    super(`timeout: ${what}`, `${what} took longer than ${Math.round(timeoutMs)} ms`);
  }
}

/**
 * Settles like `work`, but rejects with `DeadlineError` when `work` takes longer than `timeoutMs`. `what` names the
 * work in the error; it must be a constant.
 */
export async function withDeadline<T>(what: string, timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineError(what, timeoutMs)), timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
