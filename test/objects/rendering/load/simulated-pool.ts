// Simulates the admission of a pool under load, with a simulated clock: renders take time, and refused callers return when
// they were asked to. The test must use fake timers.
import { vi } from "vitest";
import { Admission } from "../../../../src/objects/rendering/admission.ts";

/** The time limit of each render. */
export const budgetMs = 25_000;

export type Attempt = { accountId: string; arrivedMs: number; startedMs: number | null; endedMs: number };

/**
 * Returns a pool with six pages. `renderMs` returns how long a render of the account takes that starts at this time.
 */
export function simulatedPool(renderMs: (nowMs: number, accountId: string) => number, maxPages = 16) {
  let draws = 0;
  // A random sequence that is the same in every run.
  const random = () => (draws++ * 0.618_033_988_75) % 1;
  const admission = new Admission({ concurrentPages: 6, maxPages, queueLength: 512 }, random);
  const attempts: Attempt[] = [];
  /** Renders once. Returns after how many seconds to return, or null when the render has succeeded. */
  const render = async (accountId: string): Promise<number | null> => {
    const arrivedMs = Date.now();
    const outcome = await admission.enter({ accountId, mayWait: true, timeoutMs: budgetMs });
    const isAdmitted = outcome.status === "admitted";
    const startedMs = isAdmitted ? Date.now() : null;
    if (isAdmitted) {
      admission.begin(outcome.render);
      await new Promise((resolve) => setTimeout(resolve, renderMs(Date.now(), accountId)));
      admission.leave(outcome.render);
    }
    attempts.push({ accountId, arrivedMs, startedMs, endedMs: Date.now() });
    return isAdmitted ? null : outcome.retryAfterSeconds;
  };
  /** Renders, and returns as often as asked to. Returns the number of attempts. */
  const persist = async (accountId: string): Promise<number> => {
    for (let count = 1; ; count++) {
      const seconds = await render(accountId);
      if (seconds === null) return count;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    }
  };
  const burst = (count: number, accounts: number) =>
    Array.from({ length: count }, (_, n) => persist(`account ${n % accounts}`));
  return { attempts, render, burst };
}

/** Advances the simulated clock in small steps until `work` has settled. */
export async function simulate<T>(work: Promise<T>): Promise<T> {
  const advance = () => vi.advanceTimersByTimeAsync(50).then(() => null);
  const ended = work.then((value) => ({ value }));
  for (;;) {
    const result = await Promise.race([ended, advance()]);
    if (result) return result.value;
  }
}

/** How long an attempt took, in ms. */
export const took = ({ arrivedMs, endedMs }: Attempt) => endedMs - arrivedMs;
export const refused = (attempts: Attempt[]) => attempts.filter(({ startedMs }) => startedMs === null);
