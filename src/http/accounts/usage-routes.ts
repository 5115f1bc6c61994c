// `GET /usage` returns how much of its monthly allowance the account has used.
import { Hono } from "hono";
import { getUsage } from "../../operations/accounts/get-usage.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { noParameters, validQuery } from "../validation.ts";

export const usage = new Hono<HttpEnv>().get("/", validQuery(noParameters), async (context) => {
  const { services, account } = context.var;
  return success(context, await getUsage(services, account));
});
