import { expect, it } from "vitest";
import { accountOn } from "../../../src/core/accounts/account.ts";
import { expiryOf, parseRetention } from "../../../src/core/accounts/plans.ts";

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
] as const)("parseRetention parses %j as %j", ([text, retention]) => {
  expect(parseRetention(text)).toBe(retention);
});

it("an account has its own retention, or else its plan's", () => {
  const plan = { name: "pro", monthlyRenders: 5, apiAccess: true, retentionDays: 30 } as const;

  const account = { id: "a", name: "A", monthlyRenders: null, access: "public", recordDownloads: false } as const;
  const kept = (["plan", 7, "keep"] as const).map(
    (retentionDays) => accountOn(plan, { ...account, retentionDays }).retentionDays,
  );

  expect(kept).toEqual([30, 7, "keep"]);
});

it("expiryOf returns the end of the retention, or null if documents do not expire", () => {
  expect(expiryOf(1_000, 2)).toBe(1_000 + 2 * 86_400_000);
  expect(expiryOf(1_000, "keep")).toBeNull();
});
