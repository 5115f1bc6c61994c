// Runs all functions of the service with a marker in every string that a caller, a template or a library can supply, and
// searches for the marker in every log line and response header. The renderer is a fake;
// `test/browser/failures/log-lines.slow.test.ts` does the same with a real browser.
import { createExecutionContext, runDurableObjectAlarm, waitOnExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, inject, it, vi } from "vitest";
import type { PoolJob } from "colophon-render/job-content";
import type { RenderOutcome } from "colophon-render/render-job";
import { field } from "colophon-test-kit/template-content";
import { parseApiKey } from "../../src/core/accounts/api-key.ts";
import { rotateWebhookSecret } from "../../src/operations/accounts/manage-accounts.ts";
import { consumeWebhookMessages } from "../../src/operations/webhooks/dispatch-webhooks.ts";
import { jsonLog } from "../../src/platform/json-log.ts";
import type { ObjectNamespace } from "../../src/platform/object-client.ts";
import { poolClient, type PoolObject } from "../../src/platform/rendering/pool-client.ts";
import { dispatchServices } from "../../src/services/maintenance-services.ts";
import { operatorServices } from "../../src/services/operator-services.ts";
import { requestServices } from "../../src/services/request-services.ts";
import { capturedLines, eventsIn, linesWith } from "../fixtures/captured-lines.ts";
import { databasesOf, dispatchOverdue, shardOf } from "../fixtures/databases.ts";
import { describedApp } from "../fixtures/described-app.ts";
import { baseUrl, get, newTenant, post, pushed, type Service, type Tenant } from "../fixtures/tenant.ts";
import { quotaOf, renderFile } from "../workerd/app.ts";
import { expireAndSettle } from "../workerd/documents/holds.ts";

const marker = "marker7f3a";
const healthSecret = `${marker}-secret-of-the-operator`;
/** Events that the run must cause, so that it cannot skip them unnoticed. There may be others. */
const events = [
  ...["background.failed", "document.failure_not_recorded", "health.part_failed", "hold.expired", "hold.left_to_alarm"],
  ...["quota.settle_failed", "quota.threshold_reached", "render.crashed", "render.ended", "request.ended"],
  ...["request.failed", "request.refused", "template.load_failed", "webhook.dead", "webhook.dispatch_failed"],
  ...["webhook.message_malformed", "webhook.not_attempted", "webhook.overdue"],
];

afterEach(() => void vi.restoreAllMocks());

type Render = (job: PoolJob) => Promise<RenderOutcome>;

/** The service with its real log, and all its responses and records. */
class WatchedService implements Service {
  readonly lines = capturedLines();
  readonly headers: string[] = [];
  /** Strings that nobody may see: keys, file keys and secrets. */
  readonly secrets: string[] = [healthSecret];
  /** Bindings that replace the real ones. */
  bindings: Record<string, unknown> = {};
  render: Render = renderFile;

  async fetch(url: string, init?: RequestInit): Promise<Response> {
    const pools = { idFromName: (name: string) => name, get: () => ({ render: (job: PoolJob) => this.render(job) }) };
    const renderer = poolClient(
      pools as unknown as ObjectNamespace<PoolObject>,
      { regions: ["enam"], perRegion: 1, batchPools: 0, pages: 8 },
      "enam",
    );
    const app = describedApp({
      servicesOf: (bindings, waitUntil) => ({ ...requestServices(bindings, waitUntil), renderer }),
      log: jsonLog,
    });
    const bindings = { ...env, HEALTH_SECRET: healthSecret, ...this.bindings };
    const context = createExecutionContext();
    const response = await app.fetch(new Request(url, init), bindings, context);
    await waitOnExecutionContext(context);
    this.headers.push(...[...response.headers].map(([name, value]) => `${name}: ${value}`));
    const text = await response.clone().text();
    this.secrets.push(...(text.match(/[\w-]{43}\.(?:pdf|png)/g) ?? []));
    return response;
  }

  /** Runs the work with different bindings or a different renderer. */
  async with(replaced: { bindings?: Record<string, unknown>; render?: Render }, work: () => Promise<unknown>) {
    this.bindings = replaced.bindings ?? {};
    this.render = replaced.render ?? renderFile;
    await work();
    this.bindings = {};
    this.render = renderFile;
  }
}

/** Returns a tenant whose template contains the marker wherever it can. */
async function markedTenant(service: WatchedService): Promise<Tenant> {
  const tenant = await newTenant(env, {
    page: `<p id="${marker}">${marker} {{ ${marker} }} {{ ${marker} | asset }}</p>`,
    fields: [field(marker, "string"), field("photo", "image"), field(`${marker}s`, "number", { required: true })],
    content: { css: `.${marker} { color: red }`, header: `<i>${marker}</i>`, sampleData: { [marker]: marker } },
  });
  const secrets = await operatorServices(env).secrets.valid(tenant.accountId, Date.now());
  const { secret, checksum } = parseApiKey(tenant.key) ?? expect.fail("The key is malformed.");
  service.secrets.push(secret, checksum, ...secrets);
  return tenant;
}

/** Returns a valid template in the same account. */
function renderable(tenant: Tenant): Promise<string> {
  const page = `<p>${marker} {{ ${marker} }}</p><img src="{{ photo }}">`;
  return pushed(env, tenant.accountId, { page, fields: [field(marker, "string"), field("photo", "image")] }, marker);
}

const failing = () => Promise.reject(new Error(`${marker} https://${marker}.example.com/?${marker}`));
const broken = new Proxy({}, { get: () => failing });
const brokenObjects = { idFromName: () => ({}), get: () => broken };

/** A database that fails before every call. */
const brokenD1 = {
  prepare: () => {
    throw new Error(marker);
  },
};

/** The real D1, which refuses every statement and quotes a part of it. */
const misspelt = (real: D1Database) =>
  new Proxy(real, {
    get: (database, name) =>
      name === "prepare"
        ? (sql: string) => database.prepare(`${sql} ${marker}`)
        : (statements: D1PreparedStatement[]) => database.batch(statements),
  });
const misspeltD1 = databasesOf(env, misspelt);

it("log lines, data points and response headers never contain a marker", async () => {
  const service = new WatchedService();
  const tenant = await markedTenant(service);
  const templateId = await renderable(tenant);
  const receiver = `${inject("receiverOrigin")}/${tenant.accountId}`;
  const data = { [marker]: `${marker} "quoted"\n    at ${marker} (x.js:1:1)`, unknown: marker };
  const create = (rest: object = {}, headers: Record<string, string> = {}) => {
    const all = { [`X-${marker}`]: marker, "User-Agent": marker, ...headers };
    return post(service, tenant, { templateId, data, ...rest }, all);
  };
  const deepCheck = (secret: string) =>
    service.fetch("https://colophon.test/healthz?deep=1", { headers: { Authorization: `Bearer ${secret}` } });
  const expectStatus = async (status: number, response: Promise<Response>) =>
    expect((await response).status).toBe(status);

  await succeed();
  await refuse();
  await failInLiquid();
  await failToRender();
  await failInBindings();
  await failToSettle();
  await failToDeliver();

  expect(eventsIn(service.lines)).toEqual(expect.arrayContaining(events));
  expect(linesWith([marker, ...service.secrets], service.lines)).toEqual([]);
  expect(linesWith([marker, ...service.secrets], service.headers)).toEqual([]);

  async function succeed() {
    const photos = ["image", "fails", "reset", "ok"].map((behaviour) => `${receiver}/${behaviour}?${marker}`);
    for (const photo of photos) await expectStatus(201, create({ data: { ...data, photo } }));
    await expectStatus(201, create({ data: { photo: `https://${marker}.names.example.com/${marker}` } }));
    await expectStatus(201, create({ webhookUrl: `${receiver}/ok?${marker}`, format: "png" }));
    for (const _ of [1, 2]) await expectStatus(201, create({}, { "Idempotency-Key": marker }));
    const { data: created } = (await (await create()).json()) as { data: { id: string; pdfUrl: string } };
    const paths = ["", "/download"].map((path) => `/documents/${created.id}${path}`);
    for (const path of [...paths, "/documents", "/templates", `/templates/${templateId}`, "/usage"]) {
      await expectStatus(200, get(service, tenant, path));
    }
    await expectStatus(206, get(service, tenant, `${paths[1]}`, { headers: { Range: "bytes=0-3" } }));
    await expectStatus(412, get(service, tenant, `${paths[1]}`, { headers: { "If-Match": marker } }));
    const local = `https://colophon.test/files/${new URL(created.pdfUrl).pathname.split("/").at(-1)}`;
    await service.with({ bindings: { CDN_URL: "https://colophon.test/files" } }, () =>
      expectStatus(200, service.fetch(local)),
    );
    await expectStatus(200, get(service, tenant, `/documents/${created.id}`, { method: "DELETE" }));
    await expectStatus(404, get(service, tenant, `/documents/${created.id}`));
    await expectStatus(200, service.fetch("https://colophon.test/healthz"));
  }

  async function refuse() {
    for (const body of [`{"${marker}`, `"${marker}"`, `{"${marker}":1}`, `{"${marker}":1,"${marker}":2}`, marker]) {
      await expectStatus(400, post(service, tenant, body));
    }
    await expectStatus(400, create({ data: { [marker]: 1 } }));
    await expectStatus(400, create({ templateId: tenant.templateId }));
    await expectStatus(400, create({ format: marker }));
    await expectStatus(400, create({ webhookUrl: `http://${marker}` }));
    await expectStatus(400, create({}, { "Idempotency-Key": `${marker} with spaces` }));
    await expectStatus(422, create({ data: {} }, { "Idempotency-Key": marker }));
    await expectStatus(404, create({ templateId: `${marker}-unknown` }));
    await expectStatus(415, create({}, { "Content-Type": `text/${marker}` }));
    await expectStatus(413, create({ data: { [marker]: marker.repeat(120_000) } }));
    for (const key of [marker, `Bearer ${marker}`, `Bearer colophon_0123456789abcdef_${marker.padEnd(43, "x")}`]) {
      await expectStatus(401, create({}, { Authorization: key }));
    }
    const paths = ["", "documents/", "templates/"].map((start) => `/${start}${marker}-unknown`);
    for (const path of paths) await expectStatus(404, get(service, tenant, path));
    await expectStatus(400, get(service, tenant, `/documents?limit=${marker}&status=${marker}`));
    await expectStatus(405, get(service, tenant, `/documents?${marker}`, { method: "PUT", body: marker }));
    for (const path of [`/${marker}`, `/files/${marker}`])
      await expectStatus(404, service.fetch(`https://colophon.test${path}`));
    await expectStatus(401, deepCheck(marker));
    await expectStatus(400, service.fetch(`https://colophon.test/healthz?deep=${marker}`));
  }

  async function failInLiquid() {
    const content = { data: { [marker]: marker, [`${marker}s`]: 1 }, webhookUrl: `${receiver}/ok` };
    await expectStatus(422, create({ templateId: tenant.templateId, ...content }));
    // Content that is not JSON. The runtime's error quotes it.
    const other = await pushed(env, tenant.accountId, { page: "<p>other</p>" }, "other");
    for (const { key } of (await env.TEMPLATES.list({ prefix: `${tenant.accountId}/${other}/` })).objects) {
      await env.TEMPLATES.put(key, `${marker} is not JSON`);
    }
    await expectStatus(502, create({ templateId: other }));
  }

  async function failToRender() {
    const outcomes: RenderOutcome[] = [
      { status: "impossible", message: `The page could not be prepared for rendering (${marker}).` },
      { status: "no_capacity", retryAfterSeconds: 1 },
      { status: "timed_out" },
      { status: "crashed", reason: "the page's process ended" },
    ];
    const renders: [number, Render][] = [
      ...outcomes.map((outcome, index): [number, Render] => [[422, 503, 504, 502][index] ?? 0, async () => outcome]),
      [502, failing],
      [502, () => Promise.reject(marker)],
      [502, () => Promise.reject(new TypeError(`Protocol error (Page.printToPDF): ${marker}`))],
    ];
    for (const [status, render] of renders) {
      await service.with({ render }, () => expectStatus(status, create({ webhookUrl: `${receiver}/ok?${marker}` })));
    }
  }

  async function failInBindings() {
    const read = (status: number) => expectStatus(status, get(service, tenant, `/documents?templateId=${templateId}`));
    const down = databasesOf(env, () => brokenD1 as unknown as D1Database);
    await service.with({ bindings: down }, () => read(503));
    await service.with({ bindings: misspeltD1 }, () => read(500));
    await service.with({ bindings: { ACCOUNT_QUOTA: brokenObjects } }, () => expectStatus(500, create()));
    await service.with({ bindings: { WEBHOOKS: broken } }, () =>
      expectStatus(201, create({ webhookUrl: `${receiver}/ok` })),
    );
    const files = { bindings: { FILES: broken }, render: async () => ({ status: "timed_out" }) as const };
    await service.with(files, () => expectStatus(504, create()));
    const all = {
      FILES: broken,
      PRIVATE_FILES: broken,
      TEMPLATES: broken,
      WEBHOOKS: broken,
      ...misspeltD1,
      BROWSER_POOL: brokenObjects,
    };
    await service.with({ bindings: all }, () => expectStatus(503, deepCheck(healthSecret)));
    await service.with({ bindings: { BASE_URL: marker } }, () => expectStatus(500, get(service, tenant, "/usage")));
  }

  /** D1 refuses the row, first to the request and then to the alarm. The error of a trigger quotes the trigger. */
  async function failToSettle() {
    const shard = await shardOf(env, tenant.accountId);
    await shard
      .prepare(
        `CREATE TRIGGER refuse BEFORE INSERT ON documents WHEN NEW.account_id = '${tenant.accountId}' BEGIN SELECT RAISE(ABORT, '${marker}'); END`,
      )
      .run();
    await expectStatus(502, create());
    const render = async () => ({ status: "impossible", message: marker }) as const;
    await service.with({ render }, () => expectStatus(422, create({ webhookUrl: `${receiver}/ok?${marker}` })));
    await expireAndSettle(tenant);
    await shard.prepare("DROP TRIGGER refuse").run();
    await expireAndSettle(tenant);
    await operatorServices(env).accounts.updatePlan("starter", { monthlyRenders: 1 });
    const small = await newTenant(env, { plan: "starter" });
    await expectStatus(201, post(service, small, { templateId: small.templateId, data: {} }));
    await expectStatus(429, post(service, small, { templateId: small.templateId, data: { name: marker } }));
    await runDurableObjectAlarm(quotaOf(small));
  }

  async function failToDeliver() {
    const until = (event: string) =>
      vi.waitFor(() => expect(eventsIn(service.lines)).toContain(event), { timeout: 20_000, interval: 50 });
    await expectStatus(201, create({ webhookUrl: `${receiver}/gone?${marker}` }));
    await until("webhook.dead");
    await env.DB.prepare("DELETE FROM webhook_secrets WHERE account_id = ?").bind(tenant.accountId).run();
    await expectStatus(201, create({ webhookUrl: `${receiver}/ok?${marker}` }));
    await until("webhook.not_attempted");
    // Without this, the sender would try again after the end of the test.
    service.secrets.push(...(await rotateWebhookSecret(operatorServices(env), tenant.accountId)));
    const message = (body: unknown) => ({ id: crypto.randomUUID(), body, ack: () => {}, retry: () => {} });
    const messages = [message(marker), message({ accountId: tenant.accountId, eventId: "evt_1", [marker]: marker })];
    const unreachable = { ...dispatchServices(env), senders: { accept: failing } };
    await consumeWebhookMessages(unreachable, messages);
    const shard = await shardOf(env, tenant.accountId);
    await shard.prepare("UPDATE webhook_events SET dispatch_at = 0 WHERE account_id = ?").bind(tenant.accountId).run();
    await dispatchOverdue(env);
  }
}, 120_000);

it("the markers are found in the lines of a service that logs what a caller sends", () => {
  const lines = capturedLines();

  jsonLog("info", { event: "a.leak", url: `${baseUrl}/${marker.toUpperCase()}` });

  expect(linesWith([marker], lines)).toHaveLength(1);
});
