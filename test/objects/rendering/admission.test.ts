import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Admission } from "../../../src/objects/rendering/admission.ts";

/** Requests a render for an account. The render may wait for a second. */
const request = (accountId = "a", mayWait = true) => ({ accountId, mayWait, maxWaitMs: 1_000 });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("admits renders at once up to the number of concurrent pages", async () => {
  const admission = new Admission({ concurrentPages: 2, maxPages: 16, queueLength: 0 });

  const admitted = [await admission.enter(request()), await admission.enter(request())];

  expect(admitted).toEqual([expect.anything(), expect.anything()]);
  expect(await admission.enter(request())).toBeNull();
  expect(admission.rendersUnderWay).toBe(2);
});

it("refuses a render immediately if no page is free and the render may not wait", async () => {
  const admission = new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 8 });
  await admission.enter(request());

  expect(await admission.enter(request("a", false))).toBeNull();
});

it("admits a waiting render when another render leaves", async () => {
  const admission = new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 8 });
  const first = await admission.enter(request());
  const waiting = admission.enter(request());

  if (first) admission.leave(first);

  expect(await waiting).not.toBeNull();
  expect(admission.rendersUnderWay).toBe(1);
});

it("admits a new render at once if the slot became free while no render was waiting", async () => {
  const admission = new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 8 });
  const first = await admission.enter(request());
  if (first) admission.leave(first);

  expect(admission.rendersUnderWay).toBe(0);
  expect(await admission.enter(request("a", false))).not.toBeNull();
});

it("refuses a render that has waited for its maximum time", async () => {
  const admission = new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 8 });
  await admission.enter(request());
  const waiting = admission.enter(request());

  await vi.advanceTimersByTimeAsync(1_000);

  expect(await waiting).toBeNull();
  expect(admission.rendersUnderWay).toBe(1);
});

it("bases its first estimate of the time to retry on half a second per render", async () => {
  const admission = new Admission({ concurrentPages: 1, maxPages: 16, queueLength: 8 });
  await admission.enter(request());
  for (let waiting = 0; waiting < 5; waiting++) void admission.enter(request());

  expect(admission.retryAfterSeconds()).toBe(3);
});

it("estimates the time to retry from the durations of recent renders", async () => {
  const admission = new Admission({ concurrentPages: 2, maxPages: 16, queueLength: 8 });
  for (let render = 0; render < 100; render++) {
    const admitted = await admission.enter(request());
    await vi.advanceTimersByTimeAsync(6_000);
    if (admitted) admission.leave(admitted);
  }

  expect(admission.retryAfterSeconds()).toBe(3);
});

describe("while one account's renders take long", () => {
  async function occupied() {
    const admission = new Admission({ concurrentPages: 4, maxPages: 16, queueLength: 8 });
    for (let i = 0; i < 4; i++) await admission.enter(request("slow"));
    return admission;
  }

  it("admits other accounts half a second later, each with one render", async () => {
    const admission = await occupied();
    const admitted = vi.fn();
    for (const accountId of ["slow", "b", "b", "c", "d"]) {
      void admission.enter(request(accountId)).then((render) => render && admitted(accountId));
    }

    await vi.advanceTimersByTimeAsync(499);
    expect(admitted).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(admitted.mock.calls).toEqual([["b"], ["c"]]);
    expect(admission.rendersUnderWay).toBe(6);
  });

  it("admits another account at once when the renders are already long", async () => {
    const admission = await occupied();
    await vi.advanceTimersByTimeAsync(500);

    expect(await admission.enter(request("b", false))).not.toBeNull();
    expect(await admission.enter(request("slow", false))).toBeNull();
  });

  it("admits the waiting renders of that account only up to the usual number", async () => {
    const admission = await occupied();
    await vi.advanceTimersByTimeAsync(500);
    const other = await admission.enter(request("b"));
    const waiting = admission.enter(request("slow"));

    if (other) admission.leave(other);
    await vi.advanceTimersByTimeAsync(1_000);

    expect(await waiting).toBeNull();
    expect(admission.rendersUnderWay).toBe(4);
  });
});

it("admits no additional renders when there would be no idle page to close", async () => {
  const admission = new Admission({ concurrentPages: 4, maxPages: 5, queueLength: 8 });
  for (let i = 0; i < 4; i++) await admission.enter(request("slow"));
  await vi.advanceTimersByTimeAsync(500);

  expect(await admission.enter(request("b", false))).toBeNull();
});
