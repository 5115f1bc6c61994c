import { expect, it } from "vitest";
import { testAccountOf } from "../../../src/core/accounts/account.ts";

it("the settings of an account also apply to its test documents", () => {
  const plan = { name: "pro", monthlyRenders: 5, apiAccess: true, retentionDays: 30 } as const;
  const settings = { access: "private", recordDownloads: true } as const;

  expect(testAccountOf({ id: "a", name: "A", plan, retentionDays: 30, ...settings })).toMatchObject(settings);
});
