import { expect, it } from "vitest";
import { ReturnTimes } from "../../../src/objects/runtime/return-times.ts";

const withoutJitter = () => new ReturnTimes(() => 0);

it("asks for a return some time before the estimated start, so that the caller then waits in the queue", () => {
  expect(withoutJitter().next("a", { startsInMs: 20_000, turnMs: 500 }, 0)).toBe(12);
});

it("asks for at least one second", () => {
  expect(withoutJitter().next("a", { startsInMs: 0, turnMs: 0 }, 0)).toBe(1);
});

it("asks the callers of an account to return one turn after another", () => {
  const returns = withoutJitter();
  const next = () => returns.next("a", { startsInMs: 20_000, turnMs: 4_000 }, 0);

  expect([next(), next(), next(), next()]).toEqual([12, 16, 20, 24]);
});

it("does not delay the callers of another account", () => {
  const returns = withoutJitter();
  for (let call = 0; call < 10; call++) returns.next("a", { startsInMs: 20_000, turnMs: 4_000 }, 0);

  expect(returns.next("b", { startsInMs: 20_000, turnMs: 4_000 }, 0)).toBe(12);
});

it("takes account of a caller that was told elsewhere when to return", () => {
  const returns = withoutJitter();
  returns.expect("a", 30_000, 0);

  expect(returns.next("a", { startsInMs: 20_000, turnMs: 4_000 }, 0)).toBe(34);
});

it("forgets an account whose callers should have returned by now", () => {
  const returns = withoutJitter();
  returns.next("a", { startsInMs: 20_000, turnMs: 4_000 }, 0);

  expect(returns.accounts(11_999)).toEqual(["a"]);
  expect(returns.accounts(12_000)).toEqual([]);
  expect(returns.next("a", { startsInMs: 20_000, turnMs: 4_000 }, 12_000)).toBe(12);
});

it("adds up to a tenth at random, so that callers that are refused together do not return together", () => {
  const returns = new ReturnTimes(() => 1);

  expect(returns.next("a", { startsInMs: 28_000, turnMs: 0 }, 0)).toBe(22);
});

it("asks for at most two minutes and the random part", () => {
  const returns = new ReturnTimes(() => 1);

  expect(returns.next("a", { startsInMs: 3_600_000, turnMs: 0 }, 0)).toBe(132);
});

it("rounds up to whole seconds, so that nobody returns too early", () => {
  expect(withoutJitter().next("a", { startsInMs: 20_100, turnMs: 0 }, 0)).toBe(13);
});

it("remembers 10,000 accounts at most, and goes on with those that it knows", () => {
  const returns = withoutJitter();
  for (let account = 0; account <= 10_000; account++) returns.expect(`account ${account}`, 30_000, 0);

  expect(returns.accounts(0).length).toBe(10_000);
  returns.expect("account 0", 40_000, 0);
  expect(returns.accounts(35_000)).toEqual(["account 0"]);
});
