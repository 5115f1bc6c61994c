// Reads the token of a request from its `Authorization` header.
import { sha256Hex } from "colophon-base/encoding";
import { secretMatches } from "./api-key.ts";

/** Returns the token of a header `Bearer <token>`, or null if the header is missing or has another form. */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +([!-~]+) *$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** Returns true if the header contains the secret, and null otherwise. */
export async function hasSecret(secret: string | null, authorization: string | undefined): Promise<true | null> {
  const token = bearerToken(authorization);
  const isAllowed = secret !== null && token !== null && (await secretMatches(token, await sha256Hex(secret)));
  return isAllowed || null;
}
