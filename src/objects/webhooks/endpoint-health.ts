// Records which of an account's endpoints keep failing. A failing endpoint gets one attempt at a time, so that it does not
// delay other endpoints and is not flooded when it is available again.

/** An endpoint counts as failing after this many failures in a row. */
export const failingFrom = 3;

/**
 * Returns the origin and path of the URL, so URLs that differ only in their query strings are the same endpoint. An invalid URL is its
 * own endpoint: its attempt is refused, and does not keep those of other events waiting.
 */
export function endpointOf(url: string): string {
  if (!URL.canParse(url)) return url;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export function recordSuccess(sql: SqlStorage, endpoint: string): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint = ?", endpoint);
}

export function recordFailure(sql: SqlStorage, endpoint: string): void {
  sql.exec(
    `INSERT INTO failing_endpoints (endpoint, failures) VALUES (?, 1)
     ON CONFLICT (endpoint) DO UPDATE SET failures = failures + 1`,
    endpoint,
  );
}

export function forgetUnusedEndpoints(sql: SqlStorage): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint NOT IN (SELECT endpoint FROM deliveries)");
}
