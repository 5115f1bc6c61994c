// Measures response times and throughput, and computes medians.

export async function responseMs(call: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await call();
  return performance.now() - startedMs;
}

/**
 * Runs the concurrent callers for `forMs`, and returns the number of completed calls per second. `n` is the number of the call,
 * counted from 0.
 */
export async function throughput(
  callers: number,
  forMs: number,
  call: (n: number) => Promise<unknown>,
): Promise<number> {
  const startedMs = performance.now();
  let started = 0;
  let done = 0;
  const caller = async () => {
    while (performance.now() - startedMs < forMs) {
      await call(started++);
      done++;
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return (done * 1000) / (performance.now() - startedMs);
}

/** Returns the upper of the two values in the middle if their number is even. */
export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
