// What a create with a webhook responds and leaves behind, for each outcome of its render and each part that fails.
// `test/faults` makes every call of every part fail at random, and kill.slow.test.ts ends creates between two calls.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import type { Services } from "../../../src/ports/services.ts";
import type { RenderJob, RenderOutcome } from "colophon-render/render-job";
import { get, newTenant, post, type Tenant, type TenantOptions } from "../../fixtures/tenant.ts";
import { quotaOf, refusalOf, renderFile, testService, usageOf, type TestService } from "../app.ts";
import { expireAndSettle } from "./holds.ts";

beforeEach(() => {
  // The object and the background work log what fails.
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(console, "error").mockImplementation(() => {});
});

type Left = {
  documents: string[];
  used: number;
  reserved: number;
  files: number;
  events: string[];
  /** How many messages were sent to the queue. */
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
  what: string;
  template?: TenantOptions;
  /** The outcomes of the first attempts. Later ones succeed. */
  outcomes?: Outcome[];
  /** Parts that fail. */
  parts?: (services: Services) => Partial<Services>;
  /** Happens before the first attempt stores its file. */
  during?: (tenant: Tenant) => Promise<unknown>;
  status: number;
  message?: RegExp;
  attempts?: number;
  left: Left;
};

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

/** The time of a create has passed when it gets its hold. */
function lateHold({ quota, now }: Services): Partial<Services> {
  let lateMs = 0;
  const reserve: Services["quota"]["reserve"] = async (request) => {
    const reserved = await quota.reserve(request);
    lateMs = 25_000;
    return reserved;
  };
  return { quota: { ...quota, reserve }, now: () => now() + lateMs };
}

const cases: Case[] = [
  { what: "succeeds", status: 201, attempts: 1, left: completed },
  {
    what: "fails because of a Liquid problem",
    template: { page: "<p>\n{{ 1 | currency: 'x' }}" },
    status: 422,
    message: /^The template cannot be rendered with this data: pages\/1\.liquid, line 2: currency needs/,
    attempts: 0,
    left: failed,
  },
  {
    what: "fails because the document cannot be rendered",
    outcomes: [{ status: "impossible", message: "501 pages." }],
    status: 422,
    message: /^501 pages\.$/,
    left: failed,
  },
  {
    what: "fails because the browser crashes twice",
    outcomes: [crashed, crashed],
    status: 502,
    message: /^The browser failed(?!.*Target closed)/,
    attempts: 2,
    left: failed,
  },
  { what: "succeeds after a crash", outcomes: [crashed], status: 201, attempts: 2, left: completed },
  {
    what: "fails because the pool does not respond",
    outcomes: [new Error("away"), new Error("away")],
    status: 502,
    left: failed,
  },
  { what: "takes too long", outcomes: [timedOut], status: 504, message: /too long/, attempts: 1, left: failed },
  { what: "takes too long after a crash", outcomes: [crashed, timedOut], status: 504, left: failed },
  { what: "gets its hold when its time is over", parts: lateHold, status: 504, attempts: 0, left: failed },
  {
    // The bucket is not asked: no attempt can have stored a file.
    what: "gets no page of a browser",
    outcomes: [noCapacity],
    parts: removals,
    status: 503,
    attempts: 1,
    left: nothing,
  },
  { what: "gets no page of a browser after a crash", outcomes: [crashed, noCapacity], status: 503, left: nothing },
  // packages/render/test/document/render-document.test.ts reads the fonts again.
  {
    what: "fails because the fonts cannot be read",
    parts: () => faces(null, null),
    status: 502,
    message: /^The service's fonts could not be loaded\.$/,
    attempts: 0,
    left: failed,
  },
  {
    what: "fails because the template's content cannot be read",
    parts: ({ templates }) => ({ templates: { ...templates, compiled: down } }),
    status: 502,
    message: /^The template could not be loaded\.$/,
    left: failed,
  },
  {
    what: "fails because the template cannot be looked up",
    parts: ({ templates }) => ({ templates: { ...templates, find: down } }),
    status: 500,
    left: nothing,
  },
  { what: "gets no hold", parts: quota({ reserve: down }), status: 500, attempts: 0, left: nothing },
  {
    what: "succeeds although its hold cannot be committed",
    parts: quota({ commit: down }),
    status: 201,
    left: { ...completed, used: 0, reserved: 1 },
  },
  {
    what: "succeeds although the queue is down",
    parts: () => ({ webhookQueue: { send: down } }),
    status: 201,
    left: { ...completed, queued: 0 },
  },
  {
    what: "cannot be recorded",
    parts: inserts(down),
    status: 502,
    message: /^The render could not be recorded\. (?!.*it is down)/,
    left: { ...nothing, reserved: 1, files: 1 },
  },
  {
    what: "is recorded as failed by the alarm while it renders",
    during: expireAndSettle,
    status: 504,
    message: /was recorded as failed\.$/,
    left: { ...failed, queued: 0 },
  },
  {
    what: "fails and its hold cannot be released",
    outcomes: [timedOut],
    parts: quota({ release: down }),
    status: 504,
    left: { ...failed, reserved: 1 },
  },
  {
    what: "fails and its file cannot be removed",
    outcomes: [timedOut],
    parts: removals,
    status: 504,
    left: { ...failed, reserved: 1, files: 1 },
  },
  {
    what: "fails and cannot be recorded",
    outcomes: [timedOut],
    parts: inserts(down),
    status: 504,
    left: { ...nothing, reserved: 1, files: 1 },
  },
  {
    what: "fails while the database is full",
    outcomes: [timedOut],
    parts: inserts(isFull),
    status: 504,
    left: nothing,
  },
  {
    what: "gets no page of a browser and its hold cannot be released",
    outcomes: [noCapacity],
    parts: quota({ release: down }),
    status: 503,
    left: { ...nothing, reserved: 1 },
  },
  {
    what: "gets no page of a browser after a crash, and its file cannot be removed",
    outcomes: [crashed, noCapacity],
    parts: removals,
    status: 503,
    left: { ...nothing, reserved: 1, files: 1 },
  },
];

it.each(cases)("a create that $what", async (made) => {
  const { tenant, service, response, left } = await createWith(made);

  if (made.message) expect((await refusalOf(response)).message).toMatch(made.message);
  if (made.attempts !== undefined) expect(service.jobs).toHaveLength(made.attempts);
  expect([response.status, await left()]).toEqual([made.status, made.left]);
  expect(new Set(service.jobs.map(({ fileKey }) => fileKey)).size).toBeLessThanOrEqual(1);
  if (made.left.reserved === 0) return;

  await expireAndSettle(tenant);
  const { queued: _, ...settled } = await left();
  const { queued: __, ...expected } = made.left.documents[0] === "completed" ? completed : failed;
  expect(settled).toEqual(expected);
});

it("the hold has everything that the alarm needs before the render begins", async () => {
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

it("a render has the time that its create has left, and the second attempt is the last", async () => {
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

it("the warnings of a document are those about its data, then those of its render", async () => {
  const { service, tenant, response } = await createWith({}, (made) => {
    made.render = (job) => renderFile(job, ["The text was clipped."]);
  });
  const { data } = await response.json<{ data: { id: string; warnings: string[] } }>();

  expect(data.warnings).toEqual([expect.stringContaining("`unknown`"), "The text was clipped."]);
  const stored = await get(service, tenant, `/documents/${data.id}`);
  expect(await stored.json()).toMatchObject({ data: { warnings: data.warnings } });
});

/** Creates a document with a webhook. `left` returns what there is of it. */
async function createWith(
  { template = {}, outcomes = [], parts = () => ({}), during = async () => {} }: Partial<Case>,
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
  const documents = await env.DB.prepare("SELECT status FROM documents WHERE account_id = ?").bind(accountId).all();
  const events = await env.DB.prepare("SELECT payload FROM webhook_events WHERE account_id = ?").bind(accountId).all();
  const file = job ? await env.FILES.head(job.fileKey) : null;
  return {
    documents: documents.results.map(({ status }) => String(status)),
    ...(await usageOf({ accountId })),
    files: file ? 1 : 0,
    events: events.results.map(({ payload }) => (JSON.parse(String(payload)) as { type: string }).type),
  };
}
