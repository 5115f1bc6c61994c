// Signs messages according to Standard Webhooks 1.0. Each valid secret gives one signature: an HMAC-SHA256 of the id,
// the timestamp and the body.
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

import { base64, base64Bytes } from "colophon-base/encoding";

const prefix = "whsec_";
const secretBytes = 32;

/** Returns a new secret: `whsec_` followed by 256 random bits in base64. */
export function newWebhookSecret(): string {
  return prefix + base64(crypto.getRandomValues(new Uint8Array(secretBytes)));
}

export type SignedMessage = { id: string; timestampMs: number; body: string };

/**
 * Returns the three headers of a signed message. `secrets` are the valid secrets, newest first. Each of them gives a
 * signature, so a receiver needs to know only one secret.
 */
export async function webhookHeaders(message: SignedMessage, secrets: string[]): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(message.timestampMs / 1000));
  const content = new TextEncoder().encode(`${message.id}.${timestamp}.${message.body}`);
  const signatures = await Promise.all(secrets.map((secret) => sign(content, secret)));
  return {
    "webhook-id": message.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.map((signature) => `v1,${signature}`).join(" "),
  };
}

async function sign(content: BufferSource, secret: string): Promise<string> {
  const bytes = base64Bytes(secret.slice(prefix.length));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)));
}
