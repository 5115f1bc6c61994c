import { describe, expect, it } from "vitest";
import { numberLoss } from "../../src/core/json-number.ts";

describe("a JSON number", () => {
  it.each([
    "0",
    "-0",
    "0.0",
    "0e5",
    "-0.000e-999",
    "0e999",
    "1",
    "-12.5",
    "1E2",
    "1e+2",
    "0.1",
    "2.50",
    "800.0",
    "100000000000000000000",
    "1e21",
    "1e23",
    "1e308",
    "1.7976931348623157e308",
    "5e-324",
    "2.2250738585072014e-308",
    "9007199254740992",
    "-9007199254740992",
    "18446744073709552000",
    "3.141592653589793",
    "0.30000000000000004",
    "123456789.123456",
    `1${"0".repeat(300)}`,
    `0.${"0".repeat(300)}1`,
    `1.${"0".repeat(5_000)}`,
  ])("keeps its digits: %s", (text) => {
    expect(numberLoss(text)).toBeNull();
  });

  it.each([
    ["0.1 with 17 digits", "0.10000000000000001"],
    ["10.1 with 17 digits", "10.1"],
    ["0.1 with all digits of its double", "0.1000000000000000055511151231257827021181583404541015625"],
    ["2.2 with 18 digits", "2.20000000000000018"],
  ])("keeps its digits if it is a double written in full: %s", (_name, text) => {
    expect(numberLoss(text)).toBeNull();
  });

  it.each([
    "3.14159265358979323846",
    "33.3333333333333333",
    "1.000000000000000005",
    "0.99999999999999999999",
    "99999999999999.99",
    "9007199254740991.4",
    "4e-324",
    `0.${"3".repeat(500)}`,
  ])("is rounded: %s", (text) => {
    expect(numberLoss(text)).toBe("rounded");
  });

  it.each([
    "9007199254740993",
    "-9007199254740993",
    "9007199254740993.0",
    "12345678901234567.89",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551616",
    "100000000000000000001",
    "9007199254740991.9999",
    "1.23456789012345678901e30",
    `1${"0".repeat(200)}1`,
  ])("changes its value: %s", (text) => {
    expect(numberLoss(text)).toBe("changed");
  });

  it.each(["1e309", "-1e309", "1e400", "1.8e308", "1e99999999999999999999", "9".repeat(310)])(
    "is too large: %s",
    (text) => {
      expect(numberLoss(text)).toBe("too_large");
    },
  );

  it.each(["1e-400", "-1e-400", "2e-324", "123e-10000000", `0.${"0".repeat(400)}1`])("is too small: %s", (text) => {
    expect(numberLoss(text)).toBe("too_small");
  });

  it("keeps its digits if it is a random double, in the shortest form or with 17 digits", () => {
    const bits = new DataView(new ArrayBuffer(8));
    const lost: string[] = [];
    for (let i = 0; i < 5_000; i++) {
      crypto.getRandomValues(new Uint8Array(bits.buffer));
      const value = bits.getFloat64(0);
      if (!Number.isFinite(value)) continue;
      const shortest = String(value);
      if (numberLoss(shortest) !== null) lost.push(shortest);
      const full = value.toPrecision(17);
      if (Math.abs(value) < 2 ** 53 && numberLoss(full) !== null) lost.push(full);
    }

    expect(lost).toEqual([]);
  });

  it("with a million digits is checked in less than a second", () => {
    const numbers = [`1${"0".repeat(1_000_000)}1`, `0.${"0".repeat(1_000_000)}1`, `1e${"9".repeat(1_000_000)}`];
    const startMs = performance.now();

    const losses = numbers.map(numberLoss);

    expect(losses).toEqual(["too_large", "too_small", "too_large"]);
    expect(performance.now() - startMs).toBeLessThan(1_000);
  });
});
