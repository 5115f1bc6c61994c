// Records which origins of an account's receivers keep failing, and chooses the next origin. A failing origin gets one attempt at a
// time, so that it does not delay other receivers and is not flooded when it recovers.

/** An origin counts as failing after this many failures in a row. */
const failingFrom = 3;

/**
 * Returns the scheme, host and port of the URL, because a path may differ for each event. An invalid URL counts as its own
 * origin: its attempt is refused, and does not delay other events.
 */
export function originOf(url: string): string {
  return URL.canParse(url) ? new URL(url).origin : url;
}

/** `waiting` contains the time at which the next delivery to each origin is due, and `inFlight` the origin of each attempt. */
type Origins = { waiting: ReadonlyMap<string, number>; inFlight: Iterable<string>; maxPerOrigin: number };

/** Returns the origin whose delivery `startNext` returns, or "" if there is none. */
export function nextOrigin(sql: SqlStorage, { waiting, inFlight, maxPerOrigin }: Origins, nowMs: number): string {
  const running = Map.groupBy(inFlight, (origin) => origin);
  let next = { origin: "", attempts: Infinity, due: Infinity };
  for (const [origin, due] of waiting) {
    const attempts = running.get(origin)?.length ?? 0;
    if (due > nowMs || attempts > next.attempts || (attempts === next.attempts && due >= next.due)) continue;
    if (attempts === 0 || attempts < (isFailing(sql, origin) ? 1 : maxPerOrigin)) next = { origin, attempts, due };
  }
  return next.origin;
}

function isFailing(sql: SqlStorage, origin: string): boolean {
  const query = `SELECT 1 FROM failing_origins WHERE origin = ? AND failures >= ${failingFrom}`;
  return sql.exec(query, origin).toArray().length > 0;
}

export function recordSuccess(sql: SqlStorage, origin: string): void {
  sql.exec("DELETE FROM failing_origins WHERE origin = ?", origin);
}

export function recordFailure(sql: SqlStorage, origin: string): void {
  sql.exec(
    `INSERT INTO failing_origins (origin, failures) VALUES (?, 1)
     ON CONFLICT (origin) DO UPDATE SET failures = failures + 1`,
    origin,
  );
}

export function forgetUnusedOrigins(sql: SqlStorage): void {
  sql.exec("DELETE FROM failing_origins WHERE origin NOT IN (SELECT origin FROM deliveries)");
}
