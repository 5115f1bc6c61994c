// Verifies webhooks as Standard Webhooks 1.0 specifies, with Web Crypto.
import type { WebhookEvent, WebhookMessage } from "./api.ts";

/** The body of a request as it was received, not parsed JSON: the signature is valid only for exactly these bytes. */
export type WebhookBody = string | Uint8Array | ArrayBuffer;

/** The headers of a request: a `Headers` object, or Node's `request.headers`. */
export type WebhookHeaders = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

/** The last argument of `verifyWebhook`. */
export type VerifyOptions = {
  /** The maximum difference between the message's time and now, in either direction. The default is 300. */
  toleranceSeconds?: number;
};

/** Why a message is not trusted. */
export type WebhookErrorCode =
  /** A header is missing. */
  | "MISSING_HEADER"
  /** The timestamp is malformed, or too far from now. */
  | "INVALID_TIMESTAMP"
  /** No signature was made with any of the secrets: the message is forged, was changed, or is for a different receiver. */
  | "INVALID_SIGNATURE"
  /** The message is authentic, but not an event in JSON. */
  | "INVALID_BODY";

/** Thrown for a message that must not be trusted. Respond with status 400. */
export class WebhookVerificationError extends Error {
  /** Why the message must not be trusted. */
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, message: string) {
    super(message);
    this.name = "WebhookVerificationError";
    this.code = code;
  }
}

/**
 * Returns the event of an authentic message. `body` is the body as it was received, not parsed JSON. `secrets` is one or several secrets
 * of the account, each `whsec_…`; at least one of them must have signed the message.
 */
export async function verifyWebhook(
  body: WebhookBody,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const bytes = bytesOf(body);
  const keys = await Promise.all([secrets].flat().map(importSecret));
  if (keys.length === 0) throw new TypeError("At least one webhook secret is needed.");
  const id = headerOf(headers, "webhook-id");
  const timestamp = headerOf(headers, "webhook-timestamp");
  const signatures = signaturesOf(headerOf(headers, "webhook-signature"));
  checkTimestamp(timestamp, toleranceSeconds);
  const content = signedContent(id, timestamp, bytes);
  if (!(await isSigned(content, keys, signatures))) {
    throw new WebhookVerificationError("INVALID_SIGNATURE", "No signature of the message matches a secret.");
  }
  return { ...parseMessage(bytes), id };
}

function bytesOf(body: WebhookBody): Uint8Array {
  if (typeof body === "string") return new TextEncoder().encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new TypeError("`body` must be the body as it was received, a string or bytes, not parsed JSON.");
}

async function importSecret(secret: unknown): Promise<CryptoKey> {
  const bytes = typeof secret === "string" ? base64Bytes(secret.replace(/^whsec_/, "")) : null;
  if (!bytes?.length) throw new TypeError("A webhook secret has the form whsec_…, with base64 after the underscore.");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isFetchHeaders(headers) ? headers.get(name) : plainHeader(headers, name);
  if (typeof value === "string" && value !== "") return value;
  throw new WebhookVerificationError("MISSING_HEADER", `The header ${name} is missing.`);
}

function isFetchHeaders(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers["get"] === "function";
}

function plainHeader(headers: Record<string, string | string[] | undefined>, name: string) {
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : headers[key];
  // Fetch and Node join repeated headers in this way.
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Returns the signatures of version 1. Others are ignored, as the specification requires. */
function signaturesOf(header: string): Uint8Array<ArrayBuffer>[] {
  const texts = header.split(/,? +/).filter((text) => text.startsWith("v1,"));
  return texts.flatMap((text) => base64Bytes(text.slice(3)) ?? []);
}

function checkTimestamp(timestamp: string, toleranceSeconds: number): void {
  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? Date.now() / 1_000 - Number(timestamp) : NaN;
  if (Math.abs(ageSeconds) <= toleranceSeconds) return;
  if (Number.isNaN(ageSeconds))
    throw new WebhookVerificationError("INVALID_TIMESTAMP", "The time of the message is malformed.");
  const difference = `${Math.round(Math.abs(ageSeconds))} s ${ageSeconds > 0 ? "behind" : "ahead of"} this machine's clock`;
  const message = `The time of the message is ${difference}; at most ${toleranceSeconds} s are accepted.`;
  throw new WebhookVerificationError("INVALID_TIMESTAMP", message);
}

/** Returns `id.timestamp.body` as bytes. */
function signedContent(id: string, timestamp: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const prefix = new TextEncoder().encode(`${id}.${timestamp}.`);
  const content = new Uint8Array(prefix.length + body.length);
  content.set(prefix);
  content.set(body, prefix.length);
  return content;
}

/** `crypto.subtle.verify` compares in constant time. */
async function isSigned(
  content: Uint8Array<ArrayBuffer>,
  keys: CryptoKey[],
  signatures: Uint8Array<ArrayBuffer>[],
): Promise<boolean> {
  for (const key of keys) {
    for (const signature of signatures) {
      if (await crypto.subtle.verify("HMAC", key, signature, content)) return true;
    }
  }
  return false;
}

function parseMessage(body: Uint8Array): WebhookMessage {
  try {
    const message: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body));
    if (isMessage(message)) return message;
  } catch {
    // The error below reports it.
  }
  throw new WebhookVerificationError("INVALID_BODY", "The message is not a webhook event in JSON.");
}

function isMessage(value: unknown): value is WebhookMessage {
  const { type, timestamp, data } = (value ?? {}) as Record<string, unknown>;
  return typeof type === "string" && typeof timestamp === "string" && typeof data === "object" && data !== null;
}

/** Decodes base64; returns null if the string is not base64. */
function base64Bytes(text: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
