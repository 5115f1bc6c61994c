// The life of a batch on real D1, R2 and Durable Objects: from its request to its results, its webhook and its removal.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { TemplateManifest } from "colophon-template-model/template";
import { field, templateContent } from "colophon-test-kit/template-content";
import type { BatchRecord } from "../../../src/core/batches/batch.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { get, newTenant, pushed, removeTemplate } from "../../fixtures/tenant.ts";
import {
  create,
  dataOf,
  refusalOf,
  renderFile,
  renderNothing,
  send,
  tenantWithLimit,
  testService,
  unknownId,
  usageOf,
} from "../app.ts";
import { laterRenders } from "../worker.ts";
import { batchOf, ended, heldBack, items, ndjson, postBatch, postNdjson, resultsOf } from "./batches.ts";

const service = testService();

it("a batch of NDJSON renders each line as a document, and counts each of them", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const body = ndjson({ templateId: tenant.templateId, metadata: undefined }, ...items(30));

  const response = await postNdjson(service, tenant, body);

  const accepted = await dataOf<BatchRecord>(response);
  expect([response.status, accepted.counts.total, accepted.status]).toEqual([202, 30, "processing"]);
  expect(response.headers.get("Location")).toBe(`https://colophon.test/api/v1/batches/${accepted.id}`);
  const batch = await ended(service, tenant, accepted.id);
  expect(batch.counts).toEqual({ total: 30, processing: 0, completed: 30, failed: 0, canceled: 0 });
  expect(await usageOf(tenant)).toEqual({ used: 30, reserved: 0 });
  const results = await resultsOf(service, tenant, batch.id);
  expect(results.map(({ index, customId }) => [index, customId])).toEqual(
    items(30).map(({ customId }, index) => [index, customId]),
  );
  for (const { documentId, fileUrl } of results) {
    const document = await dataOf(await get(service, tenant, `/documents/${documentId}`));
    expect(document).toMatchObject({ status: "completed", fileUrl, batchId: batch.id });
  }
});

it("lines of 5 MB in a batch are rendered one at a time, with all of their data", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  let [inProgress, most] = [0, 0];
  const pages: string[] = [];
  laterRenders.set(tenant.accountId, async (job) => {
    most = Math.max(most, ++inProgress);
    pages.push(/Hello \w+/.exec(job.html)?.[0] ?? "");
    await new Promise((resolve) => setTimeout(resolve, 50));
    inProgress--;
    return renderFile(job);
  });
  const names = ["Ada", "Grace", "Joan"];
  const lines = names.map((name) => JSON.stringify({ data: { rows: "€".repeat(1_600_000), name } }));
  const longest = lines.map((line) => line + " ".repeat(5_000_000 - Buffer.byteLength(line)));

  const response = await postNdjson(service, tenant, ndjson({ templateId: tenant.templateId }, ...longest));

  const batch = await ended(service, tenant, (await dataOf<BatchRecord>(response)).id);
  expect(batch.counts).toMatchObject({ total: 3, completed: 3 });
  expect(pages).toEqual(names.map((name) => `Hello ${name}`));
  expect(most).toBe(1);
});

it("a batch holds all of its renders before the first of them begins", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(20) }));

  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 20 });
  release();
  await ended(service, tenant, id);
  expect(await usageOf(tenant)).toEqual({ used: 20, reserved: 0 });
});

it("a batch releases the renders of failed items, and states why they failed", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, (job) => (job.html.includes("n3") ? renderNothing() : renderFile(job)));

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(5) }));

  expect((await ended(service, tenant, id)).counts).toMatchObject({ completed: 4, failed: 1 });
  expect(await usageOf(tenant)).toEqual({ used: 4, reserved: 0 });
  const [, , , failed] = await resultsOf(service, tenant, id);
  expect(failed).toMatchObject({
    customId: "c-3",
    status: "failed",
    fileUrl: null,
    error: { code: "RENDER_FAILED", message: "The table is too long." },
  });
  const document = await dataOf(await get(service, tenant, `/documents/${failed?.documentId}`));
  expect(document).toMatchObject({ status: "failed", batchId: id });
});

it("an item that cannot conform has all violated clauses in the results and in its document", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const message = "The document cannot conform.";
  const problems = Array.from({ length: 20 }, (_, index) => ({ clause: "7.3", message: `${index}`, page: 1 }));
  laterRenders.set(tenant.accountId, async () => ({ status: "impossible", message, problems }));

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(1), conformance: ["pdf/ua-1"] }));
  await ended(service, tenant, id);

  const [failed] = await resultsOf(service, tenant, id);
  const details = problems.map((problem) => ({ path: "conformance", ...problem }));
  expect(failed?.error).toEqual({ code: "RENDER_FAILED", message, details });
  const document = await dataOf(await get(service, tenant, `/documents/${failed?.documentId}`));
  expect(document.error).toEqual(failed?.error);
});

it("a batch uses the template as it was when the batch was accepted, even if the template was deleted later", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release, jobs } = heldBack(tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(12) }));
  await pushed(env, tenant.accountId, { page: "<p>Changed {{ name }}</p>" });
  await removeTemplate(env, tenant);

  release();

  expect((await ended(service, tenant, id)).counts.completed).toBe(12);
  expect(jobs.filter(({ html }) => html.includes("Hello"))).toHaveLength(12);
});

it("a batch has the options of a document, and each item has its own name and metadata", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const item = { data: { name: "Ada" }, filename: "Ada.png", metadata: { order: "17" } };

  const options = { format: "png", width: 200, height: 300, deviceScaleFactor: 1, expiresIn: 3600 };
  const { id } = await dataOf(await postBatch(service, tenant, { ...options, items: [item] }));

  await ended(service, tenant, id);
  const [result] = await resultsOf(service, tenant, id);
  expect(await dataOf(await get(service, tenant, `/documents/${result?.documentId}`))).toMatchObject({
    ...{ format: "png", width: 200, height: 300, deviceScaleFactor: 1 },
    ...{ filename: "Ada.png", metadata: { order: "17" } },
  });
});

it("a batch returns its results from the beginning, in the order of the items", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(3) }));

  const results = await resultsOf(service, tenant, id);

  const processing = { status: "processing", documentId: null, fileUrl: null, warnings: [], error: null };
  expect(results).toEqual(items(3).map(({ customId }, index) => ({ index, customId, ...processing })));
  release();
  await ended(service, tenant, id);
});

it("the list of documents can be filtered by a batch", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  await create(service, tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(3) }));
  await ended(service, tenant, id);

  const { documents, pagination } = await dataOf<{ documents: { batchId: string }[]; pagination: { total: number } }>(
    await get(service, tenant, `/documents?batchId=${id}&templateId=${tenant.templateId}&limit=2`),
  );

  expect(documents.map(({ batchId }) => batchId)).toEqual([id, id]);
  expect(pagination.total).toBe(3);
});

it("a batch sends one event when it has ended, with its counts", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, renderNothing);
  const webhookUrl = "https://hooks.receiver.dev/batch";

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(4), webhookUrl }));

  const batch = await ended(service, tenant, id);
  const shard = await shardOf(env, tenant.accountId);
  const { results } = await shard
    .prepare("SELECT * FROM webhook_events WHERE account_id = ?")
    .bind(tenant.accountId)
    .all<{ payload: string; url: string }>();
  expect(results.map(({ url, payload }) => [url, JSON.parse(payload)])).toEqual([
    [webhookUrl, { type: "batch.completed", timestamp: batch.endedAt, data: batch }],
  ]);
  expect(batch.counts.failed).toBe(4);
});

it("batches are listed in pages, newest first", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.push((await dataOf(await postBatch(service, tenant, { items: items(1) }))).id);
  for (const id of ids) await ended(service, tenant, id);

  type List = { batches: BatchRecord[]; pagination: { total: number; nextCursor: string | null } };
  const first = await dataOf<List>(await get(service, tenant, "/batches?limit=2"));
  const second = await dataOf<List>(
    await get(service, tenant, `/batches?limit=2&cursor=${first.pagination.nextCursor}`),
  );

  expect([...first.batches, ...second.batches].map(({ id }) => id)).toEqual(ids.toReversed());
  expect([first.pagination.total, second.pagination.nextCursor]).toEqual([3, null]);
});

it("a batch of another account is not found by any request", async () => {
  const [tenant, other] = [await newTenant(env), await newTenant(env)];
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(1) }));
  await ended(service, tenant, id);

  const paths = [
    { method: "GET", path: `/batches/${id}` },
    { method: "GET", path: `/batches/${id}/results` },
    { method: "POST", path: `/batches/${id}/cancel` },
    { method: "DELETE", path: `/batches/${id}` },
  ];
  for (const request of paths) {
    const foreign = await refusalOf(await send(service, request, { Authorization: `Bearer ${other.key}` }));
    const path = request.path.replace(id, unknownId);
    const unknown = await refusalOf(
      await send(service, { ...request, path }, { Authorization: `Bearer ${other.key}` }),
    );
    expect(foreign).toEqual(unknown);
    expect(foreign).toMatchObject({ status: 404, code: "BATCH_NOT_FOUND" });
  }
});

it("canceling a batch skips renders that have not begun, and releases their holds", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release, jobs } = heldBack(tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(40) }));
  await vi.waitUntil(() => jobs.length > 0, { timeout: 10_000 });

  const canceled = await dataOf<BatchRecord>(await get(service, tenant, `/batches/${id}/cancel`, { method: "POST" }));
  const begun = jobs.length;
  release();

  expect(canceled).toMatchObject({ status: "canceling", counts: { processing: begun, canceled: 40 - begun } });
  const batch = await ended(service, tenant, id);
  expect(batch.counts).toEqual({ total: 40, processing: 0, completed: begun, failed: 0, canceled: 40 - begun });
  expect(await usageOf(tenant)).toEqual({ used: begun, reserved: 0 });
});

it("canceling a batch changes nothing after it has ended", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2) }));
  const batch = await ended(service, tenant, id);

  const response = await get(service, tenant, `/batches/${id}/cancel`, { method: "POST" });

  expect(await dataOf(response)).toEqual(batch);
});

it("deleting a batch removes its data and keeps its documents", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2) }));
  await ended(service, tenant, id);
  const [result] = await resultsOf(service, tenant, id);

  const response = await get(service, tenant, `/batches/${id}`, { method: "DELETE" });

  expect(await dataOf(response)).toEqual({ id, deleted: true });
  expect((await get(service, tenant, `/batches/${id}`)).status).toBe(404);
  expect((await get(service, tenant, `/documents/${result?.documentId}`)).status).toBe(200);
  const prefix = `${tenant.accountId}/batches/`;
  await vi.waitUntil(async () => (await env.TEMPLATES.list({ prefix })).objects.length === 0, { timeout: 5_000 });
});

it("deleting a batch is refused while it has not ended", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2) }));

  const response = await get(service, tenant, `/batches/${id}`, { method: "DELETE" });

  expect(await refusalOf(response)).toMatchObject({ status: 409, code: "BATCH_NOT_ENDED" });
  release();
  await ended(service, tenant, id);
});

it("a repeat with the idempotency key of a batch gets the batch, even if the template no longer exists and the allowance is used up", async () => {
  const tenant = await tenantWithLimit(3);
  const headers = { "Idempotency-Key": "payroll-11" };
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(3) }, headers));
  await ended(service, tenant, id);

  const repeat = await postBatch(service, tenant, { items: items(3) }, headers);
  await removeTemplate(env, tenant);
  const withoutTemplate = await vi.waitUntil(
    async () => {
      const response = await postBatch(
        testService(({ templates }) => ({ templates: { ...templates, find: async () => null } })),
        tenant,
        { items: items(3) },
        headers,
      );
      return response.status === 202 && response;
    },
    { timeout: 10_000 },
  );

  for (const response of [repeat, withoutTemplate]) {
    const record = await dataOf(response);
    expect(record.id).toBe(id);
  }
});

it("a repeat with the idempotency key of a batch gets the batch while a Worker still caches the deleted template", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const headers = { "Idempotency-Key": "payroll-13" };
  const body = { items: items(1) };
  const { id } = await dataOf(await postBatch(service, tenant, body, headers));
  await ended(service, tenant, id);
  const { objects } = await env.TEMPLATES.list({ prefix: `${tenant.accountId}/${tenant.templateId}/` });
  await env.TEMPLATES.delete(objects.map(({ key }) => key));

  const repeat = await postBatch(service, tenant, body, headers);
  const other = await postBatch(service, tenant, body, { "Idempotency-Key": "payroll-14" });

  expect([repeat.status, (await dataOf(repeat)).id]).toEqual([202, id]);
  expect(await refusalOf(other)).toMatchObject({ status: 404, code: "TEMPLATE_NOT_FOUND" });
  // The content of a template that was not deleted would be a fault.
  expect(service.logged).toContainEqual(
    expect.objectContaining({
      event: "request.failed",
      cause: expect.objectContaining({ code: "template.content_missing" }),
    }),
  );
});

it("a batch with an idempotency key is accepted once if the same request arrives many times at the same time", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const headers = { "Idempotency-Key": "payroll-12" };

  const responses = await Promise.all(
    Array.from({ length: 8 }, () => postBatch(service, tenant, { items: items(5) }, headers)),
  );

  const accepted = await Promise.all(
    responses.filter(({ status }) => status === 202).map(async (response) => (await dataOf(response)).id),
  );
  expect(new Set(accepted).size).toBe(1);
  expect(responses.every(({ status }) => status === 202 || status === 409)).toBe(true);
  await ended(service, tenant, accepted[0] ?? "");
  expect(await usageOf(tenant)).toEqual({ used: 5, reserved: 0 });
});

it("many batches that arrive at the same time never hold more renders than the monthly allowance has left", async () => {
  const tenant = await tenantWithLimit(25);

  const responses = await Promise.all(
    Array.from({ length: 6 }, () => postBatch(service, tenant, { items: items(10) })),
  );

  expect(responses.map(({ status }) => status).toSorted()).toEqual([202, 202, 429, 429, 429, 429]);
  const refused = responses.filter(({ status }) => status === 429);
  const codes = await Promise.all(refused.map(async (response) => (await refusalOf(response)).code));
  expect(new Set(codes)).toEqual(new Set(["RENDER_LIMIT_EXCEEDED"]));
  for (const response of responses.filter(({ status }) => status === 202))
    await ended(service, tenant, (await dataOf(response)).id);
  expect(await usageOf(tenant)).toEqual({ used: 20, reserved: 0 });
});

it("a refused batch leaves no data, and its error says how many renders are left", async () => {
  const tenant = await tenantWithLimit(4);

  const refusal = await refusalOf(await postBatch(service, tenant, { items: items(5) }));

  expect(refusal).toMatchObject({
    status: 429,
    code: "RENDER_LIMIT_EXCEEDED",
    message: "Monthly render limit exceeded. Current: 0/4",
    details: [
      { path: "items", message: "The batch has 5 items, but only 4 renders of the monthly allowance are left." },
    ],
  });
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  const prefix = `${tenant.accountId}/batches/`;
  await vi.waitUntil(async () => (await env.TEMPLATES.list({ prefix })).objects.length === 0, { timeout: 5_000 });
});

it("a batch in progress says when to check again, and an ended batch does not", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release } = heldBack(tenant);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(1) }));

  const before = await get(service, tenant, `/batches/${id}`);
  release();
  await ended(service, tenant, id);
  const after = await get(service, tenant, `/batches/${id}`);

  expect([before, after].map(({ headers }) => headers.get("Retry-After"))).toEqual(["2", null]);
  expect((await batchOf(service, tenant, id)).status).toBe("ended");
});

const mark = "\ufeff";
const line = (name: string) => JSON.stringify({ data: { name } });

it.each([
  ["a byte order mark before an item", `${line("a")}\n${mark}${line("b")}\n`],
  ["a byte order mark before each line", `${mark}${line("a")}\n${mark}${line("b")}\n`],
  ["a byte order mark on an empty line and inside a text", `${mark}\n${line(`a${mark}`)}\n${line("b")}\n`],
  ["CRLF, and no line feed at the end", `${line("a")}\r\n\r\n${mark}${line("b")}\r`],
  ["a separator of paragraphs, and a key that is special", `${line("a\u2028")}\n{"data":{"name":"b","__proto__":1}}`],
  ["numbers and escapes", `{"data":{"name":"\\u0000\\ufeff","n":-0,"m":1e21}}\n{"data":{"name":"😀"}}\n`],
])("accepted items are rendered: %s", async (_what, lines) => {
  const tenant = await newTenant(env, { plan: "pro" });

  const response = await postNdjson(service, tenant, `${mark}{"templateId":"${tenant.templateId}"}\n${lines}`);

  const { id } = await dataOf<BatchRecord>(response);
  expect((await ended(service, tenant, id)).counts).toMatchObject({ total: 2, completed: 2 });
});

it.each<[string, Partial<TemplateManifest>]>([
  ["a template that has a new required field", { fields: [field("number", "number", { required: true })] }],
  // The mistake is found at the first item, and the other items are not validated.
  ["a template without room on such pages", { margin: { top: 48, right: 200, bottom: 48, left: 200 } }],
])("a repeat with the same key and body gets the batch or its deletion, also with %s", async (_, changes) => {
  const tenant = await newTenant(env, { plan: "pro" });
  const body = ndjson({ templateId: tenant.templateId, format: "png", width: 400, height: 300 }, ...items(3));
  const key = { "Idempotency-Key": "k" };
  const { id } = await dataOf<BatchRecord>(await postNdjson(service, tenant, body, key));
  await ended(service, tenant, id);
  const manifest = { ...templateContent({}).manifest, ...changes };
  await pushed(env, tenant.accountId, { content: { manifest } });
  // The service may cache the old version for five seconds.
  const { find } = operatorServices(env).templates;
  const changed = testService(({ templates }) => ({ templates: { ...templates, find } }));

  const repeat = await postNdjson(changed, tenant, body, key);
  const others = [await postNdjson(changed, tenant, `${body}\n`, key), await postNdjson(changed, tenant, body)];
  await get(service, tenant, `/batches/${id}`, { method: "DELETE" });
  const afterwards = await postNdjson(changed, tenant, body, key);

  expect([repeat.status, repeat.headers.get("Idempotent-Replayed")]).toEqual([202, "true"]);
  expect((await dataOf<BatchRecord>(repeat)).id).toBe(id);
  expect([...others, afterwards].map(({ status }) => status)).toEqual([422, 400, 404]);
});

it("the results end with an error if the batch is deleted while they are being read", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(3) }));
  await ended(service, tenant, id);
  const broken = testService(({ batches }) => ({ batches: { ...batches, results: async () => null } }));

  const response = await get(broken, tenant, `/batches/${id}/results`);

  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});
