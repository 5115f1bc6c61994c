import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { refused, simulate, simulatedPool, took } from "./simulated-pool.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

it("200 renders at once that take 350 ms each all succeed without a refusal", async () => {
  const pool = simulatedPool(() => 350);

  const counts = await simulate(Promise.all(pool.burst(200, 64)));

  expect(Math.max(...counts)).toBe(1);
  expect(Math.max(...pool.attempts.map(took))).toBeLessThan(13_000);
});

/** Returns a function that tells how long a render takes: 480 ms if its account has none of the ten pages, else 240 ms. */
function withTenPages() {
  const pages: string[] = [];
  return (_: number, accountId: string): number => {
    const isOpen = pages.includes(accountId);
    if (isOpen) pages.splice(pages.indexOf(accountId), 1);
    else if (pages.length === 10) pages.shift();
    pages.push(accountId);
    return isOpen ? 240 : 480;
  };
}

it("200 renders at once for 64 accounts share pages, and all succeed without a refusal", async () => {
  const pool = simulatedPool(withTenPages(), 10);

  const counts = await simulate(Promise.all(pool.burst(200, 64)));

  expect(Math.max(...counts)).toBe(1);
  // If each render opened a page, the last of them would take 16 s.
  expect(Math.max(...pool.attempts.map(took))).toBeLessThan(13_500);
});

it("a new account renders within seconds while 64 accounts have more renders than the pool can take", async () => {
  const pool = simulatedPool(withTenPages(), 10);
  const busy = pool.burst(700, 64);
  await vi.advanceTimersByTimeAsync(15_000);

  for (let turn = 0; turn < 4; turn++) await simulate(pool.render("other"));
  const others = pool.attempts.filter(({ accountId }) => accountId === "other");

  expect(others.map(({ startedMs }) => startedMs === null)).toEqual(Array(4).fill(false));
  // One turn of 64 accounts takes about 5 s.
  expect(Math.max(...others.map(took))).toBeLessThan(8_000);
  await simulate(Promise.all(busy));
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
