// Signs messages according to Standard Webhooks 1.0. Each valid secret gives one signature: an HMAC-SHA256 of the id,
// the timestamp and the body.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
import { createHmac, randomBytes } from "node:crypto";

const prefix = "whsec_";
const secretBytes = 32;

/** Returns a new secret: `whsec_` followed by 256 random bits in base64. */
export function newWebhookSecret(): string {
  return prefix + randomBytes(secretBytes).toString("base64");
}

export type SignedMessage = { id: string; timestampMs: number; body: string };

/**
 * Returns the three headers of a signed message. `secrets` are the valid secrets, newest first. Each of them gives a
 * signature, so a receiver needs to know only one secret.
 */
export function webhookHeaders(message: SignedMessage, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(message.timestampMs / 1000));
  const content = `${message.id}.${timestamp}.${message.body}`;
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": secrets.map((secret) => `v1,${sign(content, secret)}`).join(" "),
  };
}

function sign(content: string, secret: string): string {
  return createHmac("sha256", Buffer.from(secret.slice(prefix.length), "base64"))
    .update(content)
    .digest("base64");
}
