import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UnresponsiveBrowserError, withHeartbeat } from "../../../src/objects/rendering/heartbeat.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = () => new Promise<never>(() => {});

it("the heartbeat stops when the work has ended", async () => {
  const ping = vi.fn(async () => {});
  const { promise, resolve } = Promise.withResolvers<string>();
  const outcome = withHeartbeat(ping, promise);

  await vi.advanceTimersByTimeAsync(5_000);
  resolve("done");

  expect(await outcome).toBe("done");
  expect(ping).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ping).toHaveBeenCalledTimes(2);
});

it("the heartbeat rejects with the error of the work", async () => {
  const error = new Error("the page crashed");

  await expect(withHeartbeat(never, Promise.reject(error))).rejects.toBe(error);
});

it("the heartbeat rejects as soon as a ping fails", async () => {
  const outcome = withHeartbeat(() => Promise.reject(new Error("the connection was lost")), never());
  const failure = expect(outcome).rejects.toBeInstanceOf(UnresponsiveBrowserError);

  await vi.advanceTimersByTimeAsync(2_000);

  await failure;
});

it("the heartbeat sends no further ping when the work ends while a ping is in flight", async () => {
  const pong = Promise.withResolvers<void>();
  const ping = vi.fn(() => pong.promise);
  const { promise, resolve } = Promise.withResolvers<void>();
  const outcome = withHeartbeat(ping, promise);
  await vi.advanceTimersByTimeAsync(2_000);

  resolve();
  await outcome;
  pong.resolve();
  await vi.advanceTimersByTimeAsync(10_000);

  expect(ping).toHaveBeenCalledTimes(1);
});
