import { expect, it } from "vitest";
import { isDeeperThan, maxDataDepth } from "../src/template-data.ts";

const nested = (levels: number) => {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
  return value;
};

it.each([maxDataDepth, maxDataDepth + 1, 200_000])(
  "isDeeperThan tells whether %d levels are more than the limit",
  (levels) => {
    expect(isDeeperThan(nested(levels), maxDataDepth)).toBe(levels > maxDataDepth);
  },
);

it("isDeeperThan finds a level that is too deep in any sibling", () => {
  expect(isDeeperThan([1, "x", null, { a: [] }], 2)).toBe(true);
});
