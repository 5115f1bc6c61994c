import { expect, it } from "vitest";
import { formatCounter } from "../../src/references/counter-styles.ts";

it.each([
  ["decimal", [1, 9, 10, 500], ["1", "9", "10", "500"]],
  [
    "lower-roman",
    [1, 4, 9, 14, 49, 90, 400, 1994, 3999, 4000],
    ["i", "iv", "ix", "xiv", "xlix", "xc", "cd", "mcmxciv", "mmmcmxcix", "4000"],
  ],
  ["upper-roman", [8, 500], ["VIII", "D"]],
  ["lower-alpha", [1, 26, 27, 52, 53, 500, 702, 703], ["a", "z", "aa", "az", "ba", "sf", "zz", "aaa"]],
  ["upper-alpha", [2, 28], ["B", "AB"]],
] as const)("page numbers are written as %s", (style, values, expected) => {
  expect(values.map((value) => formatCounter(value, style))).toEqual(expected);
});
