// Which requests may take long: the items of a batch and templates may arrive slowly, and the operator's repairs have much to do.

export const maxRequestMs = 10 * 60_000;

export function isLongRequest(method: string, path: string): boolean {
  const isChange = method !== "GET" && method !== "HEAD";
  return isChange && (path.endsWith("/batches") || path.startsWith("/api/manage/"));
}
