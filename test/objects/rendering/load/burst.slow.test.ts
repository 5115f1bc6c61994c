import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { budgetMs, refused, simulate, simulatedPool, took } from "./simulated-pool.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

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

  it.each([10, 16])(
    "are refused early although up to four renders share one of %i pages",
    { timeout: 60_000 },
    async (maxPages) => {
      const pool = simulatedPool(() => 350, maxPages);

      await simulate(Promise.all(pool.burst(2_000, 64)));

      expect(Math.max(...refused(pool.attempts).map(took))).toBeLessThanOrEqual(2_000);
    },
  );

  it("are not sent away for long because the first seconds are slow", { timeout: 60_000 }, async () => {
    const pool = simulatedPool((nowMs) => (nowMs < 8_000 ? 1_400 : 350));

    await simulate(Promise.all(pool.burst(2_000, 64)));

    expect(Math.max(...refused(pool.attempts).map(took))).toBeLessThanOrEqual(2_000);
    expect(Math.max(...pool.attempts.map(({ endedMs }) => endedMs))).toBeLessThan(150_000);
  });
});
