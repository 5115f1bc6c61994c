// Reads how much of its quota an account has used in the current month. The numbers are exact when they are read.
import type { Account } from "../../core/accounts/account.ts";
import { monthResetsAtMs, quotaPeriodOf } from "../../core/accounts/month.ts";
import type { Services } from "../../ports/services.ts";

/**
 * Returns the usage of the current month as the API returns it. The numbers count renders. `used` does not include `reserved`.
 */
export async function getUsage(services: Services, account: Account) {
  const period = quotaPeriodOf(account.id, services.now());
  const { used, reserved } = await services.quota.usage(account.id, period);
  const { name: plan, monthlyRenders: limit } = account.plan;
  const remaining = Math.max(0, limit - used - reserved);
  const resetsAt = new Date(monthResetsAtMs(period)).toISOString();
  return { plan, period, used, reserved, limit, remaining, resetsAt };
}
