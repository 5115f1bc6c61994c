// Hostile zips sent as templates. Each is refused with a file and a reason, and nothing is stored.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { zips } from "../../../packages/template-model/test/folder/hostile/zips.ts";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { callerWith, type Caller } from "./manage.ts";

let tenant: Tenant;
let caller: Caller;
beforeAll(async () => {
  tenant = await newTenant(env);
  caller = callerWith(tenant.key);
});

it.each(zips.map(([what, zip]) => ({ what, zip })))("$what", async ({ zip }) => {
  const before = await env.TEMPLATES.list({ prefix: tenant.accountId });

  const refused = await caller.refused("PUT", "/templates/hostile", zip());

  const after = await env.TEMPLATES.list({ prefix: tenant.accountId });
  expect([400, 413]).toContain(refused.status);
  expect(refused).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringMatching(/./) });
  expect(refused.details).not.toEqual([]);
  expect(after.objects.length).toBe(before.objects.length);
  expect(await caller.refused("GET", "/templates/hostile")).toMatchObject({ status: 404 });
});
