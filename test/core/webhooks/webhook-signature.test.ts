import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { newWebhookSecret, webhookHeaders } from "../../../src/core/webhooks/webhook-signature.ts";

// Receivers verify messages with this library. The service itself does not use it.
it.each([
  { what: "characters of every length in UTF-8", body: '{"data":"a ü 漢 🎉"}' },
  { what: "dots, which also separate the signed parts", body: '{"data":"1.2.3...."}' },
  { what: "line breaks", body: '{\r\n"data":\n1}' },
])("the library standardwebhooks accepts a body with $what, whichever of two secrets it uses", ({ body }) => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];

  const headers = webhookHeaders({ id: "evt_1", timestampMs: Date.now(), body }, secrets);

  for (const secret of secrets) expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});

it("the library standardwebhooks accepts a message signed with the secret of an account created before webhooks existed", async () => {
  const secret = `whsec_${"0123456789abcdef".repeat(4)}`;

  const headers = webhookHeaders({ id: "evt_1", timestampMs: Date.now(), body: "{}" }, [secret]);

  expect(() => new Webhook(secret).verify("{}", headers)).not.toThrow();
});

it("a message has exactly the headers of Standard Webhooks, with one signature for each secret in their order", async () => {
  const secrets = [newWebhookSecret(), newWebhookSecret()];
  const timestampMs = 1_795_253_400_999;

  const headers = webhookHeaders({ id: "evt_7", timestampMs, body: '{"a":"ü"}' }, secrets);

  const signatures = secrets.map((secret) => new Webhook(secret).sign("evt_7", new Date(timestampMs), '{"a":"ü"}'));
  expect(headers).toEqual({
    "webhook-id": "evt_7",
    "webhook-timestamp": "1795253400",
    "webhook-signature": signatures.join(" "),
  });
});

it("a new secret consists of whsec_ and 32 random bytes in base64", () => {
  const secrets = Array.from({ length: 200 }, newWebhookSecret);

  for (const secret of secrets) expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const bytes = secrets.map((secret) => atob(secret.slice("whsec_".length)));
  const variety = Array.from({ length: 32 }, (_, index) => new Set(bytes.map((each) => each[index])).size);
  expect(Math.min(...variety)).toBeGreaterThan(50);
});
