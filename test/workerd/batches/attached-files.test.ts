// Attachments of items and of documents that are rendered after the response.
import { env } from "cloudflare:workers";
import { expect, it, vi } from "vitest";
import type { RenderJob } from "colophon-render/render-job";
import { get, newTenant, post } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, renderFile, testService } from "../app.ts";
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
