// The scheduled run removes many expired documents and old events on real D1, R2 and objects, within the limits of one
// invocation.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { runMaintenance } from "../../../src/operations/maintenance/run-maintenance.ts";
import type { MaintenanceServices } from "../../../src/ports/services.ts";
import { maintenanceServices } from "../../../src/services/maintenance-services.ts";
import { inAllShards } from "../../fixtures/databases.ts";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  limitedBindings,
  newInvocation,
  platformLimits,
  type Invocation,
} from "../../simulated/invocations/invocation.ts";
import { dataOf, quotaOf, silenceObjects, testService, usageOf } from "../app.ts";
import { repairEverything } from "./passes.ts";

const service = testService();
const dayMs = 86_400_000;

beforeAll(repairEverything);
beforeEach(silenceObjects);

type RunOptions = { invocation?: Invocation; bindings?: Env; change?: Partial<MaintenanceServices> };

/** Performs a scheduled run one minute from now, without the daily pass. Rejects if the run is killed. */
function run({ invocation = newInvocation(), bindings = env, change = {} }: RunOptions = {}): Promise<void> {
  const services = maintenanceServices(limitedBindings(bindings, invocation.call));
  const finishedAt = Date.now() + dayMs;
  const passes: MaintenanceServices["passes"] = {
    ...services.passes,
    read: (name) =>
      name === "scheduled" ? Promise.resolve({ position: null, finishedAt }) : services.passes.read(name),
  };
  const now = () => Date.now() + 61_000;
  const running = runMaintenance({ ...services, passes, now, log: () => {}, ...change });
  return Promise.race([running, invocation.ended]);
}

/** A document whose create died before committing the hold, and whose alarm was lost. */
async function uncommitted(): Promise<{ tenant: Tenant; id: string; fileKey: string }> {
  const tenant = await newTenant(env);
  const body = { templateId: tenant.templateId, data: {}, expiresIn: 60 };
  const { id, fileUrl } = await dataOf(await post(service, tenant, body));
  await runInDurableObject(quotaOf(tenant), async (_, { storage }) => {
    storage.sql.exec("UPDATE holds SET state = 'held'");
    storage.sql.exec("UPDATE months SET committed = 0");
    await storage.deleteAlarm();
  });
  return { tenant, id, fileKey: fileUrl?.split("/").at(-1) ?? "" };
}

/** Inserts expired documents without a file, each for the next of these accounts. */
async function insertExpired(count: number, accounts: string[], { keptMs = 2 * dayMs, expiresAt = 2 * dayMs } = {}) {
  await env.DB.prepare(
    `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
     INSERT INTO documents (id, account_id, template_id, template_version, status, format, width, device_scale_factor, file_key,
       month, created_at, completed_at, expires_at)
     SELECT lower(hex(randomblob(16))), ?2 ->> CAST(i % ?3 AS INTEGER), 't', 1, 'completed', 'pdf', 794, 2,
       lower(hex(randomblob(16))) || '.pdf', '2026-11', ?4 - ?5, ?4 - ?5, ?4 FROM n`,
  )
    .bind(count, JSON.stringify(accounts), accounts.length, expiresAt, keptMs)
    .run();
}

async function countOf(accountId: string): Promise<number> {
  const select = env.DB.prepare("SELECT count(*) AS n FROM documents WHERE account_id = ?").bind(accountId);
  return (await select.first<{ n: number }>())?.n ?? 0;
}

it.for([true, false])("an expiry that is killed at a call is completed later (effect: %s)", async (hasEffect) => {
  const problems: unknown[] = [];
  let call = 1;
  for (let wasKilled = true; wasKilled; call++) {
    const { tenant, id, fileKey } = await uncommitted();

    const invocation = newInvocation({ killAt: { call, hasEffect } });
    await run({ invocation }).catch(() => {});
    wasKilled = invocation.isOver;
    await run();

    await runInDurableObject(quotaOf(tenant), async (quota, { storage }) => {
      storage.sql.exec("UPDATE holds SET lease_end = 0");
      await quota.alarm?.();
    });
    const [row] = await inAllShards(env, "SELECT id FROM documents WHERE id = ?", id);
    const file = await env.FILES.head(fileKey);
    const { used, reserved } = await usageOf(tenant);
    if (row || file || used !== 1 || reserved !== 0) problems.push({ call, row, file, used, reserved });
  }

  expect(problems).toEqual([]);
  expect(call).toBeGreaterThan(5);
});

it("each account gets its share of the removals even if another account has many documents that expired earlier", async () => {
  const [large, small] = [crypto.randomUUID(), crypto.randomUUID()];
  await insertExpired(5_000, [large]);
  await insertExpired(1, [small], { expiresAt: 3 * dayMs });
  const { files } = maintenanceServices(env);
  let nowMs = Date.now();
  const remove = (keys: string[]) => ((nowMs += 20_000), files.remove(keys));

  await run({ change: { files: { ...files, remove }, now: () => nowMs } });

  expect([await countOf(large), await countOf(small)]).toEqual([3_000, 0]);
});

it("delivered events are removed even if many older dead events are kept", async () => {
  const days = (count: number) => Date.now() - count * dayMs;
  const insert = `WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?1 - 1)
    INSERT INTO webhook_events (id, account_id, document_id, url, payload, created_at, status)
    SELECT lower(hex(randomblob(16))), 'a', 'd', 'https://x.dev/', '{}', ?2, ?3 FROM n`;
  await env.DB.batch([
    env.DB.prepare(insert).bind(20_000, days(20), "dead"),
    env.DB.prepare(insert).bind(3, days(8), "delivered"),
    env.DB.prepare(insert).bind(2, days(6), "delivered"),
  ]);

  await run();
  await run();

  const select = "SELECT status, count(*) AS n FROM webhook_events WHERE account_id = 'a' GROUP BY 1";
  const { results } = await env.DB.prepare(select).all();
  expect(results).toEqual([
    { status: "dead", n: 20_000 },
    { status: "delivered", n: 2 },
  ]);
});

it("a run removes one document from each of 6,000 accounts within the limits of an invocation", async () => {
  const accounts = Array.from({ length: 6_000 }, () => crypto.randomUUID());
  await insertExpired(accounts.length, accounts, { keptMs: 60_000 });
  const invocation = newInvocation();

  await run({ invocation });

  const left = await env.DB.prepare("SELECT count(*) AS n FROM documents WHERE template_id = 't'").first<{
    n: number;
  }>();
  expect(left?.n).toBe(0);
  expect(invocation.counts.subrequests).toBeLessThan(platformLimits.subrequests / 2);
  expect(invocation.counts.queries).toBeLessThan(platformLimits.queries / 2);
});
