// Which documents are private: the settings of the account, the template and the request together, in creates and batches.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { Access, TemplateManifest } from "colophon-template-model/template";
import { templateContent } from "colophon-test-kit/template-content";
import { accessOf, newFileKey } from "../../../src/core/documents/document.ts";
import { updateAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { shardOf } from "../../fixtures/databases.ts";
import { newTenant, post, pushed, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService } from "../app.ts";
import { ended, items, postBatch, renderPdf, resultsOf } from "../batches/batches.ts";
import { callerOf, callerWith, manageUrl, operatorKey } from "../manage/manage.ts";
import { laterRenders } from "../worker.ts";

type Policy = Pick<TemplateManifest, "access" | "allowPublic">;

const service = testService();
const content = (policy: Policy) => ({ manifest: { ...templateContent({}).manifest, ...policy } });

async function tenantWith(policy: Policy, access: Access = "public"): Promise<Tenant> {
  const tenant = await newTenant(env, { content: content(policy) });
  await updateAccount(operatorServices(env), tenant.accountId, { access });
  return tenant;
}

/** Returns the access of all the account's documents by their file keys, live or test ones. */
async function stored({ accountId }: Tenant, suffix = ""): Promise<Access[]> {
  const select = "SELECT file_key AS key FROM documents WHERE account_id = ?";
  const shard = await shardOf(env, accountId);
  const { results } = await shard
    .prepare(select)
    .bind(accountId + suffix)
    .all<{ key: string }>();
  return results.map(({ key }) => accessOf(key));
}

const body = ({ templateId }: Tenant, access?: Access) => ({ templateId, data: {}, ...(access && { access }) });
const isLater = { Prefer: "respond-async" };

it.each<[account: Access, policy: Policy, requested: Access | undefined, result: Access]>([
  ["public", {}, undefined, "public"],
  ["public", {}, "private", "private"],
  ["public", { access: "private" }, undefined, "private"],
  ["public", { access: "private", allowPublic: true }, "public", "public"],
  ["private", {}, undefined, "private"],
  ["private", { access: "public" }, undefined, "private"],
])("in a %s account, a template with %j and a request for %s: documents and batches are %s", async (...row) => {
  const [account, policy, requested, result] = row;
  const tenant = await tenantWith(policy, account);
  laterRenders.set(tenant.accountId, (job) => renderPdf(job));
  const options = { ...(requested && { access: requested }), items: items(2), output: ["documents", "merged"] };

  await post(service, tenant, body(tenant, requested));
  const later = await post(service, tenant, body(tenant, requested), isLater);
  const { id } = await dataOf(await postBatch(service, tenant, options));
  const { files } = await ended(service, tenant, id);

  expect([later.status, await stored(tenant)]).toEqual([202, [result, result, result, result]]);
  const urls = [
    ...files.map(({ url }) => url),
    ...(await resultsOf(service, tenant, id)).map(({ fileUrl }) => fileUrl),
  ];
  expect(urls.map((url) => (url?.includes("/links/") ? "private" : "public"))).toEqual([result, result, result]);
});

it.each<[account: Access, policy: Policy, reason: string]>([
  ["private", { access: "private", allowPublic: true }, "all documents of this account are private."],
  ["public", { access: "private" }, "does not have `allowPublic`."],
])("a public document is refused in a %s account with a template with %j, and nothing is stored", async (...row) => {
  const [account, policy, reason] = row;
  const tenant = await tenantWith(policy, account);
  const batch = { access: "public", items: items(2) };

  const refusals = [
    await refusalOf(await post(service, tenant, body(tenant, "public"))),
    await refusalOf(await post(service, tenant, body(tenant, "public"), isLater)),
    await refusalOf(await postBatch(service, tenant, batch)),
  ];

  const refusal = { status: 400, code: "VALIDATION_ERROR", details: [{ path: "access" }] };
  expect(refusals).toMatchObject([refusal, refusal, refusal]);
  expect(refusals.every(({ message }) => message.endsWith(reason))).toBe(true);
  expect(await stored(tenant)).toEqual([]);
});

it("a request cannot make a document public by an older version, from before the template was private", async () => {
  const tenant = await tenantWith({});
  await pushed(env, tenant.accountId, { page: "new", content: content({ access: "private" }) });
  const older = { ...body(tenant), templateVersion: 1 };

  const refused = await refusalOf(await post(service, tenant, { ...older, access: "public" }));
  await post(service, tenant, older);

  expect(refused).toMatchObject({ status: 400, details: [{ path: "access" }] });
  expect(await stored(tenant)).toEqual(["private"]);
});

it("the test documents of a private account are private", async () => {
  const tenant = await tenantWith({}, "private");
  const { key } = await callerOf(tenant).ok<{ key: string }>("POST", "/keys", { name: "t", isTest: true }, 201);

  await post(service, { ...tenant, key }, body(tenant));

  expect(await stored(tenant, "-test")).toEqual(["private"]);
});

it("a private document that is exported and imported stays private", async () => {
  const tenant = await tenantWith({}, "private");
  const caller = callerWith(operatorKey);
  const { accountId } = tenant;
  const record = await dataOf(await post(service, tenant, body(tenant)));
  type Part = { rows: { table: string; row: Record<string, unknown> }[] };
  const path = `/admin/accounts/${accountId}/export?cursor=documents`;
  const [exported = expect.unreachable()] = (await caller.ok<Part>("GET", path)).rows;
  const objectPath = (key: unknown) => `/admin/objects?bucket=files&key=${encodeURIComponent(String(key))}`;
  const { transfer } = operatorServices(env);
  const object = await transfer.readObject("files", String(exported.row["fileKey"]));
  const bytes = await new Response(object?.body).arrayBuffer();

  const row = { ...exported.row, id: crypto.randomUUID(), fileKey: newFileKey("pdf", "private") };
  const headers = {
    Authorization: `Bearer ${operatorKey}`,
    "Content-Length": String(bytes.byteLength),
    "X-Object-Metadata": encodeURIComponent(JSON.stringify({ customMetadata: object?.metadata })),
  };
  const missing = await caller.refused("GET", objectPath(row.fileKey));
  const put = { method: "PUT", headers, body: bytes };
  const uploaded = await caller.service.fetch(manageUrl + objectPath(row.fileKey), put);
  await caller.ok("POST", "/admin/import", { accountId, rows: [{ table: "documents", row }] });

  expect([missing.code, uploaded.status, await sha256Hex(new Uint8Array(bytes))]).toEqual([
    "NOT_FOUND",
    200,
    record.sha256,
  ]);
  expect(await env.FILES.head(row.fileKey)).toBeNull();
  const kept = await env.PRIVATE_FILES.head(row.fileKey);
  expect(kept?.httpMetadata).toMatchObject({ cacheControl: "private, no-store" });
  const imported = await callerOf(tenant).ok<{ pdfUrl: string }>(
    "GET",
    `https://colophon.test/api/v1/documents/${row.id}`,
  );
  expect((await service.fetch(imported.pdfUrl)).status).toBe(200);
});
