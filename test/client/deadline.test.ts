import { getEventListeners } from "node:events";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTime, pause } from "../../packages/client/src/deadline.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const minute = 60_000;

/** Handles and listeners that would keep a process running or a signal from being collected. */
const leftBy = ({ signal }: AbortController) => [vi.getTimerCount(), getEventListeners(signal, "abort").length];

it.each([
  ["succeeded", async () => 1],
  ["failed", () => Promise.reject(new Error("lost"))],
])("work that has %s leaves neither a timer nor a listener", async (_how, work) => {
  const controller = new AbortController();

  await inTime({ timeoutMs: minute, signal: controller.signal }, work).catch(() => {});

  expect(leftBy(controller)).toEqual([0, 0]);
});

it("a pause that has ended leaves neither a timer nor a listener", async () => {
  const controller = new AbortController();
  const paused = pause(minute, controller.signal);

  await vi.advanceTimersByTimeAsync(minute);

  await paused;
  expect(leftBy(controller)).toEqual([0, 0]);
});

it("a pause that its signal ended leaves no timer", async () => {
  const controller = new AbortController();
  const paused = pause(minute, controller.signal);

  controller.abort(new Error("the user left"));

  await expect(paused).rejects.toThrow("the user left");
  expect(vi.getTimerCount()).toBe(0);
});

it("a pause does not begin if its signal is already aborted", async () => {
  await expect(pause(minute, AbortSignal.abort(new Error("the user left")))).rejects.toThrow("the user left");
  expect(vi.getTimerCount()).toBe(0);
});
