// The `holds`, `batch_holds` and `months` tables of an account's quota: one row for each render, with the idempotency key of
// its request; one row for all renders of a batch; and the number of committed renders in each month.
import { hasBody } from "../../core/accounts/body-digest.ts";
import type {
  BatchHold,
  BatchProgress,
  Hold,
  IdempotencyKey,
  KnownKey,
  ReserveRequest,
} from "../../core/accounts/quota.ts";
import { count } from "../runtime/ledger.ts";
import { recordsPerAlarm, retentionMs } from "./quota-storage.ts";

/**
 * A file that the alarm removes at `due` (ms since the epoch), in case a request has not removed it. If a document is deleted twice,
 * `due` also distinguishes the two deletes.
 */
export type LedgerDeletion = { documentId: string; fileKey: string; accountId: string; due: number };
export type LedgerHold = { documentId: string; hold: Hold };

export function countCommitted(sql: SqlStorage, month: string): number {
  return count(sql, "SELECT coalesce((SELECT committed FROM months WHERE month = ?), 0) AS n", month);
}

const selectHeld = `
  SELECT (SELECT count(*) FROM holds WHERE month = ?1 AND state = 'held') +
    (SELECT coalesce(sum(total - ended), 0) FROM batch_holds WHERE month = ?1) AS n`;

export function countHeld(sql: SqlStorage, month: string): number {
  return count(sql, selectHeld, month);
}

/** Returns the number of the account's renders in flight, regardless of their month. */
export function countInFlight(sql: SqlStorage): number {
  return count(sql, "SELECT count(*) AS n FROM holds WHERE state = 'held' AND is_queued = 0");
}

/** Returns whether the document has a hold, in any state. */
export function hasHold(sql: SqlStorage, documentId: string): boolean {
  return count(sql, "SELECT count(*) AS n FROM holds WHERE document_id = ?", documentId) > 0;
}

type KeyRow = { document_id: string; state: string; body_hash: string; lease_end: number };
const selectKey = "SELECT document_id, state, body_hash, lease_end FROM holds WHERE key = ? AND created_at > ?";

/** Returns the status of a key. A key is remembered for a day, unless the hold of its document was released. */
export function lookUpKey(sql: SqlStorage, idempotency: IdempotencyKey, nowMs: number): KnownKey {
  const [known] = sql.exec<KeyRow>(selectKey, idempotency.key, nowMs - retentionMs).toArray();
  if (!known) return { status: "unknown" };
  if (!hasBody(idempotency, known.body_hash)) return { status: "other_body" };
  const { document_id: documentId, lease_end: leaseEnd } = known;
  if (known.state !== "held") return { status: "done", documentId };
  // If the request has died, its lease has to end before the key can be used again.
  return { status: "in_progress", documentId, retryAfterSeconds: Math.max(1, Math.ceil((leaseEnd - nowMs) / 1_000)) };
}

const insert = `
  INSERT INTO holds (document_id, month, state, created_at, lease_end, hold, key, body_hash, is_queued)
  VALUES (?, ?, 'held', ?, ?, ?, ?, ?, ?)`;

export function insertHold(sql: SqlStorage, { hold, idempotency, isQueued }: ReserveRequest, nowMs: number): void {
  const { id, month } = hold.draft;
  const key = [idempotency?.key ?? null, idempotency?.bodyHash ?? null];
  sql.exec(insert, id, month, nowMs, nowMs + hold.leaseMs, JSON.stringify(hold), ...key, isQueued ? 1 : 0);
}

export function extend(sql: SqlStorage, documentId: string, leaseEnd: number): void {
  sql.exec("UPDATE holds SET lease_end = ? WHERE document_id = ? AND state = 'held'", leaseEnd, documentId);
}

const markCommitted = "UPDATE holds SET state = 'settled' WHERE document_id = ? AND state = 'held' RETURNING month";
const addToMonth =
  "INSERT INTO months (month, committed) VALUES (?1, ?2) ON CONFLICT (month) DO UPDATE SET committed = committed + ?2";

/** Commits the document's hold if its state is `held`; a settled hold stays unchanged. */
export function commit(sql: SqlStorage, documentId: string): void {
  for (const { month } of sql.exec<{ month: string }>(markCommitted, documentId).toArray())
    sql.exec(addToMonth, month, 1);
}

const markReleased =
  "UPDATE holds SET state = 'settled', key = NULL WHERE document_id = ? AND state = 'held' RETURNING hold, lease_end";

/**
 * Releases the document's hold if its state is `held`, and returns the deletion of the document's file. The deletion is
 * due when the lease ends. A settled hold stays unchanged, and the result is null.
 */
export function releaseHold(sql: SqlStorage, documentId: string): LedgerDeletion | null {
  const [released] = sql.exec<{ hold: string; lease_end: number }>(markReleased, documentId).toArray();
  if (!released) return null;
  const { fileKey, accountId } = (JSON.parse(released.hold) as Hold).draft;
  return { documentId, fileKey, accountId, due: released.lease_end };
}

const selectExpired =
  "SELECT document_id, hold FROM holds WHERE state = 'held' AND lease_end <= ? ORDER BY lease_end LIMIT ?";

/** Returns holds whose lease has expired, up to the number that one alarm settles. */
export function expired(sql: SqlStorage, nowMs: number): LedgerHold[] {
  const rows = sql.exec<{ document_id: string; hold: string }>(selectExpired, nowMs, recordsPerAlarm).toArray();
  return rows.map((row) => ({ documentId: row.document_id, hold: JSON.parse(row.hold) as Hold }));
}

export function hasBatchHold(sql: SqlStorage, batchId: string): boolean {
  return count(sql, "SELECT count(*) AS n FROM batch_holds WHERE batch_id = ?", batchId) > 0;
}

const insertBatch = `
  INSERT INTO batch_holds (batch_id, month, created_at, total, completed, ended) VALUES (?, ?, ?, ?, 0, 0)
  ON CONFLICT DO NOTHING`;

export function insertBatchHold(sql: SqlStorage, { batchId, month, total }: BatchHold, nowMs: number): void {
  sql.exec(insertBatch, batchId, month, nowMs, total);
}

type BatchRow = { month: string; total: number; completed: number; ended: number };

/** Counts the renders that have completed since the last call. Progress that is older than an earlier call's changes nothing. */
export function settleBatchHold(sql: SqlStorage, batchId: string, { completed, ended }: BatchProgress): void {
  const [row] = sql.exec<BatchRow>("SELECT * FROM batch_holds WHERE batch_id = ?", batchId).toArray();
  if (!row || row.ended >= Math.min(ended, row.total)) return;
  const update = "UPDATE batch_holds SET completed = ?, ended = ? WHERE batch_id = ?";
  sql.exec(update, completed, Math.min(ended, row.total), batchId);
  if (completed > row.completed) sql.exec(addToMonth, row.month, completed - row.completed);
}
