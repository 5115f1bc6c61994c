// The rules for the `metadata` that callers may attach to a document.
import { counted } from "colophon-base/text";
import type { ErrorDetail } from "../errors.ts";

export const maxMetadataPairs = 20;
export const metadataKey = /^[A-Za-z0-9_.-]{1,40}$/;
export const maxMetadataValueChars = 500;

/** Keys from a request are truncated to this length in messages. */
const maxQuotedChars = 60;

/** Returns the problems of the values and keys, each with its path within `metadata`. */
export function metadataProblems(metadata: Record<string, unknown>, maxPairs = maxMetadataPairs): ErrorDetail[] {
  const pairs = Object.entries(metadata);
  if (pairs.length > maxPairs) {
    const message = `\`metadata\` has ${counted(pairs.length, "pair")}; at most ${maxPairs} are allowed.`;
    return [{ path: "", message }];
  }
  return pairs.flatMap(([key, value]) => {
    const name = key.slice(0, maxQuotedChars).toWellFormed();
    if (!metadataKey.test(key)) {
      const message = `\`metadata\` has the key \`${name}\`; a key is 1 to 40 of the characters A-Z, a-z, 0-9, \`_\`, \`.\` and \`-\`.`;
      return [{ path: name, message }];
    }
    if (isMetadataValue(value)) return [];
    const message = `\`metadata.${name}\` must be a string of at most ${maxMetadataValueChars} characters, without control characters.`;
    return [{ path: name, message }];
  });
}

function isMetadataValue(value: unknown): boolean {
  if (typeof value !== "string" || value.length > 2 * maxMetadataValueChars) return false;
  return [...value].length <= maxMetadataValueChars && !/[\p{Cc}\p{Cs}]/u.test(value);
}
