// Which of an account's endpoints keep failing, and the deliveries that are paused because of it. A failing endpoint gets one
// attempt at a time, so that it neither holds up the others nor is flooded when it is back.

/** After this many failures in a row an endpoint counts as failing. */
const failingFrom = 3;

/** Events sent to one address share its health, whatever their query strings are. */
export function endpointOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

export function isFailing(sql: SqlStorage, endpoint: string): boolean {
  const select = "SELECT 1 FROM failing_endpoints WHERE endpoint = ? AND failures >= ?";
  return sql.exec(select, endpoint, failingFrom).toArray().length > 0;
}

/** The endpoint is healthy again: all of its deliveries resume. */
export function recordSuccess(sql: SqlStorage, endpoint: string): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint = ?", endpoint);
  resume(sql, endpoint, all);
}

/** The endpoint's next delivery resumes, to be the one attempt in flight. */
export function recordFailure(sql: SqlStorage, endpoint: string): void {
  sql.exec(
    `INSERT INTO failing_endpoints (endpoint, failures) VALUES (?, 1)
     ON CONFLICT (endpoint) DO UPDATE SET failures = failures + 1`,
    endpoint,
  );
  resume(sql, endpoint, 1);
}

/** Lets up to `limit` paused deliveries of the endpoint be attempted, those due longest first. */
export function resume(sql: SqlStorage, endpoint: string, limit: number): void {
  sql.exec(
    `UPDATE deliveries SET state = 'waiting' WHERE event_id IN (
       SELECT event_id FROM deliveries WHERE endpoint = ? AND state = 'paused' ORDER BY due LIMIT ?)`,
    endpoint,
    limit,
  );
}

/** SQLite's limit that is none. */
const all = -1;

export function forgetUnusedEndpoints(sql: SqlStorage): void {
  sql.exec("DELETE FROM failing_endpoints WHERE endpoint NOT IN (SELECT endpoint FROM deliveries)");
}
