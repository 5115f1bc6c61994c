// Records which of an account's endpoints keep failing, and resumes their paused deliveries. A failing endpoint gets
// one attempt at a time, so that it does not delay other endpoints and is not flooded when it is available again.

/** An endpoint counts as failing after this many failures in a row. */
const failingFrom = 3;

/** Returns the origin and path of the URL, so URLs that differ only in their query strings are the same endpoint. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export function isFailing(sql: SqlStorage, endpoint: string): boolean {
  const select = "SELECT 1 FROM failing_endpoints WHERE endpoint = ? AND failures >= ?";
  return sql.exec(select, endpoint, failingFrom).toArray().length > 0;
}

/** Forgets the endpoint's failures and resumes all of its paused deliveries, because the endpoint works again. */
export function recordSuccess(sql: SqlStorage, endpoint: string): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint = ?", endpoint);
  resume(sql, endpoint, noLimit);
}

/** Counts the failure, and resumes one paused delivery for the endpoint's next attempt. */
export function recordFailure(sql: SqlStorage, endpoint: string): void {
  sql.exec(
    `INSERT INTO failing_endpoints (endpoint, failures) VALUES (?, 1)
     ON CONFLICT (endpoint) DO UPDATE SET failures = failures + 1`,
    endpoint,
  );
  resume(sql, endpoint, 1);
}

/** Resumes up to `limit` paused deliveries of the endpoint, starting with the one that was due first. */
export function resume(sql: SqlStorage, endpoint: string, limit: number): void {
  sql.exec(
    `UPDATE deliveries SET state = 'waiting' WHERE event_id IN (
       SELECT event_id FROM deliveries WHERE endpoint = ? AND state = 'paused' ORDER BY due LIMIT ?)`,
    endpoint,
    limit,
  );
}

/** SQLite treats a negative LIMIT as no limit. */
const noLimit = -1;

export function forgetUnusedEndpoints(sql: SqlStorage): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint NOT IN (SELECT endpoint FROM deliveries)");
}
