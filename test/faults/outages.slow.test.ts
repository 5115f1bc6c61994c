// Outages of whole parts of the platform under traffic. Between rounds of traffic, the clock jumps by 30 or 60 s during the
// outage and by 5 s after it. Leases, alarms, retries and the scheduled run follow this clock, so their times are the real ones.
// Only time limits need real time. During the outage, the limit of a call is scaled down from 5 or 10 s to 30 ms, and the limit of a
// create from 25 s to 300 ms. test/http/respond-in-time.test.ts checks with a simulated clock that no request takes longer than 26 s.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Services } from "../../src/ports/services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { filesOf } from "../../src/services/shared-services.ts";
import { capturedLines } from "../fixtures/captured-lines.ts";
import { dispatchOverdue, shardOf } from "../fixtures/databases.ts";
import { newTenant, type Tenant } from "../fixtures/tenant.ts";
import { faultSource } from "./fault-injection.ts";
import { invariantProblems, type CheckedRun } from "./invariants.ts";
import {
  beginOutage,
  budgetMs,
  callTimeoutMs,
  endOutages,
  receiverOrigin,
  withOutages,
  type Outage,
} from "./outages.ts";
import { envelopeProblems, send, storeInTime, type SentRequest } from "./requests.ts";
import { inObjects } from "./worker.ts";

const second = 1_000;
const minute = 60 * second;
const recoveryRoundMs = 5 * second;
/** Longer than the lease, after which the last hold of the outage is settled. */
const leasesMs = 120 * second;
const noLimit = 1_000_000;

/** Statuses that a caller can act on. */
const decided = new Set([200, 201, 404, 409, 429, 500, 502, 503, 504]);

/** One account with its traffic. `delivered` are the ids of the events that the receiver got. */
type Customer = CheckedRun & {
  created: string[];
  keys: number;
  statuses: number[];
  retryAfter: number[];
  problems: string[];
};

const delivered = new Set<string>();

beforeEach(() => {
  inObjects.faults = faultSource(1, 0);
  delivered.clear();
  capturedLines(); // The objects log every failure of the outage.
  const realFetch = globalThis.fetch;
  vi.stubGlobal("fetch", async (url: string | URL | Request, init?: RequestInit) => {
    if (!String(url).startsWith(receiverOrigin)) return realFetch(url, init);
    delivered.add(new Headers(init?.headers).get("webhook-id") ?? "");
    return new Response("ok");
  });
});

afterEach(() => {
  endOutages();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it.each<[Outage, { minutes: number; roundMs: number; symptom: number }]>([
  ["R2", { minutes: 60, roundMs: 60 * second, symptom: 502 }],
  ["D1", { minutes: 10, roundMs: 30 * second, symptom: 503 }],
  ["queue", { minutes: 10, roundMs: 30 * second, symptom: 201 }],
])(
  "while %s is down, every response is decided; afterwards everything recovers within a minute, only delivered documents are charged, and no webhook is lost",
  async (outage, { minutes, roundMs, symptom }) => {
    const customers = await Promise.all(["starter", "pro", "enterprise"].map((plan) => newCustomer(plan as "pro")));
    const clock = jumpingClock();
    await round(customers);
    expect(customers.flatMap(({ statuses }) => statuses).toSorted()).toEqual([
      200, 200, 200, 201, 201, 201, 201, 201, 201,
    ]);

    beginOutage(outage);
    for (let spent = 0; spent < minutes * minute; spent += roundMs) {
      await round(customers);
      await clock.advance(roundMs, customers);
    }
    endOutages();
    const statusesDuring = customers.flatMap(({ statuses }) => statuses.splice(0));
    for (let spent = 0; spent < minute; spent += recoveryRoundMs) await clock.advance(recoveryRoundMs, customers);
    await round(customers);
    const statusesAfter = customers.flatMap(({ statuses }) => statuses.splice(0));
    for (let spent = 0; spent < leasesMs; spent += recoveryRoundMs) await clock.advance(recoveryRoundMs, customers);

    expect(statusesDuring).toContain(symptom);
    expect(statusesDuring.filter((status) => !decided.has(status))).toEqual([]);
    expect(statusesAfter.toSorted()).toEqual([200, 200, 200, 201, 201, 201, 201, 201, 201]);
    for (const customer of customers) customer.problems.push(...(await invariantProblems(customer)));
    expect(customers.flatMap(({ problems }) => problems)).toEqual([]);
    // The queue and the attempts run in real time.
    await expect.poll(() => undelivered(customers), { timeout: 20_000 }).toEqual([]);
  },
  240_000,
);

it("while a shard is down, its accounts get 503 with Retry-After and others notice nothing; then nothing is lost", async () => {
  const [inFirst, inSecond, inThird] = await Promise.all([0, 1, 2].map((shard) => newCustomer("enterprise", shard)));
  if (!inFirst || !inSecond || !inThird) throw new Error("there are three customers");
  const customers = [inFirst, inSecond, inThird];
  const clock = jumpingClock();
  await round(customers);

  beginOutage("shard");
  for (let spent = 0; spent < 2 * minute; spent += 30 * second) {
    await round(customers);
    await clock.advance(30 * second, customers);
  }
  endOutages();
  const during = customers.map(({ statuses }) => tally(statuses.splice(0)));
  for (let spent = 0; spent < minute; spent += recoveryRoundMs) await clock.advance(recoveryRoundMs, customers);
  await round(customers);
  for (let spent = 0; spent < leasesMs; spent += recoveryRoundMs) await clock.advance(recoveryRoundMs, customers);

  const undisturbed = { 200: 5, 201: 10 };
  expect(during).toEqual([undisturbed, { 200: 1, 201: 2, 503: 12 }, undisturbed]);
  expect(tally(inSecond.statuses)).toEqual({ 200: 1, 201: 2 });
  expect(inSecond.retryAfter.every((seconds) => seconds > 0)).toBe(true);
  for (const customer of customers) customer.problems.push(...(await invariantProblems(customer)));
  expect(customers.flatMap(({ problems }) => problems)).toEqual([]);
  await expect.poll(() => undelivered(customers), { timeout: 20_000 }).toEqual([]);
}, 240_000);

function tally(statuses: number[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(statuses, String)].map(([status, all]) => [status, all.length]));
}

async function newCustomer(plan: "starter" | "pro" | "enterprise", shard?: number): Promise<Customer> {
  const tenant = await newTenant(env, { plan, page: "<p>x</p>", fields: [], ...(shard !== undefined && { shard }) });
  const run = { tenant, fileKeys: new Set<string>(), documentsByKey: new Map<string, Set<string>>(), problems: [] };
  return { ...run, limit: noLimit, created: [], keys: 0, statuses: [], retryAfter: [] };
}

/** Returns a clock that tests can move forward. Moving it runs every alarm and scheduled run that is due. */
function jumpingClock() {
  let aheadMs = 0;
  let sinceCronMs = 0;
  const realNow = Date.now.bind(Date);
  vi.spyOn(Date, "now").mockImplementation(() => realNow() + aheadMs);
  return {
    async advance(ms: number, customers: Customer[]): Promise<void> {
      aheadMs += ms;
      sinceCronMs += ms;
      for (const { tenant } of customers) {
        await runDueAlarm(env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(tenant.accountId)));
        await runDueAlarm(env.WEBHOOK_SENDER.get(env.WEBHOOK_SENDER.idFromName(tenant.accountId)));
      }
      if (sinceCronMs < minute) return;
      sinceCronMs = 0;
      // During an outage of D1, the scheduled run fails, and the next one tries again.
      await dispatchOverdue(withOutages(env), { log: () => {} }).catch(() => {});
    },
  };
}

async function runDueAlarm(object: DurableObjectStub<undefined>): Promise<void> {
  const alarm = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  if (alarm !== null && alarm <= Date.now()) await runDurableObjectAlarm(object);
}

/** Every customer creates two documents, one with a webhook and one with an idempotency key, and lists the documents. */
async function round(customers: Customer[]): Promise<void> {
  await Promise.all(
    customers.map(async (customer) => {
      const key = `key-${++customer.keys}`;
      const body = { templateId: customer.tenant.templateId, data: {} };
      await Promise.all([
        create(customer, { ...body, webhookUrl: `${receiverOrigin}/webhook` }),
        create(customer, body, key),
        request(customer, { method: "GET", path: "/documents" }),
      ]);
    }),
  );
}

async function create(customer: Customer, body: object, key?: string): Promise<void> {
  const headers: Record<string, string> = key ? { "Idempotency-Key": key } : {};
  const sent = { method: "POST", path: "/documents", headers, body: JSON.stringify(body) };
  const response = await request(customer, sent);
  if (response.status !== 201) return;
  const { data } = await response.json<{ data: { id: string } }>();
  customer.created.push(data.id);
  if (key) customer.documentsByKey.set(key, new Set([data.id]));
}

/** Sends a request, waits for its background work, and records its status and a response without the envelope. */
async function request(customer: Customer, sent: SentRequest): Promise<Response> {
  const background: Promise<unknown>[] = [];
  const services = servicesFor(customer, background);
  const response = await send(services, customer.tenant, sent, (work) => void background.push(work));
  customer.problems.push(...(await envelopeProblems(response)));
  customer.statuses.push(response.status);
  if (response.status === 503) customer.retryAfter.push(Number(response.headers.get("Retry-After")));
  await Promise.allSettled(background);
  return response;
}

function servicesFor(customer: Customer, background: Promise<unknown>[]): Services {
  const bindings = { ...withOutages(env), CALL_TIMEOUT_MS: String(callTimeoutMs()) };
  const services = requestServices(bindings, () => {});
  return {
    ...services,
    settings: {
      ...services.settings,
      renderBudgetMs: budgetMs() ?? services.settings.renderBudgetMs,
      webhookUrls: { allowedOrigins: new Set([receiverOrigin]), ownHosts: new Set<string>() },
    },
    log: () => {},
    renderer: {
      render(job) {
        customer.fileKeys.add(job.fileKey);
        return storeInTime(filesOf(bindings), job, callTimeoutMs());
      },
    },
    background: (_what, work) => void background.push(work.catch(() => {})),
  };
}

/** Returns the events that are not marked as delivered, or that the receiver never got. */
async function undelivered(customers: { tenant: Tenant }[]): Promise<string[]> {
  const lists = customers.map(async ({ tenant }) =>
    (await shardOf(env, tenant.accountId))
      .prepare("SELECT id, status FROM webhook_events WHERE account_id = ?")
      .bind(tenant.accountId)
      .all<{ id: string; status: string }>(),
  );
  const rows = (await Promise.all(lists)).flatMap(({ results }) => results);
  expect(rows.length).toBeGreaterThan(customers.length);
  return rows
    .filter(({ id, status }) => status !== "delivered" || !delivered.has(id))
    .map(({ id, status }) => `${id} ${status}`);
}
