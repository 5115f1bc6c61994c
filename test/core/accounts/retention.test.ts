import { describe, expect, it } from "vitest";
import { effectiveRetention, expiryOf, parseRetention } from "../../../src/core/accounts/retention.ts";

describe("parseRetention", () => {
  it.for([
    ["keep", "keep"],
    ["1", 1],
    ["30", 30],
    ["3650", 3_650],
    ["0", null],
    ["3651", null],
    ["99999", null],
    ["-1", null],
    ["1.5", null],
    ["", null],
    ["plan", null],
  ] as const)("reads %j as %j", ([text, retention]) => {
    expect(parseRetention(text)).toBe(retention);
  });
});

describe("effectiveRetention", () => {
  it("is that of the plan unless the account has its own", () => {
    expect(effectiveRetention("plan", 30)).toBe(30);
    expect(effectiveRetention(7, 30)).toBe(7);
    expect(effectiveRetention("keep", 30)).toBe("keep");
  });
});

describe("expiryOf", () => {
  it("is a number of days after the creation, or null for documents that are kept", () => {
    expect(expiryOf(1_000, 2)).toBe(1_000 + 2 * 86_400_000);
    expect(expiryOf(1_000, "keep")).toBeNull();
  });
});
