import { describe, expect, it } from "vitest";
import { isDeeperThan, maxDataDepth } from "../src/template-data.ts";

describe("isDeeperThan", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
    return value;
  };

  it("returns false for as many levels as the limit allows", () => {
    const deeper = isDeeperThan(nested(maxDataDepth), maxDataDepth);

    expect(deeper).toBe(false);
  });

  it("returns true for one level more than the limit allows", () => {
    const deeper = isDeeperThan(nested(maxDataDepth + 1), maxDataDepth);

    expect(deeper).toBe(true);
  });

  it("returns true for a depth at which recursion would overflow the stack", () => {
    const deeper = isDeeperThan(nested(200_000), maxDataDepth);

    expect(deeper).toBe(true);
  });

  it("checks every sibling", () => {
    const deeper = isDeeperThan([1, "x", null, { a: [] }], 2);

    expect(deeper).toBe(true);
  });
});
