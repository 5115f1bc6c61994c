import { afterEach, expect, it, vi } from "vitest";
import { retry, type RetryPolicy } from "../../src/platform/retry.ts";

const policy: RetryPolicy = { maxTries: 4, isRetryable: () => true, firstPauseMs: 0, maxPauseMs: 0 };

afterEach(() => void vi.useRealTimers());

/**
 * Returns a function that fails in its first `times` attempts, with the errors `failure 1`, `failure 2` and so on. In every
 * later attempt, it returns the number of the attempt.
 */
function failing(times: number) {
  return vi.fn(async (attempt: number) => {
    if (attempt <= times) throw new Error(`failure ${attempt}`);
    return attempt;
  });
}

it("runs successful work only once", async () => {
  const work = failing(0);

  expect(await retry(policy, work)).toBe(1);
  expect(work).toHaveBeenCalledTimes(1);
});

it("returns the first successful result, and passes the number of each attempt to the work", async () => {
  const work = failing(2);

  expect(await retry(policy, work)).toBe(3);
  expect(work.mock.calls).toEqual([[1], [2], [3]]);
});

it("rejects with the last error after the last attempt", async () => {
  const work = failing(9);

  await expect(retry(policy, work)).rejects.toThrow("failure 4");
  expect(work).toHaveBeenCalledTimes(4);
});

it("rejects at once with an error that is not retryable", async () => {
  const isRetryable = (error: unknown) => !(error as Error).message.endsWith("2");
  const work = failing(9);

  await expect(retry({ ...policy, isRetryable }, work)).rejects.toThrow("failure 2");
  expect(work).toHaveBeenCalledTimes(2);
});

it("retries work that throws before it returns a promise", async () => {
  const work = vi.fn((attempt: number): Promise<string> => {
    if (attempt === 1) throw new Error("at once");
    return Promise.resolve("done");
  });

  expect(await retry(policy, work)).toBe("done");
});

it.each([
  { random: 0, pauses: [20, 40, 60, 60] },
  { random: 0.5, pauses: [40, 80, 120, 120] },
  { random: 1, pauses: [60, 120, 180, 180] },
])(
  "pauses longer after each failure, up to a maximum, with jitter (random number $random)",
  async ({ random, pauses }) => {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(random);
    const startedAt: number[] = [];
    const work = async () => {
      startedAt.push(Date.now());
      throw new Error("always");
    };

    const ended = retry({ ...policy, maxTries: 5, firstPauseMs: 40, maxPauseMs: 120 }, work).catch(() => {});
    await vi.runAllTimersAsync();
    await ended;

    expect(startedAt.slice(1).map((at, index) => at - (startedAt[index] ?? 0))).toEqual(pauses);
  },
);
