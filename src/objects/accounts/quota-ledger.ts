// The books of one account's allowance, in its Durable Object's SQLite. Every method is one synchronous transaction and
// idempotent by document id. Knows no plans: limits come as arguments.
import type {
  Deletion,
  Hold,
  IdempotencyKey,
  KnownKey,
  Reservation,
  ReserveRequest,
} from "../../core/accounts/quota.ts";

export type LedgerHold = { documentId: string; hold: Hold };
/** `due`: when it is overdue, ms since the epoch; tells a delete from a later one of the same document. */
export type LedgerDeletion = { documentId: string; fileKey: string; accountId: string; due: number };

/** `full`: too many renders are under way; the caller decides whether to wait. */
export type LedgerReservation = Exclude<Reservation, { status: "too_many_in_flight" }> | { status: "full" };

export type QuotaLedger = {
  /** In one transaction: its own row, the idempotency key, the allowance, the renders in flight, and only then the hold. */
  reserve(request: ReserveRequest, nowMs: number): LedgerReservation;
  lookUpKey(idempotency: IdempotencyKey, nowMs: number): KnownKey;
  /** Held becomes committed; anything else stays as it is. */
  commit(documentId: string): void;
  /** Held becomes released: it gives its place back and frees its idempotency key. Anything else stays as it is. */
  release(documentId: string): void;
  usage(month: string): { used: number; reserved: number };
  /** Holds whose lease has ended. */
  expired(nowMs: number): LedgerHold[];
  beginDelete(accountId: string, deletion: Deletion, nowMs: number): void;
  /** Deletes that had their time to end by themselves. */
  overdueDeletions(nowMs: number): LedgerDeletion[];
  endDelete(deletion: LedgerDeletion): void;
  /** When there is next something to do: a lease that ends, or a record to forget. Null when the books are empty. */
  nextDue(): number | null;
  /** Forgets idempotency keys after a day, and settled holds: by then no retry of theirs is under way. */
  sweep(nowMs: number): void;
};

/** How long idempotency keys and settled holds are kept, ms. */
const keptMs = 24 * 3_600_000;

export function quotaLedger(storage: DurableObjectStorage): QuotaLedger {
  const { sql } = storage;
  createTables(sql);

  const committedIn = (month: string) =>
    number(sql, "SELECT coalesce((SELECT committed FROM months WHERE month = ?), 0) AS n", month);
  const heldIn = (month: string) =>
    number(sql, "SELECT count(*) AS n FROM holds WHERE month = ? AND state = 'held'", month);
  const inFlight = () => number(sql, "SELECT count(*) AS n FROM holds WHERE state = 'held'");
  const stateOf = (documentId: string): string | undefined =>
    sql.exec<{ state: string }>("SELECT state FROM holds WHERE document_id = ?", documentId).toArray()[0]?.state;

  const lookUpKey = ({ key, bodyHash }: IdempotencyKey, nowMs: number): KnownKey => {
    const [known] = sql
      .exec<{ body_hash: string; document_id: string; state: string }>(
        `SELECT body_hash, document_id, state FROM idempotency_keys JOIN holds USING (document_id)
         WHERE key = ? AND created_at > ? AND state <> 'released'`,
        ...[key, nowMs - keptMs],
      )
      .toArray();
    if (!known) return { status: "unknown" };
    if (known.body_hash !== bodyHash) return { status: "other_body" };
    return { status: known.state === "held" ? "in_progress" : "done", documentId: known.document_id };
  };

  const insertHold = ({ hold, idempotency }: ReserveRequest, nowMs: number): void => {
    const { id, month } = hold.draft;
    sql.exec(
      "INSERT INTO holds (document_id, month, state, lease_end, hold) VALUES (?, ?, 'held', ?, ?)",
      ...[id, month, nowMs + hold.leaseMs, JSON.stringify(hold)],
    );
    if (!idempotency) return;
    sql.exec(
      "INSERT OR REPLACE INTO idempotency_keys (key, body_hash, document_id, created_at) VALUES (?, ?, ?, ?)",
      ...[idempotency.key, idempotency.bodyHash, id, nowMs],
    );
  };

  const commit = (documentId: string): void => {
    const settled = sql.exec<{ month: string }>(
      "UPDATE holds SET state = 'committed' WHERE document_id = ? AND state = 'held' RETURNING month",
      documentId,
    );
    for (const { month } of settled.toArray()) {
      sql.exec(
        "INSERT INTO months (month, committed) VALUES (?, 1) ON CONFLICT (month) DO UPDATE SET committed = committed + 1",
        month,
      );
    }
  };
  const noteDeletion = ({ documentId, fileKey, accountId, due }: LedgerDeletion): void => {
    sql.exec(
      "INSERT OR REPLACE INTO deletions (document_id, file_key, account_id, due) VALUES (?, ?, ?, ?)",
      ...[documentId, fileKey, accountId, due],
    );
  };
  const release = (documentId: string): void => {
    const settled = sql.exec<{ hold: string; lease_end: number }>(
      "UPDATE holds SET state = 'released' WHERE document_id = ? AND state = 'held' RETURNING hold, lease_end",
      documentId,
    );
    for (const { hold, lease_end } of settled.toArray()) {
      // A put whose answer was lost may land after its file was removed: at lease end it is removed once more.
      const { fileKey, accountId } = (JSON.parse(hold) as Hold).draft;
      noteDeletion({ documentId, fileKey, accountId, due: lease_end });
    }
  };

  return {
    reserve: (request, nowMs) =>
      storage.transactionSync(() => {
        const { hold, limit, inFlightLimit, idempotency } = request;
        const { id, month } = hold.draft;
        const used = committedIn(month) + heldIn(month);
        // The runtime repeats calls whose answer it lost: a place that is there already is not taken twice.
        if (stateOf(id) !== undefined) return { status: "reserved", used };
        const known = idempotency ? lookUpKey(idempotency, nowMs) : { status: "unknown" as const };
        if (known.status !== "unknown") return known;
        if (used >= limit) return { status: "exhausted", used };
        if (inFlight() >= inFlightLimit) return { status: "full" };
        insertHold(request, nowMs);
        return { status: "reserved", used: used + 1 };
      }),
    lookUpKey,
    commit: (documentId) => storage.transactionSync(() => commit(documentId)),
    release: (documentId) => storage.transactionSync(() => release(documentId)),
    usage: (month) => ({ used: committedIn(month), reserved: heldIn(month) }),
    expired: (nowMs) =>
      sql
        .exec<{ document_id: string; hold: string }>(
          "SELECT document_id, hold FROM holds WHERE state = 'held' AND lease_end <= ? ORDER BY lease_end LIMIT 100",
          nowMs,
        )
        .toArray()
        .map((row) => ({ documentId: row.document_id, hold: JSON.parse(row.hold) as Hold })),
    beginDelete: (accountId, { documentId, fileKey, status, leaseMs }, nowMs) =>
      storage.transactionSync(() => {
        if (status === "completed") commit(documentId);
        else release(documentId);
        noteDeletion({ documentId, fileKey, accountId, due: nowMs + leaseMs });
      }),
    overdueDeletions: (nowMs) =>
      sql
        .exec<{ document_id: string; file_key: string; account_id: string; due: number }>(
          "SELECT document_id, file_key, account_id, due FROM deletions WHERE due <= ? ORDER BY due LIMIT 100",
          nowMs,
        )
        .toArray()
        .map(({ document_id, file_key, account_id, due }) => ({
          documentId: document_id,
          fileKey: file_key,
          accountId: account_id,
          due,
        })),
    endDelete: ({ documentId, due }) => {
      sql.exec("DELETE FROM deletions WHERE document_id = ? AND due = ?", documentId, due);
    },
    nextDue: () => {
      const [next] = sql
        .exec<{ due: number | null }>(
          `SELECT min(due) AS due FROM (
             SELECT min(lease_end) AS due FROM holds WHERE state = 'held'
             UNION ALL SELECT min(lease_end) + ${keptMs} FROM holds WHERE state <> 'held'
             UNION ALL SELECT min(due) FROM deletions
             UNION ALL SELECT min(created_at) + ${keptMs} FROM idempotency_keys)`,
        )
        .toArray();
      return next?.due ?? null;
    },
    sweep: (nowMs) =>
      storage.transactionSync(() => {
        sql.exec("DELETE FROM idempotency_keys WHERE created_at <= ?", nowMs - keptMs);
        sql.exec("DELETE FROM holds WHERE state <> 'held' AND lease_end <= ?", nowMs - keptMs);
      }),
  };
}

function createTables(sql: SqlStorage): void {
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
    CREATE TABLE IF NOT EXISTS idempotency_keys (
      key TEXT PRIMARY KEY,
      body_hash TEXT NOT NULL,
      document_id TEXT NOT NULL,
      created_at INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS deletions (
      document_id TEXT PRIMARY KEY,
      file_key TEXT NOT NULL,
      account_id TEXT NOT NULL,
      due INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS idempotency_keys_by_age ON idempotency_keys (created_at);
  `);
}

function number(sql: SqlStorage, query: string, ...bindings: unknown[]): number {
  return sql.exec<{ n: number }>(query, ...bindings).one().n;
}
