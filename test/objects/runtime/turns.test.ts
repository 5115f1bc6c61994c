import { expect, it } from "vitest";
import { Turns } from "../../../src/objects/runtime/turns.ts";

it("gives the waiting calls of one account one turn after another", () => {
  const turns = new Turns();

  expect([turns.next("a", []), turns.next("a", [0]), turns.next("a", [0, 1])]).toEqual([0, 1, 2]);
});

it("puts an account's first call into the current turn, however many calls of another account wait", () => {
  const turns = new Turns();
  turns.admitted("a", 0);
  turns.admitted("a", 1);

  expect(turns.next("a", [2, 3, 4])).toBe(5);
  expect(turns.next("b", [])).toBe(1);
});

it("does not let an account save up turns while it has no calls", () => {
  const turns = new Turns();
  for (let turn = 0; turn <= 9; turn++) turns.admitted("a", turn);

  const first = turns.next("b", []);

  expect([first, turns.next("b", [first])]).toEqual([9, 10]);
});

it("lets an account with an admitted call wait for its next turn", () => {
  const turns = new Turns();
  turns.admitted("a", 3);

  expect(turns.next("a", [])).toBe(4);
  expect(turns.next("b", [])).toBe(3);
});

it("uses an account's turn when a call is admitted before it, and goes on with the current one for others", () => {
  const turns = new Turns();
  turns.admitted("a", 3);

  turns.admittedOutOfTurn("a", 4);

  expect(turns.next("a", [])).toBe(5);
  expect(turns.next("b", [])).toBe(3);
});
