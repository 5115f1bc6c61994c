import { expect, it } from "vitest";
import {
  missingTargetWarnings,
  movedTargets,
  targetPages,
  unsettledWarning,
} from "../../src/references/page-references.ts";

it("targetPages counts the pages of printed targets from 1", () => {
  const destinations = new Map(Object.entries({ a: 0, b: 7, other: 3 }));

  expect(Object.fromEntries(targetPages(destinations, ["b", "a", "missing"]))).toEqual({ a: 1, b: 8 });
});

const shown = new Map(Object.entries({ a: 1, b: 2 }));

it("movedTargets is empty if each target is on the page that its reference shows", () => {
  expect(movedTargets(shown, new Map([...shown].toReversed()))).toEqual([]);
});

it("movedTargets lists the targets whose page has changed", () => {
  const printed = new Map(Object.entries({ b: 3, c: 1 }));

  expect(movedTargets(shown, printed)).toEqual(["a", "b", "c"]);
});

it("the warnings name the missing target as it is written in the document", () => {
  expect(missingTargetWarnings(["%E6%A6%82", "50%"])).toEqual([
    'The page reference to "#概" is empty: no printed element has this id.',
    'The page reference to "#50%" is empty: no printed element has this id.',
  ]);
});

it("the warnings name at most six missing targets", () => {
  const targets = Array.from({ length: 100 }, (_, index) => `t${index}`);

  expect(missingTargetWarnings(targets.slice(0, 6))).toHaveLength(6);
  const warnings = missingTargetWarnings(targets);
  expect(warnings).toHaveLength(6);
  expect(warnings[5]).toBe("95 other page references to missing elements are empty too.");
});

it("the warnings shorten a long name", () => {
  expect(missingTargetWarnings(["x".repeat(10_000)])[0]?.length).toBeLessThan(150);
});

it("the warnings give the number of references whose page did not settle", () => {
  expect(unsettledWarning(["a", "b"])).toBe(
    "The page numbers of 2 page references did not settle in 4 prints, because printing them moves the pages. " +
      'For example, the number for "#a" is wrong.',
  );
});
