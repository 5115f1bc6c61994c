import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { admissionQueue } from "../../../src/objects/runtime/admission-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("admits the call that has waited longest", async () => {
  const queue = admissionQueue(2);
  const admitted: string[] = [];
  const first = queue.wait(1_000).then(() => admitted.push("first"));
  const second = queue.wait(1_000).then(() => admitted.push("second"));

  queue.admitNext();
  await first;
  expect(admitted).toEqual(["first"]);
  queue.admitNext();
  await second;

  expect(admitted).toEqual(["first", "second"]);
});

it("admits no call when none is waiting", () => {
  expect(admissionQueue(2).admitNext()).toBe(false);
});

it("refuses a call at once when the queue is at its limit", async () => {
  const queue = admissionQueue(1);
  const waiting = queue.wait(1_000);

  expect(await queue.wait(1_000)).toBe(false);
  expect(queue.length).toBe(1);
  expect(queue.admitNext()).toBe(true);
  expect(await waiting).toBe(true);
});

it("has room for another call once the waiting call has been admitted", async () => {
  const queue = admissionQueue(1);
  const first = queue.wait(1_000);
  queue.admitNext();
  await first;

  const second = queue.wait(1_000);
  queue.admitNext();

  expect(await second).toBe(true);
});

it("refuses and removes a call that has waited for its maximum time", async () => {
  const queue = admissionQueue(1);
  const waiting = queue.wait(1_000);

  await vi.advanceTimersByTimeAsync(999);
  expect(queue.length).toBe(1);
  await vi.advanceTimersByTimeAsync(1);

  expect(await waiting).toBe(false);
  expect(queue.length).toBe(0);
  expect(queue.admitNext()).toBe(false);
});

it("admits a call even if its timer has just fired", async () => {
  const queue = admissionQueue(1);
  const waiting = queue.wait(1_000);

  // The call's timer fires, but `admitNext` admits the call before the waiting code reacts to the timer.
  vi.advanceTimersByTime(1_000);
  expect(queue.admitNext()).toBe(true);

  expect(await waiting).toBe(true);
});

it("admits the longest-waiting call of those that may enter", async () => {
  const queue = admissionQueue<string>(3);
  const admitted: string[] = [];
  for (const call of ["first", "second", "third"]) void queue.wait(1_000, call).then(() => admitted.push(call));

  expect(queue.admitNext((call) => call !== "first")).toBe(true);
  expect(queue.admitNext(() => false)).toBe(false);
  await vi.advanceTimersByTimeAsync(0);

  expect(admitted).toEqual(["second"]);
  expect(queue.length).toBe(2);
});
