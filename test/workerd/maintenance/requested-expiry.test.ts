// Documents that are removed earlier than the account's retention, because their create asked for it.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { get, newTenant, post, type Service, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, tenantWithNewKey, testService, usageOf } from "../app.ts";
import { laterServices, repairEverything } from "./passes.ts";

const service = testService();
const dayMs = 86_400_000;

beforeAll(repairEverything);

function createFor(
  tenant: Tenant,
  expiresIn: unknown,
  { on = service, headers = {} }: { on?: Service; headers?: Record<string, string> } = {},
) {
  return post(on, tenant, { templateId: tenant.templateId, data: {}, expiresIn }, headers);
}

/** Performs the scheduled run as if this many seconds had passed. */
function runIn(seconds: number, change: Partial<MaintenanceServices> = {}): Promise<void> {
  const passes = { ...laterServices().passes, read: async () => ({ position: null, finishedAt: Date.now() + dayMs }) };
  return runMaintenance(laterServices({ now: () => Date.now() + seconds * 1000, passes, ...change }));
}

it("a create with `expiresIn` cannot keep a document longer than the account's retention", async () => {
  const tenant = await newTenant(env);
  await updateAccount(operatorServices(env), tenant.accountId, { retentionDays: 2 });
  const withRetention = await tenantWithNewKey(tenant);

  const longest = await dataOf(await createFor(withRetention, 172_800));
  const refusal = await refusalOf(await createFor(withRetention, 172_801));

  expect(Date.parse(longest.expiresAt ?? "") - Date.parse(longest.createdAt)).toBe(2 * dayMs);
  const message = "`expiresIn` must be at most 172800: the documents of this account are kept for 2 days.";
  expect(refusal.details).toEqual([{ path: "expiresIn", message }]);
});

it("the scheduled run removes the document and its file only after the requested time has passed", async () => {
  const tenant = await newTenant(env);
  const { id, fileUrl } = await dataOf(await createFor(tenant, 60));

  await runIn(50);
  expect((await get(service, tenant, `/documents/${id}`)).status).toBe(200);
  await runIn(61);

  expect((await get(service, tenant, `/documents/${id}`)).status).toBe(404);
  expect(await env.FILES.head(fileUrl?.split("/").at(-1) ?? "")).toBeNull();
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
});
