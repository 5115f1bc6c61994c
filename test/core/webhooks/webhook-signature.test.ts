import { Webhook as StandardWebhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, it } from "vitest";
import { newWebhookSecret, webhookHeaders } from "../../../src/core/webhooks/webhook-signature.ts";

/** Libraries with which receivers verify messages. The service itself does not use these libraries. */
const receivers = [
  { library: "standardwebhooks", Webhook: StandardWebhook },
  { library: "svix", Webhook: SvixWebhook },
];

async function signed({ secrets = [newWebhookSecret()], body = '{"type":"document.completed"}' } = {}) {
  const headers = await webhookHeaders({ id: "evt_1", timestampMs: Date.now(), body }, secrets);
  return { headers, body, secret: secrets[0] ?? "" };
}

describe.each(receivers)("the library $library", ({ Webhook }) => {
  const verify = (secret: string, body: string, headers: Record<string, string>) =>
    new Webhook(secret).verify(body, headers);

  it.each([
    { what: "JSON text", body: '{"type":"document.completed","data":{"id":"1"}}' },
    { what: "characters of every length in UTF-8", body: '{"data":"a ü 漢 🎉"}' },
    { what: "dots, which also separate the signed parts", body: '{"data":"1.2.3...."}' },
    { what: "line breaks", body: '{\r\n"data":\n1}' },
    { what: "a lone surrogate", body: '{"data":"\\ud800"}' },
    { what: "a megabyte of text", body: JSON.stringify({ data: "ü".repeat(500_000) }) },
  ])("accepts a signed body with $what", async ({ body }) => {
    const { headers, secret } = await signed({ body });

    expect(() => verify(secret, body, headers)).not.toThrow();
  });

  it("accepts a message signed with two secrets when the receiver uses either secret", async () => {
    const secrets = [newWebhookSecret(), newWebhookSecret()];

    const { headers, body } = await signed({ secrets });

    for (const secret of secrets) expect(() => verify(secret, body, headers)).not.toThrow();
  });

  it("accepts a message signed with the secret of an account created before webhooks existed", async () => {
    const secret = `whsec_${"0123456789abcdef".repeat(4)}`;

    const { headers, body } = await signed({ secrets: [secret] });

    expect(() => verify(secret, body, headers)).not.toThrow();
  });
});

describe("the headers", () => {
  it("are exactly the three headers that Standard Webhooks defines", async () => {
    const { headers } = await signed();

    expect(Object.keys(headers)).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"]);
  });

  it("contain the id of the message and the time of signing in whole seconds", async () => {
    const headers = await webhookHeaders({ id: "evt_7", timestampMs: 1_795_253_400_999, body: "{}" }, [
      newWebhookSecret(),
    ]);

    expect(headers).toMatchObject({ "webhook-id": "evt_7", "webhook-timestamp": "1795253400" });
  });

  it("contain one signature for each secret, in the order of the secrets", async () => {
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    const message = { id: "evt_1", timestampMs: 0, body: "{}" };

    const both = await webhookHeaders(message, [first, second]);

    const alone = await Promise.all([first, second].map((secret) => webhookHeaders(message, [secret])));
    expect(both["webhook-signature"]).toBe(alone.map((headers) => headers["webhook-signature"]).join(" "));
    expect(both["webhook-signature"]).toMatch(/^v1,[A-Za-z0-9+/]{43}= v1,[A-Za-z0-9+/]{43}=$/);
  });

  it("contain the signature that the Standard Webhooks library creates", async () => {
    const secret = newWebhookSecret();
    const timestampMs = Date.UTC(2026, 10, 21, 9, 30);

    const headers = await webhookHeaders({ id: "evt_1", timestampMs, body: '{"a":"ü"}' }, [secret]);

    const expected = new StandardWebhook(secret).sign("evt_1", new Date(timestampMs), '{"a":"ü"}');
    expect(headers["webhook-signature"]).toBe(expected);
  });
});

describe("a new secret", () => {
  it("consists of whsec_ and 32 bytes in base64", () => {
    const secret = newWebhookSecret();

    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(atob(secret.slice("whsec_".length)).length).toBe(32);
  });

  it("differs from every earlier secret", () => {
    const secrets = Array.from({ length: 1_000 }, newWebhookSecret);

    expect(new Set(secrets).size).toBe(1_000);
  });

  it("is random in every byte", () => {
    const secrets = Array.from({ length: 200 }, () => atob(newWebhookSecret().slice("whsec_".length)));

    const variety = Array.from({ length: 32 }, (_, index) => new Set(secrets.map((bytes) => bytes[index])).size);

    expect(Math.min(...variety)).toBeGreaterThan(50);
  });
});
