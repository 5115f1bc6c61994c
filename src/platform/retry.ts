// Repeats work that failed: a bounded number of tries with a random, growing pause between them. The work must be safe to
// run more than once, because a try may have taken effect although it failed.

export type RetryPolicy = {
  /** How often the work may run in all, the first try included. */
  maxTries: number;
  /** False for an error that would only occur again. */
  isRetryable: (error: unknown) => boolean;
  /** The average pause before the second try. The pause doubles with every further try. 0 means no pauses. */
  firstPauseMs: number;
  /** The longest average pause. */
  maxPauseMs: number;
};

/**
 * Resolves with the first success, or rejects with the error of the last try. `work` gets the number of its try, counted
 * from 1.
 */
export async function retry<T>(policy: RetryPolicy, work: (attempt: number) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= policy.maxTries || !policy.isRetryable(error)) throw error;
      const pauseMs = pauseAfter(attempt, policy);
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

/** From half to one and a half times the average, so that callers that failed together do not all try again together. */
function pauseAfter(attempt: number, { firstPauseMs, maxPauseMs }: RetryPolicy): number {
  return Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random());
}
