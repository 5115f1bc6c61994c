// The URLs in responses and webhooks when the operator has set neither BASE_URL nor CDN_URL.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { dataOf, refusalOf, testService, payloadsOf } from "../app.ts";

/** Events never reach their sender, so nothing is sent to the hosts in the tests. */
const withoutQueue = () => ({ webhookQueue: { send: async () => {} } });
const service = testService(withoutQueue, { ...env, BASE_URL: undefined, CDN_URL: undefined });
const origins = ["https://pdf.customer.dev", "http://localhost:8787"];

function create(origin: string, { key, templateId }: Tenant, more: object = {}): Promise<Response> {
  return service.fetch(`${origin}/api/v1/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ templateId, data: {}, ...more }),
  });
}

it.for(origins)("a create at %s gets URLs of the document and its file at that origin", async (origin) => {
  const response = await create(origin, await newTenant(env));

  const { id, pdfUrl } = await dataOf(response);
  expect(response.headers.get("Location")).toBe(`${origin}/api/v1/documents/${id}`);
  expect(pdfUrl).toMatch(`${origin}/files/`);
  expect((await service.fetch(pdfUrl ?? "")).status).toBe(200);
});

it("the webhook event of a create has the URL of the file at the origin of the create's request", async () => {
  const tenant = await newTenant(env);

  const { id, pdfUrl } = await dataOf(
    await create("https://pdf.customer.dev", tenant, { webhookUrl: "https://hooks.receiver.dev/hook" }),
  );

  expect(await payloadsOf(tenant)).toMatchObject([{ data: { id, pdfUrl } }]);
});

it("a webhook to the origin of the request is refused", async () => {
  const tenant = await newTenant(env);

  const response = await create("https://pdf.customer.dev", tenant, { webhookUrl: "https://pdf.customer.dev/hook" });

  expect(await refusalOf(response)).toMatchObject({ status: 400, code: "VALIDATION_ERROR" });
});

it.for(origins)("the description of the API names %s as its server if it is read there", async (origin) => {
  const response = await service.fetch(`${origin}/api/v1/openapi.json`);

  const { servers } = await response.json<{ servers: { url: string }[] }>();
  expect(servers).toMatchObject([{ url: `${origin}/api/v1` }]);
});
