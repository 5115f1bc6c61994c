// Retries work that failed, with a limited number of tries and a random, growing pause between them. The work must be safe
// to run more than once, because a try may have taken effect although it failed.

export type RetryPolicy = {
  /** The maximum number of tries, including the first. */
  maxTries: number;
  /** Returns false for an error that would occur again on every try. */
  isRetryable: (error: unknown) => boolean;
  /** The average pause before the second try. The pause doubles with every further try. 0 means no pauses. */
  firstPauseMs: number;
  /** The maximum of the average pause. */
  maxPauseMs: number;
};

/**
 * Resolves with the result of the first successful try, or rejects with the error of the last one. `attempt` is the number
 * of the try, counted from 1.
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

/**
 * Returns a random pause in ms, from 0.5 to 1.5 times the average, so that callers that fail together do not all try
 * again together.
 */
function pauseAfter(attempt: number, { firstPauseMs, maxPauseMs }: RetryPolicy): number {
  return Math.min(firstPauseMs * 2 ** (attempt - 1), maxPauseMs) * (0.5 + Math.random());
}
