// The holds, counts and deletes of one account's monthly quota, in its Durable Object's SQLite. Each method is one of the functions below
// or in `hold-records.ts`, and may be repeated with the same document id. Limits are passed as arguments, so the ledger does not depend on
// the plans.
import type {
  BatchHold,
  BatchProgress,
  BatchReservation,
  Deletion,
  Reservation,
  ReserveRequest,
} from "../../core/accounts/quota.ts";
import { openLedger, type Ledger } from "../runtime/ledger.ts";
import * as holds from "./hold-records.ts";
import type { LedgerDeletion } from "./hold-records.ts";
import { quotaStorageSteps, recordsPerAlarm, retentionMs } from "./quota-storage.ts";

/**
 * Like `Reservation`, but `too_many_in_flight` has no `retryAfterSeconds`, because the caller first decides whether the
 * create waits.
 */
export type LedgerReservation =
  | Exclude<Reservation, { status: "too_many_in_flight" }>
  | { status: "too_many_in_flight" };

const { lookUpKey, commit, extend, expired } = holds;
const methods = {
  lookUpKey,
  commit,
  extend,
  expired,
  reserve,
  release,
  reserveBatch,
  settleBatch,
  usage,
  counts,
  correctCount,
  beginDelete,
  overdueDeletions,
  endDelete,
  nextDue,
  sweep,
  unsettled,
};

export type QuotaLedger = Ledger<typeof methods>;

export function quotaLedger(storage: DurableObjectStorage): QuotaLedger {
  return openLedger(storage, quotaStorageSteps, methods);
}

/** Inserts the hold, unless the document already has one, the idempotency key is known, or one of the two limits has been reached. */
function reserve(sql: SqlStorage, request: ReserveRequest, nowMs: number): LedgerReservation {
  const { hold, limit, inFlightLimit, idempotency, isQueued } = request;
  const { id, month } = hold.draft;
  const used = holds.countCommitted(sql, month) + holds.countHeld(sql, month);
  // This call may repeat an earlier call whose response was lost. That call's hold must not count twice.
  const inFlight = holds.countInFlight(sql);
  if (holds.hasHold(sql, id)) return { status: "reserved", used, inFlight };
  const keyStatus = idempotency ? holds.lookUpKey(sql, idempotency, nowMs) : { status: "unknown" as const };
  if (keyStatus.status !== "unknown") return keyStatus;
  if (used >= limit) return { status: "exhausted", used };
  if (!isQueued && inFlight >= inFlightLimit) return { status: "too_many_in_flight" };
  holds.insertHold(sql, request, nowMs);
  return { status: "reserved", used: used + 1, inFlight: inFlight + (isQueued ? 0 : 1) };
}

/** Inserts the hold of a batch, unless it exists or the limit does not cover all its renders. */
function reserveBatch(sql: SqlStorage, hold: BatchHold, limit: number, nowMs: number): BatchReservation {
  const used = holds.countCommitted(sql, hold.month) + holds.countHeld(sql, hold.month);
  if (holds.hasBatchHold(sql, hold.batchId)) return { status: "reserved", used };
  if (used + hold.total > limit) return { status: "exhausted", used };
  holds.insertBatchHold(sql, hold, nowMs);
  return { status: "reserved", used: used + hold.total };
}

function settleBatch(sql: SqlStorage, batchId: string, progress: BatchProgress, nowMs: number): void {
  // A batch without a hold gets an empty one, so that a late reservation finds it.
  holds.insertBatchHold(sql, { batchId, month: "", total: 0 }, nowMs);
  holds.settleBatchHold(sql, batchId, progress);
}

function usage(sql: SqlStorage, month: string): { used: number; reserved: number } {
  return { used: holds.countCommitted(sql, month), reserved: holds.countHeld(sql, month) };
}

/**
 * Releases the document's hold if its state is `held`, so that it no longer counts and its idempotency key can be
 * used again. A settled hold stays unchanged.
 */
function release(sql: SqlStorage, documentId: string): void {
  // If the response to the put was lost, R2 may store the file after this service has removed it. Therefore the alarm
  // removes the file again when the lease ends.
  const released = holds.releaseHold(sql, documentId);
  if (released) insertDeletion(sql, released);
}

function beginDelete(sql: SqlStorage, accountId: string, deletion: Deletion, nowMs: number): void {
  const { documentId, fileKey, status, leaseMs } = deletion;
  if (status === "completed") holds.commit(sql, documentId);
  else release(sql, documentId);
  insertDeletion(sql, { documentId, fileKey, accountId, due: nowMs + leaseMs });
}

function insertDeletion(sql: SqlStorage, { documentId, fileKey, accountId, due }: LedgerDeletion): void {
  const insert = "INSERT OR REPLACE INTO deletions (document_id, file_key, account_id, due) VALUES (?, ?, ?, ?)";
  sql.exec(insert, documentId, fileKey, accountId, due);
}

/** Returns deletes whose lease has expired, up to the number that one alarm finishes. */
function overdueDeletions(sql: SqlStorage, nowMs: number): LedgerDeletion[] {
  const select = `SELECT document_id AS documentId, file_key AS fileKey, account_id AS accountId, due FROM deletions
    WHERE due <= ? ORDER BY due LIMIT ?`;
  return sql.exec<LedgerDeletion>(select, nowMs, recordsPerAlarm).toArray();
}

function endDelete(sql: SqlStorage, { documentId, due }: LedgerDeletion): void {
  sql.exec("DELETE FROM deletions WHERE document_id = ? AND due = ?", documentId, due);
}

/** One alarm sweeps an hour of holds, because setting the alarm is billed like a row. */
const sweepAfterMs = retentionMs + 3_600_000;

const selectNextDue = `
  SELECT min(due) AS due FROM (
    SELECT min(lease_end) AS due FROM holds WHERE state = 'held'
    UNION ALL SELECT min(lease_end) + ${sweepAfterMs} FROM holds WHERE state = 'settled'
    UNION ALL SELECT min(due) FROM deletions)`;

/**
 * Returns the time at which the alarm next has work to do, in ms since the epoch, or null when there is no work.
 * There is work when a lease expires, when a delete becomes overdue, or when an old record can be deleted.
 */
function nextDue(sql: SqlStorage): number | null {
  return sql.exec<{ due: number | null }>(selectNextDue).one().due;
}

/** Deletes settled holds one day after the end of their lease, when no caller retries those requests any more. */
function sweep(sql: SqlStorage, nowMs: number): void {
  sql.exec("DELETE FROM holds WHERE state = 'settled' AND lease_end <= ?", nowMs - retentionMs);
  // A batch ends within a day, so an older hold belongs to a lost batch.
  sql.exec("DELETE FROM batch_holds WHERE created_at <= ?", nowMs - 2 * retentionMs);
}

/** Returns the number of holds and deletes that are not settled. */
function unsettled(sql: SqlStorage): number {
  const select = "SELECT (SELECT count(*) FROM holds WHERE state = 'held') + (SELECT count(*) FROM deletions) AS n";
  return sql.exec<{ n: number }>(select).one().n;
}

/** The number of committed renders by month, and the months with renders that are still held. */
type LedgerCounts = { committed: Record<string, number>; monthsWithHolds: string[] };

const selectMonthsWithHolds =
  "SELECT month FROM holds WHERE state = 'held' UNION SELECT month FROM batch_holds WHERE ended < total";

function counts(sql: SqlStorage): LedgerCounts {
  const months = sql.exec<{ month: string; committed: number }>("SELECT month, committed FROM months").toArray();
  const held = sql.exec<{ month: string }>(selectMonthsWithHolds).toArray();
  return {
    committed: Object.fromEntries(months.map(({ month, committed }) => [month, committed])),
    monthsWithHolds: held.map(({ month }) => month),
  };
}

type WrongCount = { month: string; committed: number; completed: number };

/**
 * Sets the count of a month to `completed`. Returns false if the count has changed from `committed`, or the month has holds.
 */
function correctCount(sql: SqlStorage, { month, committed, completed }: WrongCount): boolean {
  if (holds.countHeld(sql, month) > 0 || holds.countCommitted(sql, month) !== committed) return false;
  const upsert =
    "INSERT INTO months (month, committed) VALUES (?1, ?2) ON CONFLICT (month) DO UPDATE SET committed = ?2";
  sql.exec(upsert, month, completed);
  return true;
}

/**
 * Returns the months in which the number of completed documents in D1 differs from the ledger. `counts` must have been read before
 * `completed`. Months with holds are skipped, because D1 may already have their documents.
 */
export function wrongCounts(
  { committed, monthsWithHolds }: LedgerCounts,
  completed: Record<string, number>,
): WrongCount[] {
  const months = new Set([...Object.keys(committed), ...Object.keys(completed)]);
  return [...months]
    .filter((month) => !monthsWithHolds.includes(month))
    .map((month) => ({ month, committed: committed[month] ?? 0, completed: completed[month] ?? 0 }))
    .filter((count) => count.committed !== count.completed);
}
