import { describe, expect, it } from "vitest";
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

describe("with a head start", () => {
  /** Admits the turns from 0 to `turn` of a busy account. */
  function turnsUpTo(turn: number): Turns {
    const turns = new Turns(4);
    for (let admitted = 0; admitted <= turn; admitted++) turns.admitted("busy", admitted);
    return turns;
  }

  it("puts an account's first calls before those of the current group", () => {
    const turns = turnsUpTo(9);

    expect([turns.next("new", []), turns.next("new", [4]), turns.next("new", [4, 5, 6, 7])]).toEqual([4, 5, 8]);
    expect(turns.next("busy", [])).toBe(10);
  });

  it("gives it only to an account that has had no turn since the group before", () => {
    const turns = turnsUpTo(9);

    turns.admitted("new", 4);
    expect(turns.next("new", [])).toBe(5);
    for (const turn of [10, 11, 12]) turns.admitted("busy", turn);

    // The current group begins with 12, and the one before it with 8.
    expect(turns.next("new", [])).toBe(8);
    turns.admitted("new", 12);
    for (const turn of [13, 14, 15, 16]) turns.admitted("busy", turn);
    expect(turns.next("new", [])).toBe(13);
  });
});
