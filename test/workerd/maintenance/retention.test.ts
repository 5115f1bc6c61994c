// Retention: when documents expire, and how they and old webhook events are removed.
import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { newFileKey } from "../../../src/core/documents/document.ts";
import { updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { documentStore } from "../../../src/platform/documents/document-store.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { completedDocument, eventOf } from "../../fixtures/documents.ts";
import { get, newTenant } from "../../fixtures/tenant.ts";
import { databases, create, dataOf, tenantWithNewKey, testService, newWorld } from "../app.ts";
import { laterServices, repairEverything, runPass } from "./passes.ts";

const documents = documentStore(databases);
const { accounts } = operatorServices(env);
const dayMs = 24 * 3_600_000;

beforeAll(repairEverything);

it.for([
  { retention: 7, days: 7 },
  { retention: "keep", days: null },
  { retention: "plan", days: 30 },
] as const)("a new document expires after the account's own retention: $retention", async ({ retention, days }) => {
  await accounts.updatePlan("starter", { retentionDays: 30 });
  const tenant = await newTenant(env, { plan: "starter" });
  await updateAccount(operatorServices(env), tenant.accountId, { retentionDays: retention });

  const record = await dataOf(await create(testService(), await tenantWithNewKey(tenant)));

  const expected = days === null ? null : new Date(Date.parse(record.createdAt) + days * dayMs).toISOString();
  expect(record.expiresAt).toBe(expected);
  await accounts.updatePlan("starter", { retentionDays: "keep" });
});

it("a document keeps its expiry when the retention changes later", async () => {
  const { tenant, service } = await newWorld();
  const { id } = await dataOf(await create(service, tenant));

  await updateAccount(operatorServices(env), tenant.accountId, { retentionDays: 1 });

  expect((await dataOf(await get(service, tenant, `/documents/${id}`))).expiresAt).toBeNull();
});

it("the daily pass saves its position in the database", async () => {
  const position = { phase: "files", after: "k" } as const;
  await laterServices().passes.save("scheduled", { position, finishedAt: 5 });

  expect(await laterServices().passes.read("scheduled")).toEqual({ position, finishedAt: 5 });
});

it.for([
  { status: "delivered", days: 8, isKept: false },
  { status: "delivered", days: 6, isKept: true },
  { status: "dead", days: 31, isKept: false },
  { status: "dead", days: 29, isKept: true },
  { status: "pending", days: 31, isKept: true },
])("a webhook event that is $status after $days days is kept: $isKept", async ({ status, days, isKept }) => {
  const document = completedDocument({ fileKey: newFileKey("pdf") });
  const event = eventOf(document, { createdAt: Date.now() - days * dayMs });
  await documents.insert(document, event);
  await env.DB.prepare("UPDATE webhook_events SET status = ?, dispatch_at = NULL WHERE id = ?")
    .bind(status, event.id)
    .run();

  const { repairs } = await runPass(laterServices({ now: () => Date.now() }), {
    from: { phase: "events", after: "" },
  });

  const found = await env.DB.prepare("SELECT id FROM webhook_events WHERE id = ?").bind(event.id).first();
  expect(found !== null).toBe(isKept);
  expect(repairs.some((repair) => repair.kind === "old_event" && repair.eventId === event.id)).toBe(!isKept);
});
