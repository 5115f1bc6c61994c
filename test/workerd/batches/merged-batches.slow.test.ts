// The merged files of a batch, with small PDFs instead of rendered ones.
import { env } from "cloudflare:workers";
import { getDocumentProxy } from "unpdf";
import { expect, it } from "vitest";
import { latin1 } from "colophon-test-kit/pdf";
import { templateContent } from "colophon-test-kit/template-content";
import { get, newTenant } from "../../fixtures/tenant.ts";
import { dataOf, renderFile, renderNothing, send, testService } from "../app.ts";
import { laterRenders } from "../worker.ts";
import { ended, items, postBatch, renderPdf, resultsOf } from "./batches.ts";

const service = testService();

async function bookmarksOf(url: string): Promise<string[]> {
  const object = await env.FILES.get(url.split("/").at(-1) ?? "");
  const pdf = await getDocumentProxy(new Uint8Array((await object?.arrayBuffer()) ?? new ArrayBuffer()));
  return ((await pdf.getOutline()) as { title: string }[]).map(({ title }) => title);
}

it("a merged batch has one file with a bookmark for each completed item, in the order of the items", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, (job) => (job.html.includes("n2") ? renderNothing() : renderPdf(job)));
  const named = [...items(4), { data: { name: "n4" }, filename: "Ada" }, { data: { name: "n5" } }];

  const { id } = await dataOf(await postBatch(service, tenant, { items: named, output: ["merged"] }));

  const batch = await ended(service, tenant, id);
  const [file] = batch.files;
  expect(batch.files).toEqual([
    {
      kind: "merged",
      url: expect.stringMatching(/\/[\w-]{43}\.merged\.pdf$/),
      fileSize: expect.any(Number),
      pageCount: 5,
    },
  ]);
  expect(await bookmarksOf(file?.url ?? "")).toEqual(["c-0", "c-1", "c-3", "Ada.pdf", "Document 6"]);
  expect((await env.FILES.head(file?.url.split("/").at(-1) ?? ""))?.size).toBe(file?.fileSize);
  expect((await resultsOf(service, tenant, id)).filter(({ status }) => status === "completed")).toHaveLength(5);
});

it("a merged batch has several files if one file would have too many pages", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, (job) => renderPdf(job, 900));

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(5), output: ["documents", "merged"] }));

  const { files } = await ended(service, tenant, id);
  expect(await Promise.all(files.map(({ url }) => bookmarksOf(url)))).toEqual([
    ["c-0", "c-1"],
    ["c-2", "c-3"],
    ["c-4"],
  ]);
});

it("a merged batch has blank pages between its documents if each of them must start on an odd page", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, (job) => renderPdf(job));
  const output = { output: ["merged"], merged: { startOn: "odd" } };

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(3), ...output }));

  const { files } = await ended(service, tenant, id);
  expect(files.map(({ pageCount }) => pageCount)).toEqual([5]);
});

it.each([
  ["request", { conformance: ["pdf/a-3b"] }, [], 3],
  ["template", {}, ["pdf/a-2b" as const], 2],
])("the merged file has the conformance that the %s asks for", async (_, rest, ofTemplate, part) => {
  const manifest = { ...templateContent({}).manifest, conformance: ofTemplate };
  const tenant = await newTenant(env, { plan: "pro", content: { manifest } });
  laterRenders.set(tenant.accountId, (job) => renderPdf(job));

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2), output: ["merged"], ...rest }));

  const { files } = await ended(service, tenant, id);
  const merged = await (await env.FILES.get(files[0]?.url.split("/").at(-1) ?? ""))?.arrayBuffer();
  const text = latin1(new Uint8Array(merged ?? new ArrayBuffer()));
  expect(text).toContain(`<pdfaid:part>${part}</pdfaid:part>`);
  expect(text).toMatch(/\/ID ?\[</);
});

it("a merged batch has no file if no item was completed", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, renderNothing);

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2), output: ["merged"] }));

  const { files, warnings } = await ended(service, tenant, id);
  expect([files, warnings]).toEqual([[], ["No document was completed, so the batch has no merged files."]]);
});

it("a merged batch reports how many documents are missing from its file because they had been removed", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  let removedKey = "";
  laterRenders.set(tenant.accountId, async (job) => {
    const outcome = await renderPdf(job);
    if (job.html.includes("n1")) removedKey = job.fileKey;
    if (job.html.includes("n3")) {
      await expect.poll(() => removedKey).not.toBe("");
      await env.FILES.delete(removedKey);
    }
    return outcome;
  });

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(4), output: ["merged"] }));

  const { files, warnings } = await ended(service, tenant, id);
  expect(await bookmarksOf(files[0]?.url ?? "")).toEqual(["c-0", "c-2", "c-3"]);
  expect(warnings).toEqual(["The merged files lack 1 document before item 4, whose files had been removed."]);
});

it("a merged batch ends without the file if the documents cannot be merged", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, renderFile);

  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2), output: ["merged"] }));

  const batch = await ended(service, tenant, id);
  expect([batch.files, batch.counts.completed]).toEqual([[], 2]);
  expect(batch.warnings).toEqual(["The documents could not be merged, so the batch has no merged files."]);
});

it("the merged files of a batch are removed when the batch is deleted", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  laterRenders.set(tenant.accountId, renderPdf);
  const { id } = await dataOf(await postBatch(service, tenant, { items: items(2), output: ["merged"] }));
  const [file] = (await ended(service, tenant, id)).files;
  const key = file?.url.split("/").at(-1) ?? "";
  expect(await env.FILES.head(key)).not.toBeNull();

  await send(service, { method: "DELETE", path: `/batches/${id}` }, { Authorization: `Bearer ${tenant.key}` });

  await expect.poll(() => env.FILES.head(key), { timeout: 5_000 }).toBeNull();
  expect((await get(service, tenant, `/batches/${id}/results`)).status).toBe(404);
});
