// The holds and counts of one account's monthly quota, in its Durable Object's SQLite. Every method that writes does so
// in one synchronous transaction, and may be repeated with the same document id. Limits are passed as arguments, so the
// ledger does not depend on the plans.
import type {
  BatchHold,
  BatchProgress,
  BatchReservation,
  Deletion,
  IdempotencyKey,
  KnownKey,
  Reservation,
  ReserveRequest,
} from "../../core/accounts/quota.ts";
import { upgradeStorage } from "../runtime/storage-version.ts";
import {
  countDeletions,
  deleteDeletion,
  insertDeletion,
  overdueDeletions,
  type LedgerDeletion,
} from "./deletion-records.ts";
import {
  commitHold,
  committedByMonth,
  countCommitted,
  countHeld,
  countHolds,
  countInFlight,
  expiredHolds,
  extendHold,
  hasBatchHold,
  hasHold,
  insertBatchHold,
  insertHold,
  lookUpKey,
  monthsWithHolds,
  releaseHold,
  setCommitted,
  settleBatchHold,
  type LedgerHold,
} from "./hold-records.ts";
import { quotaStorageSteps, retentionMs } from "./quota-storage.ts";

/**
 * Like `Reservation`, but `too_many_in_flight` has no `retryAfterSeconds`, because the caller first decides whether the
 * create waits.
 */
export type LedgerReservation =
  | Exclude<Reservation, { status: "too_many_in_flight" }>
  | { status: "too_many_in_flight" };

export type QuotaLedger = {
  /**
   * Inserts the hold, unless the document already has one, the idempotency key is known, or one of the two limits has
   * been reached. All of this is one transaction.
   */
  reserve(request: ReserveRequest, nowMs: number): LedgerReservation;
  lookUpKey(idempotency: IdempotencyKey, nowMs: number): KnownKey;
  /** Commits the document's hold if its state is `held`; a settled hold stays unchanged. */
  commit(documentId: string): void;
  /**
   * Releases the document's hold if its state is `held`, so that it no longer counts and its idempotency key can be
   * used again. A settled hold stays unchanged.
   */
  release(documentId: string): void;
  extend(documentId: string, leaseEnd: number): void;
  /** Inserts the hold of a batch, unless there is one or the limit has no room for all of its renders. */
  reserveBatch(hold: BatchHold, limit: number, nowMs: number): BatchReservation;
  settleBatch(batchId: string, progress: BatchProgress, nowMs: number): void;
  usage(month: string): { used: number; reserved: number };
  /** Returns holds whose lease has expired, as many as one alarm settles. */
  expired(nowMs: number): LedgerHold[];
  beginDelete(accountId: string, deletion: Deletion, nowMs: number): void;
  /** Returns deletes whose lease has expired, as many as one alarm finishes. */
  overdueDeletions(nowMs: number): LedgerDeletion[];
  endDelete(deletion: LedgerDeletion): void;
  /**
   * Returns the time at which the alarm next has work to do, in ms since the epoch, or null when there is no work.
   * There is work when a lease expires, when a delete becomes overdue, or when an old record can be deleted.
   */
  nextDue(): number | null;
  /** Deletes settled holds one day after the end of their lease. By then, no caller retries those requests. */
  sweep(nowMs: number): void;
  /** Returns the number of holds and deletes that are not settled. */
  unsettled(): number;
  counts(): LedgerCounts;
  /** Sets the count of a month to `completed`. Returns false if the count is not `committed` any more, or the month has holds. */
  correctCount(count: { month: string; committed: number; completed: number }): boolean;
};

/** The number of committed renders by month, and the months with renders that are still held. */
export type LedgerCounts = { committed: Record<string, number>; monthsWithHolds: string[] };

const recordsPerAlarm = 100;

export function quotaLedger(storage: DurableObjectStorage): QuotaLedger {
  upgradeStorage(storage, quotaStorageSteps);
  const { sql } = storage;
  return {
    reserve: (request, nowMs) => storage.transactionSync(() => reserve(sql, request, nowMs)),
    lookUpKey: (idempotency, nowMs) => lookUpKey(sql, idempotency, nowMs),
    commit: (documentId) => storage.transactionSync(() => commitHold(sql, documentId)),
    release: (documentId) => storage.transactionSync(() => release(sql, documentId)),
    usage: (month) => ({ used: countCommitted(sql, month), reserved: countHeld(sql, month) }),
    expired: (nowMs) => expiredHolds(sql, nowMs, recordsPerAlarm),
    extend: (documentId, leaseEnd) => extendHold(sql, documentId, leaseEnd),
    reserveBatch: (hold, limit, nowMs) => storage.transactionSync(() => reserveBatch(sql, hold, limit, nowMs)),
    settleBatch: (batchId, progress, nowMs) =>
      storage.transactionSync(() => {
        // A batch without a hold gets an empty one, so that a reservation which arrives late finds it.
        insertBatchHold(sql, { batchId, month: "", total: 0 }, nowMs);
        settleBatchHold(sql, batchId, progress);
      }),
    beginDelete: (accountId, deletion, nowMs) =>
      storage.transactionSync(() => beginDelete(sql, accountId, deletion, nowMs)),
    overdueDeletions: (nowMs) => overdueDeletions(sql, nowMs, recordsPerAlarm),
    endDelete: (deletion) => deleteDeletion(sql, deletion),
    nextDue: () => sql.exec<{ due: number | null }>(selectNextDue).one().due,
    sweep: (nowMs) => {
      sql.exec(deleteSettled, nowMs - retentionMs);
      sql.exec(deleteOldBatches, nowMs - 2 * retentionMs);
    },
    unsettled: () => countHolds(sql) + countDeletions(sql),
    counts: () => ({ committed: committedByMonth(sql), monthsWithHolds: monthsWithHolds(sql) }),
    correctCount: ({ month, committed, completed }) =>
      storage.transactionSync(() => {
        if (countHeld(sql, month) > 0 || countCommitted(sql, month) !== committed) return false;
        setCommitted(sql, month, completed);
        return true;
      }),
  };
}

function reserve(sql: SqlStorage, request: ReserveRequest, nowMs: number): LedgerReservation {
  const { hold, limit, inFlightLimit, idempotency, isQueued } = request;
  const { id, month } = hold.draft;
  const used = countCommitted(sql, month) + countHeld(sql, month);
  // This call may repeat an earlier one whose response was lost. The hold that the earlier call inserted must not count
  // twice.
  if (hasHold(sql, id)) return { status: "reserved", used };
  const known = idempotency ? lookUpKey(sql, idempotency, nowMs) : { status: "unknown" as const };
  if (known.status !== "unknown") return known;
  if (used >= limit) return { status: "exhausted", used };
  if (!isQueued && countInFlight(sql) >= inFlightLimit) return { status: "too_many_in_flight" };
  insertHold(sql, request, nowMs);
  return { status: "reserved", used: used + 1 };
}

function reserveBatch(sql: SqlStorage, hold: BatchHold, limit: number, nowMs: number): BatchReservation {
  const used = countCommitted(sql, hold.month) + countHeld(sql, hold.month);
  if (hasBatchHold(sql, hold.batchId)) return { status: "reserved", used };
  if (used + hold.total > limit) return { status: "exhausted", used };
  insertBatchHold(sql, hold, nowMs);
  return { status: "reserved", used: used + hold.total };
}

function release(sql: SqlStorage, documentId: string): void {
  // If the response to the put was lost, R2 may store the file after this service has removed it. Therefore the alarm
  // removes the file again when the lease ends.
  const released = releaseHold(sql, documentId);
  if (released) insertDeletion(sql, released);
}

function beginDelete(sql: SqlStorage, accountId: string, deletion: Deletion, nowMs: number): void {
  const { documentId, fileKey, status, leaseMs } = deletion;
  if (status === "completed") commitHold(sql, documentId);
  else release(sql, documentId);
  insertDeletion(sql, { documentId, fileKey, accountId, due: nowMs + leaseMs });
}

/** One alarm sweeps the holds of an hour, because setting the alarm is billed like a row. */
const sweepAfterMs = retentionMs + 3_600_000;

const selectNextDue = `
  SELECT min(due) AS due FROM (
    SELECT min(lease_end) AS due FROM holds WHERE state = 'held'
    UNION ALL SELECT min(lease_end) + ${sweepAfterMs} FROM holds WHERE state = 'settled'
    UNION ALL SELECT min(due) FROM deletions)`;

const deleteSettled = "DELETE FROM holds WHERE state = 'settled' AND lease_end <= ?";
/** A batch ends within a day, so an older hold belongs to a batch that was lost. */
const deleteOldBatches = "DELETE FROM batch_holds WHERE created_at <= ?";

type WrongCount = { month: string; committed: number; completed: number };

/**
 * Returns the months in which D1 has another number of completed documents than the ledger. `counts` must have been read before
 * `completed`. Months with holds are left out, because D1 may already have the documents of those.
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
