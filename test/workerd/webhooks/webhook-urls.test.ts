// Sends many spellings of webhook URLs to the API. The API must either refuse a URL and store nothing, or store the URL in a
// form that passes an independent check. workerd parses the URLs here, as it does when the service sends a webhook.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { acceptedUrls, curiousUrls, offenceOf, ownHosts, refusedUrls } from "../../core/public-url-inputs.ts";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  callTimeoutMs,
  dataOf,
  refusalOf,
  renderNothing,
  testService,
  totalOf,
  unboundedInFlight,
  usageOf,
  type DocumentJson,
  type Failure,
} from "../app.ts";

const webhooks = webhookStore(d1Client(env.DB, callTimeoutMs));
const service = serviceAllowing();

/**
 * Returns a service that allows these origins, and refuses the hosts in `ownHosts`. The service sends no queue messages, so
 * events stay in the outbox.
 */
function serviceAllowing(allowedOrigins: string[] = []) {
  return testService(({ settings }) => ({
    settings: {
      ...settings,
      rendersInFlight: unboundedInFlight,
      webhookUrls: { allowedOrigins: new Set(allowedOrigins), ownHosts },
    },
    webhookQueue: { send: async () => {} },
  }));
}

const newEnterpriseTenant = () => newTenant(env, { plan: "enterprise" });
const atOnce = 20;
/** A body with a lone surrogate is refused before its URL is read, so such a URL cannot be sent. */
const isWellFormed = (text: string) => text.isWellFormed();

type Outcome = { text: string; status: number; error?: Failure["error"]; document?: DocumentJson };

/** Creates one document for each of these URLs, `atOnce` at a time. */
async function createAll(tenant: Tenant, texts: string[]): Promise<Outcome[]> {
  const responses: Outcome[] = [];
  for (let from = 0; from < texts.length; from += atOnce) {
    const batch = texts.slice(from, from + atOnce).map((text) => createWith(tenant, text));
    responses.push(...(await Promise.all(batch)));
  }
  return responses;
}

async function createWith(tenant: Tenant, text: string): Promise<Outcome> {
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl: text });
  if (response.status === 201) return { text, status: 201, document: await dataOf(response) };
  return { text, ...(await response.json<Failure>()), status: response.status };
}

function isPlainRefusal({ status, error }: Outcome): boolean {
  const [detail, ...others] = error?.details ?? [];
  const names = detail?.path === "webhookUrl" && /^`webhookUrl` must [^<>]{10,150}\.$/.test(detail.message);
  return status === 400 && error?.code === "VALIDATION_ERROR" && names && others.length === 0;
}

/** Counts what the tenant's creates have stored or used: documents, events, renders and the usage of the allowance. */
async function storedAndUsed(tenant: Tenant) {
  const { accountId } = tenant;
  const [documents, usage, events] = await Promise.all([totalOf(tenant), usageOf(tenant), webhooks.list(accountId)]);
  const renders = service.jobs.filter((job) => job.accountId === accountId).length;
  return { documents, usage, events: events.length, renders };
}

const nothing = { documents: 0, usage: { used: 0, reserved: 0 }, events: 0, renders: 0 };

describe.each(Object.entries(refusedUrls))("%s", (_what, texts) => {
  it("is refused as a bad `webhookUrl` in every spelling, and nothing is stored", async () => {
    const tenant = await newEnterpriseTenant();

    const responses = await createAll(tenant, texts.filter(isWellFormed));

    expect(responses.filter((response) => !isPlainRefusal(response))).toEqual([]);
    expect(await storedAndUsed(tenant)).toEqual(nothing);
  });
});

describe("a public URL", () => {
  it("is accepted, and stored in its normal form", async () => {
    const tenant = await newEnterpriseTenant();

    const sent = acceptedUrls.filter(([text]) => isWellFormed(text));
    const responses = await createAll(
      tenant,
      sent.map(([text]) => text),
    );

    const kept = await urlsOf(tenant);
    expect(responses.map(({ text, document }) => [text, kept.get(document?.id ?? "")])).toEqual(sent);
  });

  it("is stored for a failed render too", async () => {
    const tenant = await newEnterpriseTenant();
    const failing = serviceAllowing();
    failing.render = renderNothing;

    const response = await post(failing, tenant, {
      templateId: tenant.templateId,
      data: {},
      webhookUrl: "https://Hooks.receiver.dev:443",
    });

    expect(response.status).toBe(422);
    expect([...(await urlsOf(tenant)).values()]).toEqual(["https://hooks.receiver.dev/"]);
  });
});

describe("an unusual URL", () => {
  it("is either refused, or accepted in a form that passes an independent check", async () => {
    const tenant = await newEnterpriseTenant();

    const responses = await createAll(tenant, curiousUrls.filter(isWellFormed));

    const kept = await urlsOf(tenant);
    const accepted = responses.filter(({ status }) => status === 201);
    const offences = accepted.flatMap(({ text, document }) => {
      const url = kept.get(document?.id ?? "") ?? "";
      const offence = offenceOf(url);
      return offence ? [{ text, url, offence }] : [];
    });
    expect(offences).toEqual([]);
    expect(responses.filter((response) => response.status !== 201 && !isPlainRefusal(response))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(20);
    expect((await storedAndUsed(tenant)).documents).toBe(accepted.length);
  });
});

describe("a webhookUrl that is not a string", () => {
  it.for([null, 0, 1, true, false, [], ["https://hooks.receiver.dev/"], {}, { url: "https://hooks.receiver.dev/" }])(
    "is refused (%j)",
    async (webhookUrl) => {
      const tenant = await newEnterpriseTenant();

      const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl });

      expect(await refusalOf(response)).toMatchObject({
        status: 400,
        code: "VALIDATION_ERROR",
        details: [{ path: "webhookUrl", message: "`webhookUrl` (string) must be an absolute https URL." }],
      });
      expect(await storedAndUsed(tenant)).toEqual(nothing);
    },
  );
});

describe("a webhookUrl", () => {
  it.for([
    [2_048, 201],
    [2_049, 400],
  ] as const)("of %i characters gets status %i", async ([length, status]) => {
    const tenant = await newEnterpriseTenant();

    const response = await createWith(tenant, "https://hooks.receiver.dev/".padEnd(length, "x"));

    expect(response.status).toBe(status);
  });

  it("above the length limit is refused with a message that names the limit", async () => {
    const { error } = await createWith(await newEnterpriseTenant(), "https://hooks.receiver.dev/".padEnd(2_049, "x"));

    expect(error?.details?.[0]?.message).toContain("at most 2048 characters");
  });
});

describe("a refusal of the URL", () => {
  it("does not quote the URL", async () => {
    const { error } = await createWith(await newEnterpriseTenant(), "https://user:hunter2@127.0.0.1/<script>");

    expect(JSON.stringify(error)).not.toMatch(/hunter2|script|127/);
  });

  it("happens before the template is looked up", async () => {
    const tenant = await newEnterpriseTenant();

    const response = await createWith({ ...tenant, templateId: crypto.randomUUID() }, "https://localhost/");

    expect(response.error?.code).toBe("VALIDATION_ERROR");
  });

  it("does not use up an idempotency key", async () => {
    const tenant = await newEnterpriseTenant();
    const send = (webhookUrl: string) =>
      post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl }, { "Idempotency-Key": "order-17" });
    await send("https://localhost/");

    const response = await send("https://hooks.receiver.dev/");

    expect([response.status, response.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  });
});

describe("a service with an allowed origin", () => {
  const local = serviceAllowing(["http://127.0.0.1:9900"]);
  const send = async (webhookUrl: string) => {
    const tenant = await newEnterpriseTenant();
    return post(local, tenant, { templateId: tenant.templateId, data: {}, webhookUrl });
  };

  it.for(["http://127.0.0.1:9900", "http://127.0.0.1:9900/hook?a=b", "HTTP://127.1:9900/"])(
    "accepts %s",
    async (webhookUrl) => {
      expect((await send(webhookUrl)).status).toBe(201);
    },
  );

  it.for([
    "http://127.0.0.1/",
    "http://127.0.0.1:990/",
    "http://127.0.0.1:99000/",
    "https://127.0.0.1:9900/",
    "http://127.0.0.1:9900@receiver.dev/",
    "http://127.0.0.1:9900.receiver.dev/",
    "http://a@127.0.0.1:9900/",
  ])("does not accept %s", async (webhookUrl) => {
    expect((await send(webhookUrl)).status).toBe(400);
  });
});

describe("a service with the configured settings", () => {
  it.for(["https://colophon.test/hook", "https://files.test/files", "http://127.0.0.1:9900/"])(
    "refuses %s",
    async (webhookUrl) => {
      const tenant = await newEnterpriseTenant();

      const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {}, webhookUrl });

      expect(response.status).toBe(400);
    },
  );
});

/** Returns the URLs of the account's webhooks, keyed by document id. */
async function urlsOf({ accountId }: Tenant): Promise<Map<string, string>> {
  return new Map((await webhooks.list(accountId)).map(({ documentId, url }) => [documentId, url]));
}
