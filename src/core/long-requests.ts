// Which requests may take long: the items of a batch and templates may arrive slowly, and the operator's repairs have much to do. How large
// a body may be.

export const maxRequestMs = 10 * 60_000;
/** More than the largest body that an operation accepts. The Worker reads at most this much of a refused body. */
export const maxRequestBytes = 100_000_000;

export function isLongRequest(method: string, path: string): boolean {
  const isChange = method !== "GET" && method !== "HEAD";
  return isChange && (path.endsWith("/batches") || path.startsWith("/api/manage/"));
}
