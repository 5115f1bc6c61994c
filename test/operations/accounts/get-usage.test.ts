import { expect, it } from "vitest";
import { getUsage } from "../../../src/operations/accounts/get-usage.ts";
import { fakeAccount, fakeServices } from "../../fakes/services.ts";

async function usageOf(counted: { used: number; reserved: number }) {
  const asked: unknown[] = [];
  const usage = async (...args: unknown[]) => {
    asked.push(args);
    return counted;
  };
  const services = fakeServices({ quota: { usage }, now: Date.parse("2026-12-31T23:59:59.999Z") });
  const { account } = await fakeAccount(services, { monthlyRenders: 50 });
  return { account, asked, record: await getUsage(services, account) };
}

it("reports the current month of the account", async () => {
  const { account, asked, record } = await usageOf({ used: 12, reserved: 3 });

  expect(asked).toEqual([[account.id, "2026-12"]]);
  expect(record).toEqual({
    plan: account.plan.name,
    period: "2026-12",
    used: 12,
    reserved: 3,
    limit: 50,
    remaining: 35,
    resetsAt: "2027-01-01T00:00:00.000Z",
  });
});

it("never reports fewer than 0 remaining renders", async () => {
  const { record } = await usageOf({ used: 49, reserved: 3 });

  expect(record.remaining).toBe(0);
});
