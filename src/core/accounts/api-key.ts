// API keys, in the form `colophon_<key id>_<secret>_<checksum>`, or `colophon_test_...` for keys that make test documents, and
// the header that carries them. The key id identifies a row in the database. The row stores the SHA-256 of the secret, never
// the secret itself. A plain digest is enough, because a secret of 256 random bits cannot be guessed. The checksum is keyed
// with a secret of this service, so a key that this service did not issue is refused without a database query.
import { base64Url, hex, sha256Hex } from "colophon-base/encoding";

export type ApiKeyParts = { id: string; secret: string; checksum: string };
type NewApiKey = { id: string; key: string; secretHash: string };

const pattern = /^colophon_(?:test_)?([0-9a-f]{16})_([A-Za-z0-9_-]{43})_([A-Za-z0-9_-]{8})$/;
/** 48 bits: a forged key reaches the database only once in about 2^47 requests. */
const checksumBytes = 6;

export async function newApiKey(checksumSecret: string, isTest = false): Promise<NewApiKey> {
  const id = hex(crypto.getRandomValues(new Uint8Array(8)));
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  const checksum = await checksumOf({ id, secret }, await importChecksumKey(checksumSecret));
  return {
    id,
    key: `colophon_${isTest ? "test_" : ""}${id}_${secret}_${checksum}`,
    secretHash: await sha256Hex(secret),
  };
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
export async function hasValidChecksum(key: ApiKeyParts, checksumKey: CryptoKey): Promise<boolean> {
  return areEqual(await checksumOf(key, checksumKey), key.checksum);
}

/** Imports the checksum secret as an HMAC key. */
export function importChecksumKey(checksumSecret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", bytes(checksumSecret), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** Returns the first bits of an HMAC-SHA256 of the key's id and secret, in base64url. */
export async function checksumOf(
  { id, secret }: Pick<ApiKeyParts, "id" | "secret">,
  checksumKey: CryptoKey,
): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", checksumKey, bytes(`${id}_${secret}`));
  return base64Url(new Uint8Array(signature, 0, checksumBytes));
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new TextEncoder().encode(text));
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

/** Compares in a time that depends only on the length of `computed`. */
function areEqual(computed: string, other: string): boolean {
  let difference = computed.length ^ other.length;
  for (let i = 0; i < computed.length; i++) {
    difference |= computed.charCodeAt(i) ^ other.charCodeAt(i);
  }
  return difference === 0;
}
