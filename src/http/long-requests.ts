// Decides which requests may take long and how large their bodies may be: batch items and templates may arrive slowly, and repairs take
// long.
import { managePath } from "../core/api-paths.ts";

export const maxRequestMs = 10 * 60_000;
/**
 * Larger than the largest body that an operation accepts. The Worker reads at most this many bytes of a refused body.
 */
export const maxRequestBytes = 100_000_000;

export function isLongRequest(method: string, path: string): boolean {
  const isChange = method !== "GET" && method !== "HEAD";
  return isChange && (path.endsWith("/batches") || path.startsWith(`${managePath}/`));
}
