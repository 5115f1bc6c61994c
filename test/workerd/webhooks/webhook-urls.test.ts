// Every spelling of a webhook's URL through the interface: refused as a bad request that leaves nothing, or accepted and
// kept in a form with which an oracle of its own finds no fault. The parser is workerd's, as it is for the fetch later.
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
const service = calling();

/** The service under the host names of these tests; nothing is sent, events stay in the outbox. */
function calling(allowedOrigins: string[] = []) {
  return testService(({ settings }) => ({
    settings: {
      ...settings,
      rendersInFlight: unboundedInFlight,
      webhookUrls: { allowedOrigins: new Set(allowedOrigins), ownHosts },
    },
    webhookQueue: { send: async () => {} },
  }));
}

const newCaller = () => newTenant(env, { plan: "enterprise" });
const atOnce = 20;

type Answer = { text: string; status: number; error?: Failure["error"]; document?: DocumentJson };

/** Creates with each of these URLs, some at once. */
async function answersTo(tenant: Tenant, texts: string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (let from = 0; from < texts.length; from += atOnce) {
    const batch = texts.slice(from, from + atOnce).map((text) => answerTo(tenant, text));
    answers.push(...(await Promise.all(batch)));
  }
  return answers;
}

async function answerTo(tenant: Tenant, text: string): Promise<Answer> {
  const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl: text });
  if (response.status === 201) return { text, status: 201, document: await dataOf(response) };
  return { text, ...(await response.json<Failure>()), status: response.status };
}

function isPlainRefusal({ status, error }: Answer): boolean {
  const [detail, ...others] = error?.details ?? [];
  const names = detail?.path === "webhookUrl" && /^`webhookUrl` must [^<>]{10,150}\.$/.test(detail.message);
  return status === 400 && error?.code === "VALIDATION_ERROR" && names && others.length === 0;
}

/** What an account's creates have left. */
async function left(tenant: Tenant) {
  const { accountId } = tenant;
  const [documents, usage, events] = await Promise.all([totalOf(tenant), usageOf(tenant), webhooks.list(accountId)]);
  const renders = service.jobs.filter((job) => job.accountId === accountId).length;
  return { documents, usage, events: events.length, renders };
}

const nothing = { documents: 0, usage: { used: 0, reserved: 0 }, events: 0, renders: 0 };

describe.each(Object.entries(refusedUrls))("%s", (_what, texts) => {
  it("is refused as a bad `webhookUrl`, whatever the spelling, and leaves nothing", async () => {
    const tenant = await newCaller();

    const answers = await answersTo(tenant, texts);

    expect(answers.filter((answer) => !isPlainRefusal(answer))).toEqual([]);
    expect(await left(tenant)).toEqual(nothing);
  });
});

describe("a public URL", () => {
  it("is accepted, and kept for the webhook in its normal form", async () => {
    const tenant = await newCaller();

    const answers = await answersTo(
      tenant,
      acceptedUrls.map(([text]) => text),
    );

    const kept = await urlsOf(tenant);
    expect(answers.map(({ text, document }) => [text, kept.get(document?.id ?? "")])).toEqual(acceptedUrls);
  });

  it("is kept as well for a render that fails", async () => {
    const tenant = await newCaller();
    const failing = calling();
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

describe("a curious URL", () => {
  it("is accepted only when the oracle finds no fault, and otherwise refused", async () => {
    const tenant = await newCaller();

    const answers = await answersTo(tenant, curiousUrls);

    const kept = await urlsOf(tenant);
    const accepted = answers.filter(({ status }) => status === 201);
    const offences = accepted.flatMap(({ text, document }) => {
      const url = kept.get(document?.id ?? "") ?? "";
      const offence = offenceOf(url);
      return offence ? [{ text, url, offence }] : [];
    });
    expect(offences).toEqual([]);
    expect(answers.filter((answer) => answer.status !== 201 && !isPlainRefusal(answer))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(20);
    expect((await left(tenant)).documents).toBe(accepted.length);
  });
});

describe("a webhookUrl that is no string", () => {
  it.for([null, 0, 1, true, false, [], ["https://hooks.receiver.dev/"], {}, { url: "https://hooks.receiver.dev/" }])(
    "is refused: %j",
    async (webhookUrl) => {
      const tenant = await newCaller();

      const response = await post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl });

      expect(await refusalOf(response)).toMatchObject({
        status: 400,
        code: "VALIDATION_ERROR",
        details: [{ path: "webhookUrl", message: "`webhookUrl` (string) must be an absolute https URL." }],
      });
      expect(await left(tenant)).toEqual(nothing);
    },
  );
});

describe("a webhookUrl's length", () => {
  it.for([
    [2_048, 201],
    [2_049, 400],
  ] as const)("of %i characters is answered with %i", async ([length, status]) => {
    const tenant = await newCaller();

    const answer = await answerTo(tenant, "https://hooks.receiver.dev/".padEnd(length, "x"));

    expect(answer.status).toBe(status);
  });

  it("that is too much is told with what is allowed", async () => {
    const { error } = await answerTo(await newCaller(), "https://hooks.receiver.dev/".padEnd(2_049, "x"));

    expect(error?.details?.[0]?.message).toContain("at most 2048 characters");
  });
});

describe("a refusal of the URL", () => {
  it("repeats nothing of it", async () => {
    const { error } = await answerTo(await newCaller(), "https://user:hunter2@127.0.0.1/<script>");

    expect(JSON.stringify(error)).not.toMatch(/hunter2|script|127/);
  });

  it("comes before an unknown template is looked for", async () => {
    const tenant = await newCaller();

    const answer = await answerTo({ ...tenant, templateId: crypto.randomUUID() }, "https://localhost/");

    expect(answer.error?.code).toBe("VALIDATION_ERROR");
  });

  it("does not use up an idempotency key", async () => {
    const tenant = await newCaller();
    const send = (webhookUrl: string) =>
      post(service, tenant, { templateId: tenant.templateId, data: {}, webhookUrl }, { "Idempotency-Key": "order-17" });
    await send("https://localhost/");

    const response = await send("https://hooks.receiver.dev/");

    expect([response.status, response.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  });
});

describe("an allowed origin", () => {
  const local = calling(["http://127.0.0.1:9900"]);
  const send = async (webhookUrl: string) => {
    const tenant = await newCaller();
    return post(local, tenant, { templateId: tenant.templateId, data: {}, webhookUrl });
  };

  it.for(["http://127.0.0.1:9900", "http://127.0.0.1:9900/hook?a=b", "HTTP://127.1:9900/"])(
    "lets %s through",
    async (webhookUrl) => {
      expect((await send(webhookUrl)).status).toBe(201);
    },
  );

  it.for([
    ...["http://127.0.0.1/", "http://127.0.0.1:990/", "http://127.0.0.1:99000/", "https://127.0.0.1:9900/"],
    ...["http://127.0.0.1:9900@receiver.dev/", "http://127.0.0.1:9900.receiver.dev/", "http://a@127.0.0.1:9900/"],
  ])("does not let %s through", async (webhookUrl) => {
    expect((await send(webhookUrl)).status).toBe(400);
  });
});

describe("the service as it is set up", () => {
  it.for(["https://colophon.test/hook", "https://files.test/files", "http://127.0.0.1:9900/"])(
    "refuses %s",
    async (webhookUrl) => {
      const tenant = await newCaller();

      const response = await post(testService(), tenant, { templateId: tenant.templateId, data: {}, webhookUrl });

      expect(response.status).toBe(400);
    },
  );
});

/** Where the account's webhooks go, by document. */
async function urlsOf({ accountId }: Tenant): Promise<Map<string, string>> {
  return new Map((await webhooks.list(accountId)).map(({ documentId, url }) => [documentId, url]));
}
