import { ContentDisposition } from "@remix-run/headers";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { get, newTenant, post, type Tenant } from "../../../fixtures/tenant.ts";
import { dataOf, renderNothing, testService, type DocumentJson, payloadsOf } from "../../app.ts";

// No message is sent to the queue, because no server listens at the webhook URLs.
const withoutQueue = () => testService(() => ({ webhookQueue: { send: async () => {} } }));
const service = withoutQueue();
const webhookUrl = "https://hooks.receiver.dev/hook";

const given = {
  filename: "Größe & 請求書 📄",
  metadata: JSON.parse('{"order":"17","__proto__":"kept","constructor":"","a.b_c-9":"Ünï 📄 \\u0022<>"}') as object,
};
const shown = { filename: "Größe & 請求書 📄.pdf", metadata: given.metadata };

function createWith(tenant: Tenant, body: object, headers: Record<string, string> = {}, on = service) {
  return post(on, tenant, { templateId: tenant.templateId, data: {}, ...body }, headers);
}

it("the file name and the metadata of a create appear in the response, the document, the list and the webhook event", async () => {
  const tenant = await newTenant(env);

  const record = await dataOf(await createWith(tenant, { ...given, webhookUrl }));

  expect(record).toMatchObject(shown);
  expect(await dataOf(await get(service, tenant, `/documents/${record.id}`))).toEqual(record);
  const { documents } = await dataOf<{ documents: DocumentJson[] }>(await get(service, tenant, "/documents"));
  expect(documents).toEqual([record]);
  expect(await payloadsOf(tenant)).toMatchObject([{ data: record }]);
});

it("the file name and the metadata of a create also appear in a failed document and its webhook event", async () => {
  const tenant = await newTenant(env);
  const failing = withoutQueue();
  failing.render = renderNothing;

  await createWith(tenant, { ...given, webhookUrl }, {}, failing);

  expect(await payloadsOf(tenant)).toMatchObject([{ data: { status: "failed", ...shown } }]);
});

it("the file name and the metadata of a create are not in the public URL, nor in the metadata of the stored file", async () => {
  const tenant = await newTenant(env);
  const record = await dataOf(await createWith(tenant, { filename: "secret", metadata: { secret: "secret" } }));

  const object = await env.FILES.head(record.fileUrl?.split("/").at(-1) ?? "");

  expect(record.fileUrl).toMatch(/\/files\/[\w-]{43}\.pdf$/);
  expect(JSON.stringify([object?.customMetadata, object?.httpMetadata])).not.toContain("secret");
});

it("the file name and the metadata of a create may have the maximum sizes", async () => {
  const tenant = await newTenant(env);
  const keys = Array.from({ length: 20 }, (_, index) => String(index).padStart(40, "k"));
  const metadata = Object.fromEntries(keys.map((key) => [key, "📄".repeat(500)]));

  const record = await dataOf(await createWith(tenant, { filename: "📄".repeat(200), metadata }));

  expect(record).toMatchObject({ filename: `${"📄".repeat(200)}.pdf`, metadata });
});

// test/http/documents/content-disposition.test.ts has many more names.
it("a download has the file name from the create", async () => {
  const tenant = await newTenant(env);
  const { id } = await dataOf(await createWith(tenant, given));

  const header = (await get(service, tenant, `/documents/${id}/download`)).headers.get("Content-Disposition") ?? "";

  expect(ContentDisposition.from(header).preferredFilename).toBe(shown.filename);
});

it("a download of the public file has no file name", async () => {
  const tenant = await newTenant(env);
  const { fileUrl } = await dataOf(await createWith(tenant, { filename: "secret" }));

  const response = await service.fetch(fileUrl ?? "");

  expect([...response.headers].join()).not.toContain("secret");
});
