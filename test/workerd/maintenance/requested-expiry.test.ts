// Documents that are removed earlier than the account's retention, because their create asked for it.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { baseUrl, get, newTenant, post, type Service, type Tenant } from "../../fixtures/tenant.ts";
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

it("the scheduled run removes an expired private document from its bucket, and its link ends", async () => {
  const { records, statusOf } = await expiringPrivate(await newTenant(env));
  const keys = async () => (await env.PRIVATE_FILES.list({ prefix: "private/" })).objects.length;

  const before = [await statusOf(records[0]), await statusOf(records[1]), await keys()];
  await runIn(61);

  expect([before, await keys()]).toEqual([[200, 200, 2], 1]);
  expect([await statusOf(records[0]), await statusOf(records[1])]).toEqual([404, 200]);
});

/** Creates a private document that expires, and one that does not. */
async function expiringPrivate({ templateId, key }: Tenant) {
  const create = (expiresIn?: number) => {
    const body = JSON.stringify({ templateId, data: {}, access: "private", expiresIn });
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    return service.fetch(`${baseUrl}/documents`, { method: "POST", headers, body });
  };
  const records = [await dataOf(await create(60)), await dataOf(await create())];
  const statusOf = async (record: (typeof records)[number] | undefined) =>
    (await service.fetch(record?.pdfUrl ?? "")).status;
  return { records, statusOf };
}

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
