// Links to files. A link works without a key until its end, and says nothing about the account or the document: its token is encrypted, and
// authenticated by an HMAC, which is also the initialisation vector (as in SIV), so that equal links are equal and nothing else repeats.
import { createCipheriv, createHmac, timingSafeEqual } from "node:crypto";
import type { EncryptionKeys } from "../webhooks/secret-encryption.ts";

export const dispositions = ["inline", "attachment"] as const;
export type Disposition = (typeof dispositions)[number];

/** How long a link may be valid, in seconds. */
export const linkSeconds = { min: 60, max: 7 * 24 * 3_600, default: 900 };

/** What a link opens, and how. */
export type LinkTarget = {
  accountId: string;
  /** The id of the document or of the batch. */
  id: string;
  /** The number of the merged file of a batch; null for a document. */
  mergedFile: number | null;
  /** A link is valid only as long as this is the number of the document or batch. */
  epoch: number;
  /** In ms since the epoch. */
  endsAt: number;
  disposition: Disposition;
  /** The name under which the file is saved; null for the default name. */
  filename: string | null;
};

/** A link in a record: the URL, and its end as text. */
export type FileLink = { url: string; expiresAt: string };

const tagBytes = 32;
const ivBytes = 16;
/** Longer than the token with the longest name, in characters. */
const maxTokenChars = 2_000;
/** Targets are padded to a multiple of this length, so that a token does not tell the length of its parts. */
const paddedBytes = 128;

/** Returns the token of a link, which is encrypted with the current key. */
export function sealLink({ current }: Pick<EncryptionKeys, "current">, target: LinkTarget): string {
  const { accountId, id, mergedFile, epoch, endsAt, disposition, filename } = target;
  const json = Buffer.from(JSON.stringify([accountId, id, mergedFile, epoch, endsAt, disposition, filename]));
  const text = Buffer.concat([json], Math.ceil(json.length / paddedBytes) * paddedBytes);
  const { tagOf, encrypted } = ciphersOf(current);
  const tag = tagOf(text);
  return Buffer.concat([tag, encrypted(tag, text)]).toString("base64url");
}

/** Returns the target of a token, or null unless the service has made exactly this token with a key that is still valid. */
export function openLink({ current, previous }: EncryptionKeys, token: string): LinkTarget | null {
  if (token.length > maxTokenChars) return null;
  const bytes = Buffer.from(token, "base64url");
  // Several texts have the same bytes, because base64 has unused bits and decoders skip unknown characters.
  if (bytes.length <= tagBytes || bytes.toString("base64url") !== token) return null;
  const tag = bytes.subarray(0, tagBytes);
  for (const key of previous ? [current, previous] : [current]) {
    const { tagOf, encrypted } = ciphersOf(key);
    const text = encrypted(tag, bytes.subarray(tagBytes));
    if (timingSafeEqual(tag, tagOf(text))) return parsed(text.toString().replace(/\0+$/, ""));
  }
  return null;
}

/** Only what the service has sealed is parsed. */
function parsed(json: string): LinkTarget {
  type Parts = [string, string, number | null, number, number, Disposition, string | null];
  const [accountId, id, mergedFile, epoch, endsAt, disposition, filename] = JSON.parse(json) as Parts;
  return { accountId, id, mergedFile, epoch, endsAt, disposition, filename };
}

/** A key is not used for two purposes, so the tag and the encryption have separate ones, which are derived from it. */
function ciphersOf(key: Uint8Array) {
  const derived = createHmac("sha512", key).update("links").digest();
  return {
    tagOf: (text: Uint8Array) => createHmac("sha256", derived.subarray(0, 32)).update(text).digest(),
    /** In counter mode, encrypting twice decrypts. */
    encrypted: (tag: Uint8Array, text: Uint8Array) =>
      createCipheriv("aes-256-ctr", derived.subarray(32), tag.subarray(0, ivBytes)).update(text),
  };
}
