import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Admission } from "../../../src/objects/rendering/admission.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("admits renders at once up to the number of concurrent pages", async () => {
  const admission = new Admission({ concurrentPages: 2, queueLength: 0 });

  const admitted = [await admission.enter(true, 1_000), await admission.enter(true, 1_000)];

  expect(admitted).toEqual([true, true]);
  expect(await admission.enter(true, 1_000)).toBe(false);
  expect(admission.rendersUnderWay).toBe(2);
});

it("immediately refuses a render that may not wait if no page is free", async () => {
  const admission = new Admission({ concurrentPages: 1, queueLength: 8 });
  await admission.enter(true, 1_000);

  expect(await admission.enter(false, 1_000)).toBe(false);
});

it("admits a waiting render when another render leaves", async () => {
  const admission = new Admission({ concurrentPages: 1, queueLength: 8 });
  await admission.enter(true, 1_000);
  const waiting = admission.enter(true, 1_000);

  admission.leave(100);

  expect(await waiting).toBe(true);
  expect(admission.rendersUnderWay).toBe(1);
});

it("admits a new render at once if the slot became free while no render was waiting", async () => {
  const admission = new Admission({ concurrentPages: 1, queueLength: 8 });
  await admission.enter(true, 1_000);
  admission.leave(100);

  expect(admission.rendersUnderWay).toBe(0);
  expect(await admission.enter(false, 1_000)).toBe(true);
});

it("refuses a render that has waited for its maximum time", async () => {
  const admission = new Admission({ concurrentPages: 1, queueLength: 8 });
  await admission.enter(true, 1_000);
  const waiting = admission.enter(true, 1_000);

  await vi.advanceTimersByTimeAsync(1_000);

  expect(await waiting).toBe(false);
  expect(admission.rendersUnderWay).toBe(1);
});

it("estimates the time to retry from the queue length, at half a second per render before any render has ended", async () => {
  const admission = new Admission({ concurrentPages: 1, queueLength: 8 });
  await admission.enter(true, 1_000);
  for (let waiting = 0; waiting < 5; waiting++) void admission.enter(true, 1_000);

  expect(admission.retryAfterSeconds()).toBe(3);
});

it("estimates the time to retry from the durations of recent renders", async () => {
  const admission = new Admission({ concurrentPages: 2, queueLength: 8 });
  for (let render = 0; render < 100; render++) {
    await admission.enter(true, 1_000);
    admission.leave(6_000);
  }

  expect(admission.retryAfterSeconds()).toBe(3);
});
