import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { InFlightQueue, type InFlightWait } from "../../../src/objects/accounts/in-flight-queue.ts";
import { reserveRequest } from "../../fixtures/documents.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const accountId = crypto.randomUUID();
/** A create of the account that arrived at this time. Two of the account's renders may be in flight. */
const request = ({ createdAt = Date.now(), timeoutMs = 25_000 } = {}) =>
  reserveRequest({ accountId, createdAt }, { inFlightLimit: 2, timeoutMs });
const inFlightQueue = () => new InFlightQueue(() => 0);

/** Lets two renders at a time run for the given time, until twenty have ended. */
async function measured(queue: InFlightQueue, renderMs: number): Promise<void> {
  for (let round = 0; round < 10; round++) {
    queue.observe(2);
    await vi.advanceTimersByTimeAsync(renderMs);
    queue.observe(0);
  }
  queue.observe(2);
}

/** The end of the wait, or null as long as it has not ended. */
async function endOf(waiting: Promise<InFlightWait>): Promise<InFlightWait | null> {
  const [end] = await Promise.all([Promise.race([waiting, Promise.resolve(null)]), vi.advanceTimersByTimeAsync(0)]);
  return end;
}

it("admits the create that arrived first, even if another one called first", async () => {
  const queue = inFlightQueue();
  await vi.advanceTimersByTimeAsync(10);
  const later = queue.wait(request({ createdAt: 5 }), 3_000);
  const earlier = queue.wait(request({ createdAt: 1 }), 3_000);

  queue.admitNext();

  expect(await earlier).toEqual({ status: "admitted" });
  expect(await endOf(later)).toBeNull();
});

it("asks a create to call again after a while, as long as it can still be rendered in time", async () => {
  const queue = inFlightQueue();
  const waiting = queue.wait(request(), 3_000);

  await vi.advanceTimersByTimeAsync(3_000);

  expect(await waiting).toEqual({ status: "waiting" });
});

it("refuses a create when there is only time left for its render", async () => {
  const queue = inFlightQueue();
  const waiting = queue.wait(request({ timeoutMs: 4_000 }), 3_000);

  await vi.advanceTimersByTimeAsync(2_000);

  expect(await waiting).toEqual({ status: "refused", retryAfterSeconds: 1 });
});

it("refuses a create at once that would probably start too late", async () => {
  const queue = inFlightQueue();
  await measured(queue, 8_000);
  for (let waiting = 0; waiting < 4; waiting++) void queue.wait(request(), 3_000);

  // A render ends every 4 s, so the fifth create would start after 20 of its 25 s.
  expect(await queue.wait(request(), 3_000)).toMatchObject({ status: "refused" });
});

it("asks the creates that it refuses to return one after another", async () => {
  const queue = inFlightQueue();
  await measured(queue, 8_000);
  for (let waiting = 0; waiting < 4; waiting++) void queue.wait(request(), 3_000);

  const refusals = [
    await queue.wait(request(), 3_000),
    await queue.wait(request(), 3_000),
    await queue.wait(request(), 3_000),
  ];

  const seconds = refusals.map((refusal) => (refusal.status === "refused" ? refusal.retryAfterSeconds : 0));
  expect(seconds).toEqual([seconds[0], (seconds[0] ?? 0) + 4, (seconds[0] ?? 0) + 8]);
});

describe("after a pool has refused a render", () => {
  const refusal = { retryAfterSeconds: 20, queue: { startsInMs: 22_000, turnMs: 4_000 } };

  it("refuses the creates that wait, because they would also be too late there", async () => {
    const queue = inFlightQueue();
    const waiting = [queue.wait(request(), 3_000), queue.wait(request(), 3_000)];

    queue.poolRefused(accountId, refusal);

    expect(await Promise.all(waiting)).toEqual([
      { status: "refused", retryAfterSeconds: 24 },
      { status: "refused", retryAfterSeconds: 28 },
    ]);
  });

  it("also refuses a create that has waited for a while, because the pool would refuse it as a new render", async () => {
    const queue = inFlightQueue();
    const waiting = queue.wait(request(), 8_000);
    await vi.advanceTimersByTimeAsync(2_000);

    // That is between 70 % and 90 % of the 23 s that are left.
    queue.poolRefused(accountId, { retryAfterSeconds: 10, queue: { startsInMs: 18_000, turnMs: 4_000 } });

    expect(await waiting).toMatchObject({ status: "refused" });
  });

  it("refuses further creates at once, but only for two seconds", async () => {
    const queue = inFlightQueue();
    queue.poolRefused(accountId, refusal);

    expect(await queue.wait(request(), 3_000)).toMatchObject({ status: "refused" });
    await vi.advanceTimersByTimeAsync(2_001);
    const waiting = queue.wait(request(), 3_000);

    expect(await endOf(waiting)).toBeNull();
  });

  it("lets creates wait that have enough time for the pool's queue", async () => {
    const queue = inFlightQueue();
    const waiting = queue.wait(request(), 3_000);

    queue.poolRefused(accountId, { retryAfterSeconds: 1, queue: { startsInMs: 3_000, turnMs: 100 } });

    expect(await endOf(waiting)).toBeNull();
  });
});
