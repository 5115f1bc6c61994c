// What the account has used of its monthly allowance; exact at every moment.
import { Hono } from "hono";
import { monthOf, monthResetsAtMs } from "../../core/accounts/month.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";

export const usage = new Hono<HttpEnv>().get("/", async (context) => {
  const { services, account } = context.var;
  const period = monthOf(services.now());
  const { used, reserved } = await services.quota.usage(account.id, period);
  const { name: plan, monthlyRenders: limit } = account.plan;
  const remaining = Math.max(0, limit - used - reserved);
  const resetsAt = new Date(monthResetsAtMs(period)).toISOString();
  return success(context, { plan, period, used, reserved, limit, remaining, resetsAt });
});
