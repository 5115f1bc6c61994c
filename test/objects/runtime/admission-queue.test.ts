import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { AdmissionQueue, latestStartMs, type QueuedCall } from "../../../src/objects/runtime/admission-queue.ts";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

/** Returns a queue in which each call starts `msPerCall` after the one before it. The test may change that estimate. */
function queueOf(maxLength = 100, msPerCall = 100) {
  const estimate = { msPerCall };
  const queue = new AdmissionQueue<QueuedCall>(maxLength, (ahead) => (ahead + 1) * estimate.msPerCall);
  const call = (rest: Partial<QueuedCall> = {}): QueuedCall => ({
    accountId: "a",
    turn: 0,
    arrivedMs: Date.now(),
    deadlineMs: Date.now() + 10_000,
    ...rest,
  });
  const wait = (rest: Partial<QueuedCall> = {}, waitMs = 9_000) => queue.wait(call(rest), Date.now() + waitMs);
  return { queue, call, wait, estimate };
}

/** Settles promises that are already resolved. */
const settle = () => vi.advanceTimersByTimeAsync(0);

it("admits the call that arrived first", async () => {
  const { queue, wait } = queueOf();
  const ended: string[] = [];
  void wait({ arrivedMs: 0 }).then(() => ended.push("first"));
  void wait({ arrivedMs: 1 }).then(() => ended.push("second"));

  queue.admitNext();
  await settle();
  expect(ended).toEqual(["first"]);
  queue.admitNext();
  await settle();

  expect(ended).toEqual(["first", "second"]);
});

it("admits calls with a lower turn first, although they arrived later", async () => {
  const { queue, wait } = queueOf();
  const ended: number[] = [];
  for (const turn of [2, 0, 1]) void wait({ turn }).then(() => ended.push(turn));

  while (queue.admitNext());
  await settle();

  expect(ended).toEqual([0, 1, 2]);
});

describe("a call with a lower turn", () => {
  /** Returns a queue in which the second call of "busy" may be delayed by one more call, but not by two. */
  function delayedOnce() {
    const { queue, call, wait } = queueOf(100, 1_000);
    for (const accountId of ["a", "b", "busy"]) void wait({ accountId });
    for (let turn = 1; turn < 5; turn++) void wait({ accountId: "busy", turn });
    return { queue, call, wait };
  }

  it("goes before others as long as they would still start in time", () => {
    const { queue, call, wait } = delayedOnce();

    // The last call would start after 7 s, and waits for 9 s.
    expect(queue.startsInMs(call({ turn: 1 }))).toBe(5_000);
    void wait({ turn: 1 });

    expect(queue.calls.map(({ accountId, turn }) => `${accountId}${turn}`).join(" ")).toBe(
      "a0 b0 busy0 busy1 a1 busy2 busy3 busy4",
    );
  });

  it("goes behind those that would start too late because of it", () => {
    const { queue, call, wait } = delayedOnce();
    void wait({ turn: 1 });

    expect(queue.startsInMs(call({ accountId: "b", turn: 1 }))).toBe(9_000);
    expect(queue.startsInMs(call({ accountId: "busy", turn: 5 }))).toBe(9_000);
  });

  it("goes before all of them if it is the first waiting call of its account", () => {
    const { queue, call, wait } = delayedOnce();
    void wait({ turn: 1 });

    expect(queue.startsInMs(call({ accountId: "new", turn: 0 }))).toBe(4_000);
  });
});

it("lets a call that waits again take the position of its arrival", async () => {
  const { queue, wait } = queueOf();
  await vi.advanceTimersByTimeAsync(100);
  void wait({ accountId: "later", arrivedMs: 50 });
  void wait({ accountId: "earlier", arrivedMs: 10 });

  expect(queue.admitNext()?.accountId).toBe("earlier");
});

it("admits the first of the calls that may enter", () => {
  const { queue, wait } = queueOf();
  for (const accountId of ["first", "second", "third"]) void wait({ accountId });

  expect(queue.admitNext(({ accountId }) => accountId !== "first")?.accountId).toBe("second");
  expect(queue.admitNext(() => false)).toBeNull();
  expect(queue.calls.map(({ accountId }) => accountId)).toEqual(["first", "third"]);
});

it("admits no call when none is waiting", () => {
  expect(queueOf().queue.admitNext()).toBeNull();
});

it("refuses a call at once when the queue is at its limit", async () => {
  const { queue, wait } = queueOf(1);
  const waiting = wait();

  expect(await wait()).toBe("refused");
  queue.admitNext();
  expect(await waiting).toBe("admitted");

  const next = wait();
  queue.admitNext();
  expect(await next).toBe("admitted");
});

it("ends the wait of a call that has waited for its maximum time", async () => {
  const { queue, wait } = queueOf();
  const waiting = wait({}, 1_000);

  await vi.advanceTimersByTimeAsync(999);
  expect(queue.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);

  expect(await waiting).toBe("timed_out");
  expect(queue.length).toBe(0);
  expect(queue.admitNext()).toBeNull();
});

it("counts the maximum time from the moment at which the call begins to wait", async () => {
  const { wait } = queueOf();
  await vi.advanceTimersByTimeAsync(3_000);
  const ended = vi.fn();
  void wait({}, 1_000).then(ended);

  await vi.advanceTimersByTimeAsync(999);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(ended).toHaveBeenCalledExactlyOnceWith("timed_out");
});

it("refuses a call at once that may not wait", async () => {
  const { queue, wait } = queueOf();

  const waiting = wait({}, 0);

  expect(queue.length).toBe(0);
  expect(await waiting).toBe("refused");
});

it("admits a call just before its maximum time", async () => {
  const { queue, wait } = queueOf();
  const waiting = wait({}, 1_000);
  await vi.advanceTimersByTimeAsync(999);

  queue.admitNext();
  vi.advanceTimersByTime(1);

  expect(await waiting).toBe("admitted");
});

describe("the estimate", () => {
  it("refuses a call at once that would probably start too late", async () => {
    const { queue, wait } = queueOf(100, 1_000);
    // The seventh call would start after 7 of its 10 s, and the eighth after 8.
    for (let waiting = 0; waiting < 7; waiting++) void wait();

    expect(await wait()).toBe("refused");
    expect(queue.length).toBe(7);
  });

  it("refuses a call at once whose deadline is near, although a later deadline could be met", async () => {
    const { wait } = queueOf(100, 1_000);
    for (let waiting = 0; waiting < 3; waiting++) void wait();

    expect(await wait({ deadlineMs: 5_000 })).toBe("refused");
    const patient = vi.fn();
    void wait({ deadlineMs: 10_000 }).then(patient);
    await settle();

    expect(patient).not.toHaveBeenCalled();
  });

  it("depends on the turn of the call, not on the length of the queue", async () => {
    const { queue, call, wait } = queueOf(100, 1_000);
    for (let turn = 0; turn < 7; turn++) void wait({ turn });

    expect(queue.startsInMs(call({ turn: 0, arrivedMs: 1 }))).toBe(2_000);
    expect(queue.startsInMs(call({ turn: 7 }))).toBe(8_000);
  });

  it("refuses the last of the waiting calls soon after it has become worse", async () => {
    const { queue, wait, estimate } = queueOf(100, 10);
    const refused = vi.fn();
    for (let waiting = 0; waiting < 50; waiting++) void wait().then(refused);
    await vi.advanceTimersByTimeAsync(500);
    expect(refused).not.toHaveBeenCalled();

    estimate.msPerCall = 500;
    await vi.advanceTimersByTimeAsync(250);

    // 9.25 s are left. Of that, 70 % are time for 12 calls.
    expect(queue.length).toBe(12);
    expect(refused).toHaveBeenCalledTimes(38);
  });

  it("refuses no call because of a small change, when that call has waited for a while", async () => {
    const { queue, wait, estimate } = queueOf(100, 1_000);
    for (let waiting = 0; waiting < 6; waiting++) void wait();
    await vi.advanceTimersByTimeAsync(2_000);

    // The last call would now start after 6.9 s, which is more than 70 % but less than 90 % of its 8 s.
    estimate.msPerCall = 1_150;
    queue.review();

    expect(queue.length).toBe(6);
  });

  it("refuses a call that has waited for a while when little of its time would be left", async () => {
    const { queue, wait, estimate } = queueOf(100, 1_000);
    for (let waiting = 0; waiting < 6; waiting++) void wait();
    await vi.advanceTimersByTimeAsync(2_000);

    // The last call would now start after 7.5 s, which is more than 90 % of its 8 s. The call before it: after 6.25 s.
    estimate.msPerCall = 1_250;
    queue.review();

    expect(queue.length).toBe(5);
  });

  it("refuses a call that has waited for a while as soon as its deadline cannot be met", async () => {
    const { queue, wait, estimate } = queueOf(100, 1_000);
    const ends: string[] = [];
    for (let waiting = 0; waiting < 6; waiting++) void wait().then((end) => ends.push(end));
    await vi.advanceTimersByTimeAsync(3_000);

    // 7 s are left. The third call would start after 9 s.
    estimate.msPerCall = 3_000;
    queue.review();
    await settle();

    expect(ends).toEqual(Array(4).fill("refused"));
  });

  it("is reviewed once at a time, however many calls are waiting", () => {
    const { wait } = queueOf();

    for (let waiting = 0; waiting < 5; waiting++) void wait();

    // Each call has a timer for its maximum time.
    expect(vi.getTimerCount()).toBe(5 + 1);
  });

  it("is not reviewed any more when no call is waiting", async () => {
    const { queue, wait } = queueOf();
    void wait();
    queue.admitNext();

    await vi.advanceTimersByTimeAsync(250);

    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the latest start of a call", () => {
  it("leaves three times the average time", () => {
    expect(latestStartMs(1_000, 25_000, 2_000)).toBe(20_000);
  });

  it("leaves at least 2.5 s", () => {
    expect(latestStartMs(1_000, 25_000, 100)).toBe(23_500);
  });

  it("leaves half of the time if that is less", () => {
    expect(latestStartMs(1_000, 4_000, 100)).toBe(3_000);
  });
});
