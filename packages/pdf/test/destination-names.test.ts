import { expect, it } from "vitest";
import { writtenName } from "../src/parts/destination-names.ts";

it("names of more than 127 bytes are shortened to at most 127 bytes and stay distinct", () => {
  const [first, ...long] = ["", "a", "b"].map((end) => writtenName("x".repeat(127) + end));

  expect(first).toBe("x".repeat(127));
  expect([...new Set(long)].filter((name) => /^x{1,110}~[\da-f]{16}$/.test(name))).toHaveLength(2);
});
