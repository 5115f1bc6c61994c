// The jurisdiction of a deployment. The local runtime has none, so in these bindings a jurisdiction has objects with different names, and
// there are no objects outside it.
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { monthOf } from "../../../src/core/accounts/month.ts";
import { createAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { importRows } from "../../../src/operations/manage/import-account.ts";
import { dispatchServices, maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { newTenant } from "../../fixtures/tenant.ts";
import { create, refusalOf, silenceObjects, testService } from "../app.ts";

beforeEach(silenceObjects);

const classes = ["ACCOUNT_QUOTA", "BATCH_RUNNER", "BROWSER_POOL", "WEBHOOK_SENDER"] as const;
const europe = { ...env, JURISDICTION: "eu", ...Object.fromEntries(classes.map((name) => [name, inside(env[name])])) };

type Objects = { idFromName(name: string): DurableObjectId; get(id: DurableObjectId): object };

function inside(namespace: Objects) {
  const idFromName = (jurisdiction: string) => (name: string) => namespace.idFromName(`${jurisdiction}:${name}`);
  // The platform does not say what a location hint means in a jurisdiction.
  const get = (id: DurableObjectId, ...hints: unknown[]) =>
    hints.length > 0 ? Promise.reject(new Error("a hint")) : namespace.get(id);
  return { jurisdiction: (jurisdiction: string) => ({ idFromName: idFromName(jurisdiction), get }) };
}

it("all objects of an account are created in its jurisdiction", async () => {
  const tenant = await newTenant(europe);
  const { batches, health } = requestServices(europe, () => {});

  expect((await create(testService(undefined, europe), tenant)).status).toBe(201);

  const quota = env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(`eu:${tenant.accountId}`));
  expect(await quota.usage(monthOf(Date.now()))).toMatchObject({ used: 1 });
  expect(await batches.find(tenant.accountId, crypto.randomUUID())).toBeNull();
  expect(await dispatchServices(europe).senders.accept(tenant.accountId, [])).toBeUndefined();
  expect(await maintenanceServices(europe).objects.repair(tenant.accountId, "BatchRunner")).toEqual([]);
  expect(await health.parts.pool()).toEqual(expect.any(String));
});

it.each([
  ["before the deployment had a jurisdiction", env, europe],
  ["in a jurisdiction that the deployment no longer has", europe, env],
])("a create for an account that was created %s gets 500, and the log states the reason", async (_, before, now) => {
  const tenant = await newTenant(before);
  const service = testService(undefined, now);

  const response = await create(service, tenant);

  expect(await refusalOf(response)).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  expect(service.jobs).toEqual([]);
  const [failed] = service.logged.filter(({ event }) => event === "request.failed");
  expect(failed?.["cause"]).toMatchObject({ code: expect.stringMatching(/^JURISDICTION is ".*", but an account/) });
});

it("an imported account belongs to the jurisdiction of the deployment that imports it", async () => {
  const [from, to] = [operatorServices(env), operatorServices(europe)];
  const { id } = await createAccount(from, { name: "Test", plan: "pro" });
  const { rows } = await from.transfer.read(id, null);
  for (const table of ["webhook_secrets WHERE account_id", "accounts WHERE id"])
    await env.DB.prepare(`DELETE FROM ${table} = ?`).bind(id).run();

  await importRows(to, maintenanceServices(europe), id, rows);

  const row = await env.DB.prepare("SELECT jurisdiction FROM accounts WHERE id = ?").bind(id).first();
  expect(row).toEqual({ jurisdiction: "eu" });
});

it("a jurisdiction that the platform does not have is refused, and the error names the variable", () => {
  expect(() => operatorServices({ ...env, JURISDICTION: "europe" })).toThrow("JURISDICTION must be empty or one of eu");
});
