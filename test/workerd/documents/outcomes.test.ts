// The response and the stored data of a create with a webhook, for each outcome of its render and each failing part.
// `test/faults` makes every call of every part fail at random, and kill.slow.test.ts ends creates between two calls.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import type { Services } from "../../../src/ports/services.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { get, newTenant, post, type Tenant, type TenantOptions } from "../../fixtures/tenant.ts";
import {
  quotaOf,
  refusalOf,
  renderFile,
  testService,
  usageOf,
  type TestService,
  silenceObjects,
  payloadsOf,
} from "../app.ts";
import { expireAndSettle } from "./holds.ts";

beforeEach(silenceObjects);

type Left = {
  documents: string[];
  used: number;
  reserved: number;
  files: number;
  events: string[];
  /** The number of messages sent to the queue. */
  queued: number;
};

const nothing: Left = { documents: [], used: 0, reserved: 0, files: 0, events: [], queued: 0 };
const failed: Left = { ...nothing, documents: ["failed"], events: ["document.failed"], queued: 1 };
const completed: Left = {
  ...{ documents: ["completed"], events: ["document.completed"] },
  ...{ used: 1, reserved: 0, files: 1, queued: 1 },
};

type Outcome = RenderOutcome | Error;
type Case = {
  template?: TenantOptions;
  /** The failing parts. */
  parts?: (services: Services) => Partial<Services>;
  /** Runs before the first attempt stores its file. */
  during?: (tenant: Tenant) => Promise<unknown>;
  message?: RegExp;
  attempts?: number;
};
/** The outcomes of the first attempts. Later attempts succeed. */
type Row = [what: string, outcomes: Outcome[], status: number, left: Left, rest?: Case];

const down = () => Promise.reject(new Error("it is down"));
const crashed: Outcome = { status: "crashed", reason: "Target closed" };
const timedOut: Outcome = { status: "timed_out" };
const noCapacity: Outcome = { status: "no_capacity", retryAfterSeconds: 3 };
const isFull = async () => ({ status: "full" }) as const;

const inserts = (insert: Services["documents"]["insert"]) => (services: Services) => ({
  documents: { ...services.documents, insert },
});
const removals = (services: Services) => ({ files: { ...services.files, remove: down } });
const quota = (change: Partial<Services["quota"]>) => (services: Services) => ({
  quota: { ...services.quota, ...change },
});
const faces = (...chosen: (never[] | null)[]) => ({ fonts: { facesFor: async () => chosen.shift() ?? null } });

/** The time of the create has passed when it gets its hold. */
function lateHold({ quota, now }: Services): Partial<Services> {
  let lateMs = 0;
  const reserve: Services["quota"]["reserve"] = async (request) => {
    const reserved = await quota.reserve(request);
    lateMs = 25_000;
    return reserved;
  };
  return { quota: { ...quota, reserve }, now: () => now() + lateMs };
}

const badCurrency = { page: "<p>\n{{ 1 | currency: 'x' }}" };
const problem = /^The template cannot be rendered with this data: pages\/1\.liquid, line 2: currency needs/;
const unrecorded = /^The render could not be recorded\. (?!.*it is down)/;
const impossible: Outcome = { status: "impossible", message: "501 pages." };
const away = () => new Error("away");
const failing = (part: "find" | "compiled") => (services: Services) => ({
  templates: { ...services.templates, [part]: down },
});

// packages/render/test/document/render-document.test.ts tests reading the fonts again.
const rows: Row[] = [
  ["succeeds", [], 201, completed, { attempts: 1 }],
  ["succeeds after a crash", [crashed], 201, completed, { attempts: 2 }],
  ["has a Liquid problem", [], 422, failed, { template: badCurrency, message: problem, attempts: 0 }],
  ["cannot be rendered", [impossible], 422, failed, { message: /^501 pages\.$/ }],
  ["crashes", [crashed, crashed], 502, failed, { message: /^The browser failed(?!.*Target closed)/, attempts: 2 }],
  ["gets no response of the pool", [away(), away()], 502, failed],
  ["takes too long", [timedOut], 504, failed, { message: /too long/, attempts: 1 }],
  ["takes too long after a crash", [crashed, timedOut], 504, failed],
  ["gets its hold when its time is over", [], 504, failed, { parts: lateHold, attempts: 0 }],
  // The bucket is not asked to remove the file, because no attempt can have stored one.
  ["gets no page of a browser", [noCapacity], 503, nothing, { parts: removals, attempts: 1 }],
  ["gets no page of a browser after a crash", [crashed, noCapacity], 503, nothing],
  ["lacks fonts", [], 502, failed, { parts: () => faces(null, null), message: /^The service's fonts/, attempts: 0 }],
  ["gets no content", [], 502, failed, { parts: failing("compiled"), message: /^The template could not be loaded\.$/ }],
  ["does not find its template because of a fault", [], 500, nothing, { parts: failing("find") }],
  ["gets no hold", [], 500, nothing, { parts: quota({ reserve: down }), attempts: 0 }],
  ["cannot commit its hold", [], 201, { ...completed, used: 0, reserved: 1 }, { parts: quota({ commit: down }) }],
  ["cannot reach the queue", [], 201, { ...completed, queued: 0 }, { parts: () => ({ webhookQueue: { send: down } }) }],
  ["is not recorded", [], 502, { ...nothing, reserved: 1, files: 1 }, { parts: inserts(down), message: unrecorded }],
  [
    "is settled by the alarm while it renders",
    [],
    504,
    { ...failed, queued: 0 },
    { during: expireAndSettle, message: /was recorded as failed\.$/ },
  ],
  ["cannot release its hold", [timedOut], 504, { ...failed, reserved: 1 }, { parts: quota({ release: down }) }],
  ["cannot remove its file", [timedOut], 504, { ...failed, reserved: 1, files: 1 }, { parts: removals }],
  ["fails and is not recorded", [timedOut], 504, { ...nothing, reserved: 1, files: 1 }, { parts: inserts(down) }],
  ["fails while the database is full", [timedOut], 504, nothing, { parts: inserts(isFull) }],
  ["gets no page and no release", [noCapacity], 503, { ...nothing, reserved: 1 }, { parts: quota({ release: down }) }],
  [
    "gets no page after a crash",
    [crashed, noCapacity],
    503,
    { ...nothing, reserved: 1, files: 1 },
    { parts: removals },
  ],
];

it.each(rows)("a create that %s", async (_what, outcomes, status, expectedLeft, rest = {}) => {
  const { tenant, service, response, left } = await createWith({ ...rest, outcomes });

  if (rest.message) expect((await refusalOf(response)).message).toMatch(rest.message);
  if (rest.attempts !== undefined) expect(service.jobs).toHaveLength(rest.attempts);
  expect([response.status, await left()]).toEqual([status, expectedLeft]);
  expect(new Set(service.jobs.map(({ fileKey }) => fileKey)).size).toBeLessThanOrEqual(1);
  if (expectedLeft.reserved === 0) return;

  await expireAndSettle(tenant);
  const { queued: _, ...settled } = await left();
  const { queued: __, ...expected } = expectedLeft.documents[0] === "completed" ? completed : failed;
  expect(settled).toEqual(expected);
});

it("before the render begins, the hold contains everything that the alarm needs", async () => {
  const holds: unknown[] = [];
  const during = ({ accountId }: Tenant) =>
    runInDurableObject(quotaOf({ accountId }), (_, { storage }) => {
      for (const { hold } of storage.sql.exec<{ hold: string }>("SELECT hold FROM holds")) holds.push(JSON.parse(hold));
    });

  const { tenant, service, response } = await createWith({ during });

  const { data } = await response.json<{ data: Record<string, unknown> & { createdAt: string } }>();
  const shown = [
    "id",
    "filename",
    "templateId",
    "templateVersion",
    "format",
    "width",
    "height",
    "deviceScaleFactor",
    "metadata",
  ];
  const draft = {
    ...Object.fromEntries(shown.map((name) => [name, data[name]])),
    accountId: tenant.accountId,
    createdAt: Date.parse(data.createdAt),
    month: data.createdAt.slice(0, 7),
    fileKey: service.jobs[0]?.fileKey,
  };
  const cdnUrl = "https://files.test/files";
  expect(holds).toMatchObject([{ draft, webhookUrl: "https://hooks.receiver.dev/", leaseMs: 30_000, cdnUrl }]);
});

it("a render gets the time that its create has left, and there are at most two attempts", async () => {
  let nowMs = Date.UTC(2026, 10, 21);
  const passing = (outcome: RenderOutcome, ms: number) => () => ((nowMs += ms), outcome);
  const attempts = async (ms: number) => {
    const { service } = await createWith(
      { outcomes: [crashed, crashed], parts: () => ({ now: () => nowMs }) },
      (made) => {
        const { render } = made;
        made.render = async (job) => passing(await render(job), ms)();
      },
    );
    return service.jobs.map(({ timeoutMs, mayRetry }) => ({ timeoutMs, mayRetry }));
  };

  expect(await attempts(10_000)).toEqual([
    { timeoutMs: 25_000, mayRetry: true },
    { timeoutMs: 15_000, mayRetry: false },
  ]);
  expect(await attempts(21_000)).toHaveLength(1);
});

it("the event of a create is dispatched after its document was recorded", async () => {
  const steps: string[] = [];
  const parts = ({ documents }: Services): Partial<Services> => ({
    documents: {
      ...documents,
      insert: (...args) => documents.insert(...args).finally(() => void steps.push("inserted")),
    },
    webhookQueue: { send: async () => void steps.push("queued") },
  });

  await createWith({ parts });

  expect(steps).toEqual(["inserted", "queued"]);
});

it("the warnings about a document's data come before the warnings of its render", async () => {
  const { service, tenant, response } = await createWith({}, (made) => {
    made.render = (job) => renderFile(job, ["The text was clipped."]);
  });
  const { data } = await response.json<{ data: { id: string; warnings: string[] } }>();

  expect(data.warnings).toEqual([expect.stringContaining("`unknown`"), "The text was clipped."]);
  const stored = await get(service, tenant, `/documents/${data.id}`);
  expect(await stored.json()).toMatchObject({ data: { warnings: data.warnings } });
});

/** Creates a document with a webhook. `left` returns everything stored about it. */
async function createWith(
  { template = {}, outcomes = [], parts = () => ({}), during = async () => {} }: Case & { outcomes?: Outcome[] },
  change: (service: TestService) => void = () => {},
) {
  const tenant = await newTenant(env, template);
  let queued = 0;
  const webhookQueue = { send: async () => void queued++ };
  const service = testService((services) => ({ webhookQueue, ...parts(services) }));
  const planned = [...outcomes];
  service.render = async (job) => {
    const outcome = planned.shift();
    if (outcome instanceof Error) throw outcome;
    if (outcome?.status === "no_capacity" || outcome?.status === "impossible") return outcome;
    await during(tenant);
    // In the worst case, the file was stored and only the response was lost.
    const rendered = await renderFile(job);
    return outcome ?? rendered;
  };
  change(service);
  const body = { templateId: tenant.templateId, data: { unknown: 1 }, webhookUrl: "https://Hooks.receiver.dev:443#a" };
  const response = await post(service, tenant, body);
  return { tenant, service, response, left: async () => ({ ...(await leftOf(tenant, service.jobs)), queued }) };
}

async function leftOf({ accountId }: Tenant, [job]: RenderJob[]): Promise<Omit<Left, "queued">> {
  const shard = await shardOf(env, accountId);
  const documents = await shard.prepare("SELECT status FROM documents WHERE account_id = ?").bind(accountId).all();
  const file = job ? await env.FILES.head(job.fileKey) : null;
  return {
    documents: documents.results.map(({ status }) => String(status)),
    ...(await usageOf({ accountId })),
    files: file ? 1 : 0,
    events: (await payloadsOf({ accountId })).map(({ type }) => type),
  };
}
