// Runs random operations on one account while faults are injected. The operations and the faults are derived from one
// seed. Then stops the faults, waits until all leases have expired, and checks the invariants.
import { abortAllDurableObjects, evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { hasTables } from "../../src/objects/runtime/ledger.ts";
import { maintenanceServices } from "../../src/services/maintenance-services.ts";
import { dispatchOverdue } from "../fixtures/databases.ts";
import { newTenant } from "../fixtures/tenant.ts";
import { faultSource, newInvocation, type FaultSource } from "./fault-injection.ts";
import { faultyServices, leaseMs, limit, webhookUrl } from "./faulty-services.ts";
import { invariantProblems, quotaObject, type CheckedRun } from "./invariants.ts";
import { envelopeProblems, send, type SentRequest } from "./requests.ts";
import { inObjects } from "./worker.ts";

type SeedRun = CheckedRun & { faults: FaultSource; known: string[]; problems: string[] };

export async function runSeed(seed: number, operations: number): Promise<{ problems: string[]; completed: number }> {
  inObjects.faults = faultSource(seed + 1, 0);
  const tenant = await newTenant(env, { page: "<p>x</p>", fields: [] });
  const faults = faultSource(seed, 0.06);
  inObjects.faults = faultSource(seed + 1, 0.06);
  const run: SeedRun = {
    faults,
    tenant,
    limit,
    fileKeys: new Set(),
    documentsByKey: new Map(),
    known: [],
    problems: [],
  };
  for (let done = 0; done < operations;) {
    const together = Math.min(operations - done, 1 + Math.floor(faults.random() * 12));
    await Promise.all(Array.from({ length: together }, () => operate(run)));
    done += together;
  }
  await settle(run);
  run.problems.push(...(await invariantProblems(run)));
  return { problems: run.problems, completed: run.known.length };
}

async function operate(run: SeedRun): Promise<void> {
  const draw = run.faults.random();
  if (draw < 0.68) return create(run);
  if (draw < 0.8) return remove(run);
  if (draw < 0.85) return void (await request(run, { method: "GET", path: "/usage" }));
  if (draw < 0.95) return void (await runDurableObjectAlarm(quotaObject(run.tenant)));
  if (draw < 0.98) return evictDurableObject(quotaObject(run.tenant)).catch(() => {}); // Rejects if the object was not running.
  return abortAllDurableObjects();
}

async function create(run: SeedRun): Promise<void> {
  const { faults } = run;
  const number = faults.random() < 0.4 ? Math.floor(faults.random() * 20) : null;
  const key = number === null ? null : `key-${number}`;
  const access = (number ?? run.known.length) % 2 === 0 ? "public" : "private";
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  const requestedUrl = faults.random() < 0.6 ? webhookUrl : undefined;
  const body = JSON.stringify({ templateId: run.tenant.templateId, data: {}, access, webhookUrl: requestedUrl });
  const response = await request(run, { method: "POST", path: "/documents", headers, body });
  if (response?.status !== 201) return;
  const { data } = await response.json<{ data: { id: string } }>();
  run.known.push(data.id);
  if (!key) return;
  const ids = run.documentsByKey.get(key) ?? new Set<string>();
  run.documentsByKey.set(key, ids.add(data.id));
}

async function remove(run: SeedRun): Promise<void> {
  if (run.known.length === 0) return;
  await request(run, { method: "DELETE", path: `/documents/${run.faults.pick(run.known)}` });
}

/** Sends a request. Returns null if the request is killed. Records a problem if the response lacks the envelope. */
async function request(run: SeedRun, sent: SentRequest): Promise<Response | null> {
  const invocation = newInvocation();
  const responding = send(faultyServices(run, invocation), run.tenant, sent);
  const response = await Promise.race([responding, invocation.over.then(() => null)]);
  if (response) run.problems.push(...(await envelopeProblems(response)));
  return response;
}

/** Stops the faults, waits until all leases have expired, runs the alarms and dispatches overdue webhooks. */
async function settle(run: SeedRun): Promise<void> {
  run.faults.rate = 0;
  inObjects.faults.rate = 0;
  await new Promise((resolve) => setTimeout(resolve, leaseMs + 300));
  for (let round = 0; round < 5; round++) await runDurableObjectAlarm(quotaObject(run.tenant));
  await dispatchAll(run);
}

/**
 * Dispatches overdue events until D1 has their outcomes, like the cron trigger. The clock is one minute ahead, so that every event
 * whose queue message was lost is overdue. Calls to D1 may fail here too, because their deadline is short.
 */
async function dispatchAll(run: SeedRun): Promise<void> {
  const now = () => Date.now() + 60_000;
  const { events } = await maintenanceServices(env).shardOf(run.tenant.accountId);
  for (let round = 0; round < 50; round++) {
    const overdue = await events.overdue(now(), 1_000);
    if (!overdue.has(run.tenant.accountId)) return;
    await endPauses(run);
    await dispatchOverdue(env, { now });
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * Ends the pauses after failed reports, which take up to five minutes. Otherwise, only the sender's alarm would repeat the reports.
 */
async function endPauses({ tenant, problems }: SeedRun): Promise<void> {
  const sender = env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(tenant.accountId));
  await runInDurableObject(sender, async (_, { storage }) => {
    if (!hasTables(storage)) return;
    const paused = "deliveries WHERE is_reported = 0 AND report_due > 0";
    const { due } = storage.sql.exec<{ due: number | null }>(`SELECT min(report_due) AS due FROM ${paused}`).one();
    const alarm = (await storage.getAlarm()) ?? Infinity;
    if (due !== null && alarm > Math.max(due, Date.now()) + 5_000) problems.push("I6: no alarm repeats a report");
    storage.sql.exec("UPDATE deliveries SET report_due = 0");
  });
}
