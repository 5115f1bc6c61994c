// Runs one render at a time. What is asked for meanwhile replaces what waits, so the last request always wins.

/** After this time, a render does not hold up the next one any more. The server ends it within half a minute. */
const maxWaitMs = 3_000;

/**
 * Returns a function that starts a run of `work`, or has one started when the current run has ended. `work` gets a function
 * that returns whether a later run has begun; then the result of this run is not wanted any more.
 */
export function latestOnly(work: (isOutdated: () => boolean) => Promise<void>): () => void {
  let isRunning = false;
  let isWanted = false;
  let runs = 0;
  const run = async (): Promise<void> => {
    isRunning = true;
    while (isWanted) {
      isWanted = false;
      const own = ++runs;
      const timer = new Promise<void>((resolve) => setTimeout(resolve, maxWaitMs));
      await Promise.race([work(() => own !== runs), timer]);
    }
    isRunning = false;
  };
  return () => {
    isWanted = true;
    if (!isRunning) void run();
  };
}
