// A promise with an end: whatever it waits for, it settles in time. The work itself may go on; its outcome is dropped.

export class DeadlineError extends Error {}

/** Rejects with `DeadlineError` when `work` takes longer than `timeoutMs`. */
export async function withDeadline<T>(what: string, timeoutMs: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new DeadlineError(`${what} took longer than ${Math.round(timeoutMs)} ms`)),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
