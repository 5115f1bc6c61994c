// The digests by which a repeated request is recognised. They are stored for a day. A body may contain a password, and whoever reads
// a plain digest of the body could try passwords until one fits, so the digests are keyed with the service's keys.
import { createHmac } from "node:crypto";
import type { EncryptionKeys } from "../webhooks/secret-encryption.ts";
import type { IdempotencyKey } from "./quota.ts";

/** Two values are equal if their canonical JSON is the same: object keys are sorted, and there is no white space. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(",")}}`;
}

/** Returns the digests for the SHA-256 of a body. */
export function keyedDigests({ current, previous }: EncryptionKeys, sha256: string): Omit<IdempotencyKey, "key"> {
  return { bodyHash: keyed(current, sha256), ...(previous && { previousHash: keyed(previous, sha256) }) };
}

/** Returns whether the digest that was stored with a key is a digest of this request's body. */
export function hasBody({ bodyHash, previousHash }: IdempotencyKey, stored: string | null): boolean {
  return stored === bodyHash || (previousHash !== undefined && stored === previousHash);
}

/** A key is not used for two purposes, so the digests have a derived one. */
function keyed(key: Uint8Array, sha256: string): string {
  const derived = createHmac("sha256", key).update("idempotency digests").digest();
  return createHmac("sha256", derived).update(sha256).digest("hex");
}
