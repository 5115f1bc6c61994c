// Webhook URLs that are sent to the API. public-url.test.ts covers their many spellings.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { everything } from "../../fixtures/audit.ts";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import { databases, refusalOf, testService, totalOf, usageOf } from "../app.ts";

const webhooks = webhookStore(databases);

/** Returns a service that allows this origin. It sends no queue messages, so events stay in the outbox. */
function serviceAllowing(allowedOrigin = "") {
  const bindings = { CDN_URL: "https://files.colophon.dev/files", WEBHOOK_ALLOWED_ORIGINS: allowedOrigin };
  return testService(() => ({ webhookQueue: { send: async () => {} } }), { ...env, ...bindings });
}

function createWith(tenant: Tenant, webhookUrl: unknown, service = serviceAllowing(), templateId = tenant.templateId) {
  return post(service, tenant, { templateId, data: {}, webhookUrl }, { "Idempotency-Key": "order-17" });
}

async function storedUrls({ accountId }: Tenant): Promise<string[]> {
  return (await webhooks.list(accountId, {}, everything)).items.map(({ url }) => url);
}

const notText = "`webhookUrl` (string) must be an absolute https URL.";
const refusedFor = (reason: string) => `\`webhookUrl\` ${reason}; only https URLs of public hosts are allowed.`;

it.for<[webhookUrl: unknown, message: string]>([
  ...[null, 0, true, ["https://hooks.receiver.dev/"], {}].map((value): [unknown, string] => [value, notText]),
  ["/hook", refusedFor("must be an absolute https URL")],
  ["https://colophon.test/hook", refusedFor("must name a public host")],
  ["https://files.colophon.dev/hook", refusedFor("must not name a host of this service")],
  ["https://hooks.receiver.dev/".padEnd(2_049, "x"), refusedFor("must be at most 2048 characters long")],
  // No message quotes the URL, which may contain a password.
  ["https://user:hunter2@127.0.0.1/<script>", refusedFor("must not contain user info")],
])("a webhookUrl is refused, and nothing is stored, if it is %j", async ([webhookUrl, message]) => {
  const tenant = await newTenant(env);
  const service = serviceAllowing();

  const response = await createWith(tenant, webhookUrl, service);

  expect(await refusalOf(response)).toEqual({
    status: 400,
    code: "VALIDATION_ERROR",
    message,
    details: [{ path: "webhookUrl", message }],
  });
  const left = { urls: await storedUrls(tenant), documents: await totalOf(tenant), jobs: service.jobs.length };
  expect({ ...left, ...(await usageOf(tenant)) }).toEqual({ urls: [], documents: 0, jobs: 0, used: 0, reserved: 0 });
});

it("a webhookUrl is refused before the template is looked up", async () => {
  const response = await createWith(await newTenant(env), "https://localhost/", serviceAllowing(), crypto.randomUUID());

  expect((await refusalOf(response)).code).toBe("VALIDATION_ERROR");
});

it.for([
  { webhookUrl: "http://127.0.0.1:9900/hook?a=b", allowed: "http://127.0.0.1:9900", status: 201 },
  { webhookUrl: "http://127.0.0.1:990/", allowed: "http://127.0.0.1:9900", status: 400 },
  { webhookUrl: "http://127.0.0.1:9900/", allowed: "https://receiver.test", status: 400 },
])("the URL $webhookUrl gets $status if $allowed is allowed", async ({ webhookUrl, allowed, status }) => {
  const response = await createWith(await newTenant(env), webhookUrl, serviceAllowing(allowed));

  expect(response.status).toBe(status);
});
