import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newWebhookSecret } from "../../../src/core/webhooks/webhook-signature.ts";
import { attemptDelivery } from "../../../src/operations/webhooks/attempt-delivery.ts";
import { failing, fakeNow } from "../../fakes/services.ts";
import { responseOf, eventTo, fakeDelivery, type WebhookResponse, type FakeDelivery } from "../../fakes/webhooks.ts";

const url = "https://hooks.receiver.dev/hook";
const event = eventTo(url);

/** Makes one attempt to deliver an event to a receiver that sends the given response. */
async function attempted(response: Partial<WebhookResponse> = {}, services: FakeDelivery = fakeDelivery()) {
  services.state.response = responseOf(response);
  return { services, outcome: await attemptDelivery(services, event) };
}

it("each attempt sends the stored payload once, signed with the secrets that are valid at that time", async () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const asked: unknown[] = [];
  const valid = async (...args: unknown[]) => (asked.push(args), secrets);
  const services = fakeDelivery({ secrets: { valid } });
  const secondMs = fakeNow + 5_040;

  await attemptDelivery(services, event);
  services.state.nowMs = secondMs;
  await attemptDelivery(services, event);

  const signaturesAt = (ms: number) =>
    secrets.map((secret) => new Webhook(secret).sign("evt_d", new Date(ms), event.payload));
  const expected = [fakeNow, secondMs].map((ms) => ({
    url,
    body: event.payload,
    headers: {
      "Content-Type": "application/json",
      "User-Agent": expect.stringMatching(/^Colophon-Webhooks\//),
      "webhook-id": "evt_d",
      "webhook-timestamp": String(Math.floor(ms / 1_000)),
      "webhook-signature": signaturesAt(ms).join(" "),
    },
  }));
  expect(services.state.sent).toEqual(expected);
  expect(asked).toEqual([
    ["a", fakeNow],
    ["a", secondMs],
  ]);
});

const delivered = { result: "delivered", error: null };
const redirect = { result: "failed", error: expect.stringMatching(/redirects are not followed/) };
const failed = (status: number) => ({ result: "failed", error: `responded with ${status}` });

it.each([
  ...[200, 204, 299].map((status) => ({ status, expected: delivered })),
  ...[300, 302, 308, 399].map((status) => ({ status, expected: redirect })),
  ...[199, 400, 404, 408, 429, 500, 503, 599].map((status) => ({ status, expected: failed(status) })),
  { status: 410, expected: { result: "refused", error: "responded with 410" } },
])("a response with $status counts as $expected.result", async ({ status, expected }) => {
  const { services, outcome } = await attempted({ status });

  expect(outcome).toEqual({ at: fakeNow, durationMs: 40, status, response: "ok", retryAfterMs: null, ...expected });
  expect(services.state.sent).toHaveLength(1);
});

it("an attempt without a response fails with its reason", async () => {
  const { outcome } = await attempted({ status: null, response: null, error: "no answer within 15 s" });

  expect(outcome).toMatchObject({ result: "failed", status: null, error: "no answer within 15 s", response: null });
});

it.each<[number, string, number | null]>([
  [429, "120", 120_000],
  [503, "120", 120_000],
  // The delay begins at the end of the attempt.
  [503, new Date(fakeNow + 60_000).toUTCString(), 60_000 - 40],
  [503, "soon", null],
  ...[200, 204, 301, 404, 410, 500, 502].map((status): [number, string, null] => [status, "120", null]),
])("after status %i with the Retry-After %s, the next attempt waits %s ms", async (status, retryAfter, waitMs) => {
  const { outcome } = await attempted({ status, retryAfter });

  expect(outcome.retryAfterMs).toBe(waitMs);
});

it.each([
  ["https://colophon.dev/hook", /host of this service/],
  ["http://127.0.0.1:9900/hook", /https/],
])("a URL that the rules no longer allow ends the delivery without reading a secret (%s)", async (to, reason) => {
  const services = fakeDelivery({ secrets: { valid: failing("D1 is down") } });

  const outcome = await attemptDelivery(services, eventTo(to));

  expect(services.state.sent).toEqual([]);
  const error = expect.stringMatching(reason);
  const nothing = { durationMs: 0, status: null, response: null, retryAfterMs: null };
  expect(outcome).toEqual({ at: fakeNow, result: "refused", error, ...nothing });
});

it("an attempt is sent to an allowed origin even if its URL is not public", async () => {
  const webhookUrls = { allowedOrigins: new Set(["http://127.0.0.1:9900"]), ownHosts: new Set<string>() };
  const services = fakeDelivery({ webhookUrls });

  const outcome = await attemptDelivery(services, eventTo("http://127.0.0.1:9900/hook"));

  expect([outcome.result, services.state.sent[0]?.url]).toEqual(["delivered", "http://127.0.0.1:9900/hook"]);
});

it.each([
  ["cannot be read", failing("D1 is down"), "D1 is down"],
  ["do not exist", async () => [], "webhook.no_secret"],
])("an attempt whose secrets %s is abandoned before its request, and does not count", async (_what, valid, error) => {
  const services = fakeDelivery({ secrets: { valid } });

  await expect(attemptDelivery(services, event)).rejects.toThrow(error);

  expect(services.state.sent).toEqual([]);
});
