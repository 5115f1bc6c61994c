// API keys, in the form `colophon_<key id>_<secret>_<checksum>`, or `colophon_test_...` for keys that make test documents, and
// the header that carries them. The key id identifies a row in the database. The row stores the SHA-256 of the secret, never
// the secret itself. A plain digest is enough, because a secret of 256 random bits cannot be guessed. The checksum is keyed
// with a secret of this service, so a key that this service did not issue is refused without a database query.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { sha256Hex } from "colophon-base/encoding";

export type ApiKeyParts = { id: string; secret: string; checksum: string };
type NewApiKey = { id: string; key: string; secretHash: string };

const pattern = /^colophon_(?:test_)?([0-9a-f]{16})_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{8})$/;
/** 48 bits: a forged key reaches the database only once in about 2^47 requests. */
const checksumBytes = 6;

export async function newApiKey(checksumSecret: string, { isTest = false } = {}): Promise<NewApiKey> {
  const id = randomBytes(8).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  const key = `colophon_${isTest ? "test_" : ""}${id}_${secret}_${checksumOf({ id, secret }, checksumSecret)}`;
  return { id, key, secretHash: await sha256Hex(secret) };
}

/** Returns the parts of a key, or null when the key is malformed. Does not verify the checksum. */
export function parseApiKey(key: string): ApiKeyParts | null {
  const [, id, secret, checksum] = pattern.exec(key) ?? [];
  return id && secret && checksum ? { id, secret, checksum } : null;
}

/**
 * Returns whether the key was made with the checksum secret. It may still be unknown or revoked, so this alone gives no
 * access.
 */
export function hasValidChecksum(key: ApiKeyParts, checksumSecret: string): boolean {
  return areEqual(checksumOf(key, checksumSecret), key.checksum);
}

/** Returns the first bits of an HMAC-SHA256 of the key's id and secret, in base64url. */
export function checksumOf({ id, secret }: Pick<ApiKeyParts, "id" | "secret">, checksumSecret: string): string {
  const signature = createHmac("sha256", checksumSecret).update(`${id}_${secret}`).digest();
  return signature.subarray(0, checksumBytes).toString("base64url");
}

/** Returns the token of a header `Bearer <token>`, or null if the header is missing or has a different form. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([!-~]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** Returns true if the header contains the secret, and null otherwise. */
export async function hasSecret(secret: string | null, authorization: string | undefined): Promise<true | null> {
  const token = bearerToken(authorization);
  const isAllowed = secret !== null && token !== null && (await secretMatches(token, await sha256Hex(secret)));
  return isAllowed || null;
}

/** Returns whether the secret has the stored digest. The comparison takes constant time. */
export async function secretMatches(secret: string, storedHash: string): Promise<boolean> {
  return areEqual(await sha256Hex(secret), storedHash);
}

/** Compares strings of ASCII characters in a time that depends only on their lengths. */
function areEqual(computed: string, other: string): boolean {
  return computed.length === other.length && timingSafeEqual(Buffer.from(computed), Buffer.from(other));
}
