// API keys, in the form `colophon_<key id>_<secret>`. The key id identifies a row in the database. The row stores the
// SHA-256 of the secret, never the secret itself. A plain digest is enough, because a secret of 256 random bits cannot
// be guessed.
import { base64Url, hex, sha256Hex } from "../encoding.ts";

export type ApiKeyParts = { id: string; secret: string };
export type NewApiKey = { id: string; key: string; secretHash: string };

const pattern = /^colophon_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export async function newApiKey(): Promise<NewApiKey> {
  const id = hex(crypto.getRandomValues(new Uint8Array(8)));
  const secret = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { id, key: `colophon_${id}_${secret}`, secretHash: await sha256Hex(secret) };
}

/** Returns the parts of a key, or null when the key is malformed. */
export function parseApiKey(key: string): ApiKeyParts | null {
  const match = pattern.exec(key);
  return match?.[1] && match[2] ? { id: match[1], secret: match[2] } : null;
}

/** Returns whether the secret has the stored digest. The comparison takes constant time. */
export async function secretMatches(secret: string, storedHash: string): Promise<boolean> {
  const given = await sha256Hex(secret);
  let difference = given.length ^ storedHash.length;
  for (let i = 0; i < given.length; i++) {
    difference |= given.charCodeAt(i) ^ storedHash.charCodeAt(i);
  }
  return difference === 0;
}
