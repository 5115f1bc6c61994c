import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newWebhookSecret } from "../../../src/core/webhooks/webhook-signature.ts";
import { attemptDelivery } from "../../../src/operations/webhooks/attempt-delivery.ts";
import { responseOf, eventTo, fakeDelivery, type WebhookResponse, type FakeDelivery } from "../../fakes/webhooks.ts";
import { failing, fakeNow } from "../../fakes/services.ts";

const url = "https://hooks.receiver.dev/hook";
const event = eventTo(url);

/** Makes one attempt to deliver an event to a receiver that sends the given response. */
async function attempted(response: Partial<WebhookResponse> = {}, services: FakeDelivery = fakeDelivery()) {
  services.state.response = responseOf(response);
  const outcome = await attemptDelivery(services, event);
  return { services, outcome, request: services.state.sent[0] };
}

describe("the request", () => {
  it("is sent once, to the URL, with the stored payload", async () => {
    const { services } = await attempted();

    expect(services.state.sent).toEqual([{ url, body: event.payload, headers: expect.anything() }]);
  });

  it("has the content type of JSON and the service's user agent", async () => {
    const { request } = await attempted();

    expect(request?.headers).toMatchObject({
      "Content-Type": "application/json",
      "User-Agent": expect.stringMatching(/^Colophon-Webhooks\//),
    });
  });

  it("has a signature of the event's id, the time of the attempt in seconds, and the payload", async () => {
    const { request, services } = await attempted();

    const [secret = ""] = services.state.secrets;
    const signature = new Webhook(secret).sign(event.id, new Date(fakeNow), event.payload);
    expect(request?.headers).toMatchObject({
      "webhook-id": "evt_d",
      "webhook-timestamp": String(Math.floor(fakeNow / 1_000)),
      "webhook-signature": signature,
    });
  });

  it("has one signature for each valid secret", async () => {
    const services = fakeDelivery();
    services.state.secrets = [newWebhookSecret(), newWebhookSecret()];

    const { request } = await attempted({}, services);

    const signatures = services.state.secrets.map((secret) =>
      new Webhook(secret).sign(event.id, new Date(fakeNow), event.payload),
    );
    expect(request?.headers["webhook-signature"]).toBe(signatures.join(" "));
  });

  it("is signed with the currently valid secrets of the event's account", async () => {
    const asked: unknown[] = [];
    const secrets = {
      valid: async (accountId: string, nowMs: number) => {
        asked.push([accountId, nowMs]);
        return [newWebhookSecret()];
      },
      rotate: async () => {},
    };

    await attempted({}, fakeDelivery({ secrets }));

    expect(asked).toEqual([["a", fakeNow]]);
  });

  it("has the same id and body on every attempt, and a fresh timestamp and signature", async () => {
    const services = fakeDelivery();
    await attemptDelivery(services, event);
    services.state.nowMs += 5_000;

    await attemptDelivery(services, event);

    const [first, again] = services.state.sent;
    expect(again?.body).toBe(first?.body);
    expect(again?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(Number(again?.headers["webhook-timestamp"])).toBe(Number(first?.headers["webhook-timestamp"]) + 5);
    expect(again?.headers["webhook-signature"]).not.toBe(first?.headers["webhook-signature"]);
  });
});

describe("a response", () => {
  it.each([200, 201, 202, 204, 299])("with %i counts as delivered", async (status) => {
    const { outcome } = await attempted({ status });

    expect(outcome).toEqual({
      at: fakeNow,
      durationMs: 40,
      result: "delivered",
      status,
      error: null,
      response: "ok",
      retryAfterMs: null,
    });
  });

  it.each([300, 301, 302, 303, 304, 307, 308])(
    "with %i counts as a failure, and its redirect is not followed",
    async (status) => {
      const { services, outcome } = await attempted({ status });

      expect(outcome).toMatchObject({ result: "failed", status });
      expect(outcome.error).toMatch(/redirects are not followed/);
      expect(services.state.sent).toHaveLength(1);
    },
  );

  it.each([199, 400, 401, 403, 404, 408, 409, 411, 418, 429, 451, 500, 502, 503, 504, 599])(
    "with %i counts as a failure",
    async (status) => {
      const { outcome } = await attempted({ status });

      expect(outcome).toMatchObject({ result: "failed", status, error: `responded with ${status}`, response: "ok" });
    },
  );

  it("with 410 ends the delivery", async () => {
    const { outcome } = await attempted({ status: 410 });

    expect(outcome).toMatchObject({ result: "refused", status: 410, error: "responded with 410" });
  });

  it("that does not arrive counts as a failure with a reason", async () => {
    const { outcome } = await attempted({ status: null, response: null, error: "no answer within 15 s" });

    expect(outcome).toMatchObject({ result: "failed", status: null, error: "no answer within 15 s", response: null });
  });
});

describe("Retry-After", () => {
  it.each([429, 503])("with %i is honoured", async (status) => {
    const { outcome } = await attempted({ status, retryAfter: "120" });

    expect(outcome.retryAfterMs).toBe(120_000);
  });

  it("with a date is converted to the delay between the end of the attempt and that date", async () => {
    const retryAfter = new Date(fakeNow + 60_000).toUTCString();

    const { outcome } = await attempted({ status: 503, retryAfter });

    expect(outcome.retryAfterMs).toBe(60_000 - 40);
  });

  it.each([200, 204, 301, 404, 410, 500, 502])("with %i is ignored", async (status) => {
    const { outcome } = await attempted({ status, retryAfter: "120" });

    expect(outcome.retryAfterMs).toBeNull();
  });

  it("that cannot be parsed is ignored", async () => {
    const { outcome } = await attempted({ status: 503, retryAfter: "soon" });

    expect(outcome.retryAfterMs).toBeNull();
  });
});

describe("a URL that the rules no longer allow", () => {
  it.each([
    ["a host of this service", "https://colophon.dev/hook", /host of this service/],
    ["an origin that is no longer allowed", "http://127.0.0.1:9900/hook", /https/],
    ["text that is not a URL", "nonsense", /absolute https URL/],
  ])("ends the delivery without a request (%s)", async (_what, to, reason) => {
    const services = fakeDelivery();

    const outcome = await attemptDelivery(services, eventTo(to));

    expect(services.state.sent).toEqual([]);
    expect(outcome).toMatchObject({ at: fakeNow, durationMs: 0, result: "refused", status: null, response: null });
    expect(outcome.error).toMatch(reason);
  });

  it("is refused without reading a secret", async () => {
    const secrets = { valid: failing("D1 is down"), rotate: async () => {} };

    const outcome = await attemptDelivery(fakeDelivery({ secrets }), eventTo("https://127.0.0.1/"));

    expect(outcome.result).toBe("refused");
  });
});

it("sends to an allowed origin even if its URL is not public", async () => {
  const webhookUrls = { allowedOrigins: new Set(["http://127.0.0.1:9900"]), ownHosts: new Set<string>() };
  const services = fakeDelivery({ webhookUrls });

  const outcome = await attemptDelivery(services, eventTo("http://127.0.0.1:9900/hook"));

  expect([outcome.result, services.state.sent[0]?.url]).toEqual(["delivered", "http://127.0.0.1:9900/hook"]);
});

describe("an attempt that fails because of this service", () => {
  it("rejects when the secrets cannot be read, so the attempt does not count", async () => {
    const services = fakeDelivery({ secrets: { valid: failing("D1 is down"), rotate: async () => {} } });

    await expect(attemptDelivery(services, event)).rejects.toThrow("D1 is down");

    expect(services.state.sent).toEqual([]);
  });

  it("rejects when there is no secret, so the attempt does not count and no unsigned request is sent", async () => {
    const services = fakeDelivery();
    services.state.secrets = [];

    await expect(attemptDelivery(services, event)).rejects.toThrow("webhook.no_secret");

    expect(services.state.sent).toEqual([]);
  });
});
