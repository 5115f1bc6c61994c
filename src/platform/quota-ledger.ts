// The books of one account's allowance, in its Durable Object's SQLite. Every method is one synchronous transaction and
// idempotent by document id. Knows no plans: limits come as arguments.
import type { Hold, Reservation } from "../ports.ts";

export type LedgerHold = { documentId: string; hold: Hold };

export type QuotaLedger = {
  reserve(hold: Hold, limit: number, nowMs: number): Reservation;
  /** Held becomes committed; anything else stays as it is. */
  commit(documentId: string): void;
  /** Held becomes released, and gives its place back; anything else stays as it is. */
  release(documentId: string): void;
  usage(month: string): { used: number; reserved: number };
  /** Holds whose lease has ended. */
  expired(nowMs: number): LedgerHold[];
  /** When the next lease ends, ms since the epoch; null when nothing is held. */
  nextLeaseEnd(): number | null;
  /** Forgets settled holds older than a day: by then no retry of theirs is under way. */
  sweep(nowMs: number): void;
};

const settledKeptMs = 24 * 3_600_000;

export function quotaLedger(storage: DurableObjectStorage): QuotaLedger {
  const { sql } = storage;
  sql.exec(`
    CREATE TABLE IF NOT EXISTS holds (
      document_id TEXT PRIMARY KEY,
      month TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('held', 'committed', 'released')),
      lease_end INTEGER NOT NULL,
      hold TEXT NOT NULL
    );
    CREATE INDEX IF NOT EXISTS holds_by_lease ON holds (state, lease_end);
    CREATE INDEX IF NOT EXISTS holds_by_month ON holds (month, state);
    CREATE TABLE IF NOT EXISTS months (month TEXT PRIMARY KEY, committed INTEGER NOT NULL);
  `);

  const countOf = (query: string, ...bindings: unknown[]): number =>
    Number(sql.exec<{ n: number }>(query, ...bindings).one().n);
  const committedIn = (month: string) =>
    countOf("SELECT coalesce((SELECT committed FROM months WHERE month = ?), 0) AS n", month);
  const heldIn = (month: string) =>
    countOf("SELECT count(*) AS n FROM holds WHERE month = ? AND state = 'held'", month);
  const stateOf = (documentId: string): string | undefined =>
    sql.exec<{ state: string }>("SELECT state FROM holds WHERE document_id = ?", documentId).toArray()[0]?.state;

  return {
    reserve: (hold, limit, nowMs) =>
      storage.transactionSync(() => {
        const { id, month } = hold.draft;
        const used = committedIn(month) + heldIn(month);
        // The runtime repeats calls whose answer it lost: a place that is there already is not taken twice.
        if (stateOf(id) !== undefined) return { status: "reserved", used };
        if (used >= limit) return { status: "exhausted", used };
        sql.exec(
          "INSERT INTO holds (document_id, month, state, lease_end, hold) VALUES (?, ?, 'held', ?, ?)",
          ...[id, month, nowMs + hold.leaseMs, JSON.stringify(hold)],
        );
        return { status: "reserved", used: used + 1 };
      }),
    commit: (documentId) =>
      storage.transactionSync(() => {
        const settled = sql.exec<{ month: string }>(
          "UPDATE holds SET state = 'committed' WHERE document_id = ? AND state = 'held' RETURNING month",
          documentId,
        );
        for (const { month } of settled) {
          sql.exec(
            "INSERT INTO months (month, committed) VALUES (?, 1) ON CONFLICT (month) DO UPDATE SET committed = committed + 1",
            month,
          );
        }
      }),
    release: (documentId) => {
      sql.exec("UPDATE holds SET state = 'released' WHERE document_id = ? AND state = 'held'", documentId);
    },
    usage: (month) => ({ used: committedIn(month), reserved: heldIn(month) }),
    expired: (nowMs) =>
      sql
        .exec<{ document_id: string; hold: string }>(
          "SELECT document_id, hold FROM holds WHERE state = 'held' AND lease_end <= ? ORDER BY lease_end LIMIT 100",
          nowMs,
        )
        .toArray()
        .map((row) => ({ documentId: row.document_id, hold: JSON.parse(row.hold) as Hold })),
    nextLeaseEnd: () =>
      sql.exec<{ next: number | null }>("SELECT min(lease_end) AS next FROM holds WHERE state = 'held'").one().next,
    sweep: (nowMs) => {
      sql.exec("DELETE FROM holds WHERE state <> 'held' AND lease_end < ?", nowMs - settledKeptMs);
    },
  };
}
