import { expect, it } from "vitest";
import { maxWaitMs, retryAfterSeconds } from "../../../src/core/rendering/wait-limit.ts";

it("a create waits until seven seconds before its deadline", () => {
  expect(maxWaitMs(25_000)).toBe(18_000);
  expect(maxWaitMs(14_000)).toBe(7_000);
});

it("a create with little time does not wait", () => {
  expect(maxWaitMs(7_000)).toBe(0);
  expect(maxWaitMs(4_000)).toBe(0);
});

it("a refused create retries later the longer the queue is", () => {
  expect([0, 1, 50, 100].map((length) => retryAfterSeconds(length, 10, 0))).toEqual([1, 2, 2, 3]);
});

it("a refused create retries earlier the more renders run in parallel", () => {
  expect([1, 2, 8].map((atOnce) => retryAfterSeconds(400, atOnce, 0))).toEqual([81, 41, 11]);
});

it("refused creates retry at different times", () => {
  expect([0, 0.5, 1].map((random) => retryAfterSeconds(100, 10, random))).toEqual([3, 5, 7]);
});
