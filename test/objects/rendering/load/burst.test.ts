// Simulates bursts of renders at one pool, with a simulated clock: the renders take time, and refused callers return when they
// were asked to.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Admission } from "../../../src/objects/rendering/admission.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const budgetMs = 25_000;

type Attempt = { accountId: string; arrivedMs: number; startedMs: number | null; endedMs: number };

/** Returns a pool with six pages. `renderMs` returns how long a render takes that starts at this time. */
function simulatedPool(renderMs: (nowMs: number) => number) {
  let draws = 0;
  // A random sequence that is the same in every run.
  const random = () => (draws++ * 0.618_033_988_75) % 1;
  const admission = new Admission({ concurrentPages: 6, maxPages: 16, queueLength: 512 }, random);
  const attempts: Attempt[] = [];
  /** Renders once. Returns after how many seconds to return, or null when the render has succeeded. */
  const render = async (accountId: string): Promise<number | null> => {
    const arrivedMs = Date.now();
    const outcome = await admission.enter({ accountId, mayWait: true, timeoutMs: budgetMs });
    const isAdmitted = outcome.status === "admitted";
    const startedMs = isAdmitted ? Date.now() : null;
    if (isAdmitted) {
      admission.begin(outcome.render);
      await new Promise((resolve) => setTimeout(resolve, renderMs(Date.now())));
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
async function simulate<T>(work: Promise<T>): Promise<T> {
  const advance = () => vi.advanceTimersByTimeAsync(50).then(() => null);
  const ended = work.then((value) => ({ value }));
  for (;;) {
    const result = await Promise.race([ended, advance()]);
    if (result) return result.value;
  }
}

const took = ({ arrivedMs, endedMs }: Attempt) => endedMs - arrivedMs;
const refused = (attempts: Attempt[]) => attempts.filter(({ startedMs }) => startedMs === null);

describe("200 renders at once that take 350 ms each", () => {
  it("all succeed without a refusal", async () => {
    const pool = simulatedPool(() => 350);

    const counts = await simulate(Promise.all(pool.burst(200, 64)));

    expect(Math.max(...counts)).toBe(1);
    expect(Math.max(...pool.attempts.map(took))).toBeLessThan(13_000);
  });
});

describe("2,000 renders at once", () => {
  it.each([
    ["fast renders", () => 350],
    ["renders that become four times as slow", (nowMs: number) => (nowMs < 20_000 ? 350 : 1_400)],
    ["renders of very different lengths", (nowMs: number) => (nowMs % 7 === 0 ? 3_000 : 200)],
  ])("all get through by honouring the time to return (%s)", { timeout: 60_000 }, async (_, renderMs) => {
    const pool = simulatedPool(renderMs);

    const counts = await simulate(Promise.all(pool.burst(2_000, 64)));

    expect(counts).toHaveLength(2_000);
    expect(Math.max(...pool.attempts.map(took))).toBeLessThanOrEqual(budgetMs);
  });

  it("are refused early, and come back few times", { timeout: 60_000 }, async () => {
    const pool = simulatedPool(() => 350);

    const counts = await simulate(Promise.all(pool.burst(2_000, 64)));

    expect(Math.max(...refused(pool.attempts).map(took))).toBeLessThanOrEqual(2_000);
    expect(counts.reduce((sum, count) => sum + count, 0) / counts.length).toBeLessThan(3);
    // 2,000 renders need 117 s. The pool is hardly ever idle.
    expect(Math.max(...pool.attempts.map(({ endedMs }) => endedMs))).toBeLessThan(140_000);
  });
});

it("an account that sends 1,000 renders does not delay another account", { timeout: 60_000 }, async () => {
  const pool = simulatedPool(() => 350);
  const busy = pool.burst(1_000, 1);
  await vi.advanceTimersByTimeAsync(5_000);

  for (let turn = 0; turn < 5; turn++) await simulate(pool.render("other"));
  const others = pool.attempts.filter(({ accountId }) => accountId === "other");

  expect(others.map(({ startedMs }) => startedMs === null)).toEqual(Array(5).fill(false));
  expect(Math.max(...others.map(took))).toBeLessThan(1_000);
  await simulate(Promise.all(busy));
});

it("a stalled pool refuses the renders that cannot be rendered any more before their deadline", async () => {
  const pool = simulatedPool((nowMs) => (nowMs < 2_000 ? 350 : 60_000));
  const outcomes = Promise.all(Array.from({ length: 100 }, (_, n) => pool.render(`account ${n}`)));

  await vi.advanceTimersByTimeAsync(24_000);

  expect(refused(pool.attempts).length).toBeGreaterThan(50);
  expect(Math.max(...refused(pool.attempts).map(took))).toBeLessThanOrEqual(22_500);
  await simulate(outcomes);
});
