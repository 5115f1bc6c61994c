// The digest of something large, without a copy of it in memory.
import { createHash } from "node:crypto";

/** Returns the SHA-256 of the parts, one after another, in hex. */
export function sha256Of(parts: Iterable<string | Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}
