// Attachments of items and of documents that are rendered after the response.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { templateContent } from "colophon-test-kit/template-content";
import { get, newTenant, post } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, renderFile, renderNothing, testService } from "../app.ts";
import { laterRenders } from "../worker.ts";
import { ended, heldBack, ndjson, postBatch, postNdjson } from "./batches.ts";

const service = testService();
const data = { name: "Ada" };
const file = { name: "時間.csv", mimeType: "text/csv", relationship: "data", content: "YQ==" };
const namespace = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
const einvoice = { xml: `<CrossIndustryInvoice xmlns="${namespace}">é</CrossIndustryInvoice>`, profile: "BASIC" };

it.each([
  [
    "attachments and merged files",
    { output: ["merged"] },
    { attachments: [file] },
    "attachments",
    /not allowed with "mer/,
  ],
  ["an invoice and merged files", { output: ["merged"] }, { einvoice }, "einvoice", /not allowed with "merged"/],
  ["attachments and PDF/A-2", { conformance: ["pdf/a-2b"] }, { attachments: [file] }, "attachments", /PDF\/A-2 allows/],
  ["an invoice without PDF/A-3", {}, { einvoice }, "einvoice", /requires PDF\/A-3/],
  ["attachments and images", { format: "png" }, { attachments: [file] }, "attachments", /only allowed with/],
  ["a wrong name", {}, { attachments: [{ ...file, name: "a/b" }] }, "attachments.0.name", /must not contain `\/`/],
])("a batch with %s is refused with the item", async (_, options, item, path, message) => {
  const tenant = await newTenant(env, { plan: "pro" });
  const items = [{ data }, { data, ...item }];
  const body = ndjson({ templateId: tenant.templateId, ...options }, ...items);

  const refusals = [await postBatch(service, tenant, { ...options, items }), await postNdjson(service, tenant, body)];

  for (const refusal of await Promise.all(refusals.map(refusalOf))) {
    expect(refusal).toMatchObject({ status: 400, code: "VALIDATION_ERROR", details: [{ path: `items.1.${path}` }] });
    expect(refusal.message).toMatch(message);
  }
});

it("each item of a batch is rendered with its own attachments", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { release, jobs } = heldBack(tenant);
  const items = [{ data, attachments: [file] }, { data }, { data, einvoice }];

  const { id } = await dataOf(await postBatch(service, tenant, { items, conformance: ["pdf/a-3b"] }));
  release();
  await ended(service, tenant, id);

  const attached = new Map(jobs.map((job) => [job.batchPosition?.index, job.attached]));
  expect([attached.get(0), attached.get(1), attached.get(2)]).toEqual([
    { attachments: [file] },
    undefined,
    { attachments: [], einvoice },
  ]);
});

it("an asynchronous document with 3 MB of attachments is rendered with them", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const jobs: RenderJob[] = [];
  laterRenders.set(tenant.accountId, async (job) => {
    jobs.push(job);
    return renderFile(job);
  });
  const attachments = [{ ...file, content: "QUJD".repeat(1_000_000) }];
  const body = { templateId: tenant.templateId, data, attachments };

  const { id } = await dataOf(await post(service, tenant, body, { Prefer: "respond-async" }));
  const status = async () => (await dataOf(await get(service, tenant, `/documents/${id}`))).status;
  await vi.waitUntil(async () => (await status()) === "completed", { timeout: 20_000, interval: 100 });

  expect(jobs.map(({ attached }) => attached)).toEqual([{ attachments }]);
});

it.each([
  ["rendered", (job: RenderJob) => renderFile(job)],
  ["refused", () => renderNothing()],
  ["deleted while it is rendered", null],
])("the attachments of an asynchronous document are not stored any more when it is %s", async (_, render) => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { accountId, templateId } = tenant;
  let started = 0;
  laterRenders.set(accountId, async (job) => {
    started++;
    if (render) return render(job);
    await vi.waitUntil(async () => (await get(service, tenant, `/documents/${id}`)).status === 404, {
      timeout: 10_000,
    });
    return renderFile(job);
  });
  const attachments = [{ ...file, content: "U2VjcmV0" }];

  const { id } = await dataOf(
    await post(service, tenant, { templateId, data, attachments }, { Prefer: "respond-async" }),
  );
  await vi.waitUntil(() => started > 0, { timeout: 10_000 });
  if (!render) await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
  const stored = async () => JSON.stringify(await storedOf(accountId));
  await vi.waitUntil(async () => !(await stored()).includes(id), { timeout: 10_000, interval: 50 });

  expect(await stored()).not.toContain("U2VjcmV0");
});

/** Returns all rows of the object that renders an account's queued documents. */
function storedOf(accountId: string): Promise<unknown[]> {
  const runner = env.BATCH_RUNNER.get(env.BATCH_RUNNER.idFromName(accountId));
  return runInDurableObject<DurableObject, unknown[]>(runner, (_, { storage: { sql } }) => {
    const tables = sql.exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*'",
    );
    return tables.toArray().flatMap(({ name }) => sql.exec(`SELECT * FROM ${name}`).toArray());
  });
}

it.each([
  [
    "attachments",
    { attachments: [file] },
    ["pdf/a-2b"],
    undefined,
    /Item 0: `attachments` is not allowed with the conf/,
  ],
  ["attachments", { attachments: [file] }, ["pdf/a-2b"], ["pdf/a-3b"], null],
  ["attachments", { attachments: [file] }, ["pdf/a-2b"], [], null],
  ["einvoice", { einvoice }, ["pdf/a-3b"], undefined, null],
  ["einvoice", { einvoice }, ["pdf/a-3b"], [], /Item 0: `einvoice` requires PDF\/A-3/],
  ["encryption", { encryption: { userPassword: "a" } }, ["pdf/ua-1"], undefined, /Item 0: `encryption` is not allowed/],
  ["encryption", { encryption: { userPassword: "a" } }, ["pdf/ua-1"], [], null],
] as const)(
  "%s of an item with %j and the template's %j and the batch's %j is refused, or not",
  async (path, item, ofTemplate, conformance, message) => {
    const manifest = { ...templateContent({}).manifest, conformance: [...ofTemplate] };
    const tenant = await newTenant(env, { plan: "pro", content: { manifest } });
    laterRenders.set(tenant.accountId, renderFile);

    const response = await postBatch(service, tenant, {
      items: [{ data, ...item }],
      ...(conformance && { conformance }),
    });

    if (message === null) return expect(response.status).toBe(202);
    const refusal = await refusalOf(response);
    expect(refusal).toMatchObject({ status: 400, details: [{ path: `items.0.${path}` }] });
    expect(refusal.message).toMatch(message);
  },
);
