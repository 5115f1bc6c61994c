// Batches whose files are private: items, merged files, and the links to both.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { isMergedFileKey } from "../../../src/core/documents/document.ts";
import { baseUrl, get, newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, renderNothing, send, testService, type DocumentJson } from "../app.ts";
import { laterRenders } from "../worker.ts";
import { ended, items, ndjson, postBatch, postNdjson, renderPdf, resultsOf } from "./batches.ts";

const service = testService();
const links = `${new URL(baseUrl).origin}/links/`;
const statusOf = async (url: string | null) => (await service.fetch(url ?? "")).status;

/** Returns the keys of the account's files in the public bucket, and in the private one. */
async function census(keys: string[]): Promise<{ inPublic: string[]; inPrivate: string[] }> {
  const has = async (bucket: R2Bucket) => {
    const found = await Promise.all(keys.map((key) => bucket.head(key)));
    return keys.filter((_, at) => found[at]);
  };
  return { inPublic: await has(env.FILES), inPrivate: await has(env.PRIVATE_FILES) };
}

async function privateBatch(body: object = {}): Promise<{ tenant: Tenant; id: string; keys: string[] }> {
  const tenant = await newTenant(env, { plan: "pro" });
  const keys: string[] = [];
  laterRenders.set(tenant.accountId, (job) => {
    keys.push(job.fileKey);
    return job.html.includes("n2") ? renderNothing() : renderPdf(job);
  });
  const all = { items: items(3), access: "private", output: ["documents", "merged"], ...body };
  const { id } = await dataOf(await postBatch(service, tenant, all));
  return { tenant, id, keys };
}

it("a private batch has only private files, and its record and results contain links to them", async () => {
  const { tenant, id, keys } = await privateBatch({ linkExpiresIn: 3_600 });

  const batch = await ended(service, tenant, id);
  const results = await resultsOf(service, tenant, id);
  const { documents } = await dataOf<{ documents: DocumentJson[] }>(
    await get(service, tenant, `/documents?batchId=${id}`),
  );

  const urls = [...batch.files.map(({ url }) => url), ...results.slice(0, 2).map(({ fileUrl }) => fileUrl)];
  expect(batch).toMatchObject({ access: "private", files: [{ pageCount: 2, url: expect.stringContaining(links) }] });
  expect(await Promise.all(urls.map(statusOf))).toEqual([200, 200, 200]);
  expect(results[2]).toMatchObject({ status: "failed", fileUrl: null });
  expect(Date.parse(results[0]?.linkExpiresAt ?? "") - Date.now()).toBeGreaterThan(3_500_000);
  expect(documents.map(({ access }) => access)).toEqual(Array(3).fill("private"));
  const { inPublic, inPrivate } = await census(keys);
  expect([keys.every((key) => key.startsWith("private/")), inPublic, inPrivate.length]).toEqual([true, [], 2]);
  const { objects } = await env.FILES.list();
  expect(objects.filter(({ key }) => key.startsWith("private/") || isMergedFileKey(key))).toEqual([]);
});

it("the links to the merged files of a batch end with the batch, and those to its documents with the documents", async () => {
  const { tenant, id } = await privateBatch();
  const authorization = { Authorization: `Bearer ${tenant.key}` };
  const { files } = await ended(service, tenant, id);
  const [first, second] = await resultsOf(service, tenant, id);

  await send(service, { method: "DELETE", path: `/documents/${first?.documentId}` }, authorization);
  const [deleted] = await resultsOf(service, tenant, id);
  await send(service, { method: "DELETE", path: `/batches/${id}` }, authorization);

  expect(deleted).toMatchObject({ status: "completed", fileUrl: null });
  expect(await Promise.all([files[0]?.url ?? "", first?.fileUrl ?? "", second?.fileUrl ?? ""].map(statusOf))).toEqual([
    404, 404, 200,
  ]);
});

it("ending the links of a batch ends those to its merged files, and its record then has valid ones", async () => {
  const { tenant, id } = await privateBatch();
  const foreign = await newTenant(env);
  const before = await ended(service, tenant, id);
  const end = ({ key }: Tenant) =>
    send(service, { method: "DELETE", path: `/batches/${id}/links` }, { Authorization: `Bearer ${key}` });

  const refused = await end(foreign);
  const whileForeign = await statusOf(before.files[0]?.url ?? "");
  const response = await end(tenant);

  const after = await ended(service, tenant, id);
  expect(await refusalOf(refused)).toMatchObject({ status: 404, code: "BATCH_NOT_FOUND" });
  expect(await dataOf<object>(response)).toEqual({ id, linksEnded: true });
  expect([whileForeign, await statusOf(before.files[0]?.url ?? ""), await statusOf(after.files[0]?.url ?? "")]).toEqual(
    [200, 404, 200],
  );
});

it("a new link to an item in the results is valid after its earlier links were ended", async () => {
  const { tenant, id } = await privateBatch({ output: ["documents"] });
  await ended(service, tenant, id);
  const [before] = await resultsOf(service, tenant, id);

  const path = `/documents/${before?.documentId}/links`;
  await send(service, { method: "DELETE", path }, { Authorization: `Bearer ${tenant.key}` });

  const [after] = await resultsOf(service, tenant, id);
  expect([await statusOf(before?.fileUrl ?? ""), await statusOf(after?.fileUrl ?? "")]).toEqual([404, 200]);
});

it("an asynchronous private document gets its link when it is completed", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const body = { templateId: tenant.templateId, data: {}, access: "private" };
  const headers = { Authorization: `Bearer ${tenant.key}`, Prefer: "respond-async" };
  const accepted = await dataOf(await send(service, { method: "POST", path: "/documents", body }, headers));

  const read = async () => dataOf(await get(service, tenant, `/documents/${accepted.id}`));
  await expect.poll(async () => (await read()).status).toBe("completed");

  expect(accepted).toMatchObject({ status: "processing", access: "private", pdfUrl: null, linkExpiresAt: null });
  expect(await statusOf((await read()).pdfUrl)).toBe(200);
});

it("the options of a batch in NDJSON can make it private, and a batch without them has no new property", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const lines = (options: object) => ndjson({ templateId: tenant.templateId, ...options }, { data: {} });

  const made = await Promise.all(
    [{ access: "private" }, {}].map(async (each) => dataOf(await postNdjson(service, tenant, lines(each)))),
  );
  const [closed, open] = await Promise.all(made.map(({ id }) => ended(service, tenant, id)));
  const [result] = await resultsOf(service, tenant, open?.id ?? "");

  expect([closed?.access, Object.keys(open ?? {}).includes("access")]).toEqual(["private", false]);
  expect(Object.keys(result ?? {})).not.toContain("linkExpiresAt");
  expect(result?.fileUrl).not.toContain("/links/");
});

it("an item of a batch cannot choose its own access", async () => {
  const tenant = await newTenant(env);

  const response = await postBatch(service, tenant, { items: [{ data: {}, access: "private" }] });

  expect(await refusalOf(response)).toMatchObject({ status: 400, details: [{ path: "items.0.access" }] });
});
