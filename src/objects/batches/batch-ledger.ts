// The batches and queued documents of one account, in its object's SQLite. Each method is one of the functions below or in the two
// files of records, as one synchronous transaction.
import { CodedError } from "colophon-base/loggable-error";
import type { AcceptRequest, BatchLimits } from "../../core/batches/batch.ts";
import type { ClaimedItem, KnownBatch, QueuedDocument } from "../../ports/batches.ts";
import { openLedger, type Ledger } from "../runtime/ledger.ts";
import * as batches from "./batch-records.ts";
import { batchStorageSteps, keyRetentionMs, stoppedMergeTries } from "./batch-storage.ts";
import * as items from "./item-records.ts";

const methods = {
  ...batches,
  ...items,
  admit,
  cancel,
  claimItem,
  claimSuspect,
  endLinks,
  enqueue,
  nextDue,
  reopen,
  cancelOverdue,
  waiting,
};

export type BatchLedger = Ledger<typeof methods>;

export function batchLedger(storage: DurableObjectStorage): BatchLedger {
  return openLedger(storage, batchStorageSteps, methods);
}

export type Admission =
  | { status: "admitted" }
  | { status: "too_many"; limit: "openBatches" | "waitingItems" }
  | Exclude<KnownBatch, { status: "unknown" }>;

const admitOpened = `
  UPDATE batches SET created_at = ?2, state = 'admitted', total = ?3, expires_at = ?4, key = ?5, body_hash = ?6
  WHERE id = ?1 AND state = 'opened' RETURNING 1 AS n`;

/** Stores the batch with its items, which are not due yet. Throws if the batch is not open any more. */
function admit(sql: SqlStorage, request: AcceptRequest, limits: BatchLimits, nowMs: number): Admission {
  const { batch, customIds, idempotency } = request;
  const { id, createdAt, expiresAt } = batch;
  const accepted = batches.find(sql, id);
  if (accepted) return { status: "known", state: accepted };
  const known = idempotency ? batches.lookUpKey(sql, idempotency, nowMs) : { status: "unknown" as const };
  if (known.status !== "unknown") return known;
  if (batches.countOpen(sql).batches >= limits.openBatches) return { status: "too_many", limit: "openBatches" };
  if (waiting(sql) + customIds.length > limits.waitingItems) return { status: "too_many", limit: "waitingItems" };
  const { key = null, bodyHash = null } = idempotency ?? {};
  const opened = sql.exec(admitOpened, id, createdAt, customIds.length, expiresAt, key, bodyHash).toArray();
  // The request may arrive late, after the batch was dropped with its items.
  if (opened.length === 0) throw new CodedError("batch.not_open", `batch ${id} is no longer open`);
  sql.exec("INSERT INTO batch_inputs (batch_id, batch) VALUES (?, ?)", id, JSON.stringify(batch));
  items.insertItems(sql, request);
  return { status: "admitted" };
}

function endLinks(sql: SqlStorage, batchId: string): void {
  sql.exec("UPDATE batches SET link_epoch = link_epoch + 1 WHERE id = ?", batchId);
}

/** Adds a document, unless it exists or the maximum number of items and documents is waiting. */
function enqueue(sql: SqlStorage, document: QueuedDocument, limits: BatchLimits, nowMs: number): "queued" | "too_many" {
  if (items.hasDocument(sql, document.hold.draft.id)) return "queued";
  if (waiting(sql) >= limits.waitingItems) return "too_many";
  items.insertDocument(sql, document, nowMs);
  return "queued";
}

/** Returns the number of items and documents that have not ended. */
function waiting(sql: SqlStorage): number {
  return batches.countOpen(sql).items + items.countDocuments(sql);
}

/** Claims the next waiting item that is not a suspect; null if there is none. */
function claimItem(sql: SqlStorage, nowMs: number): ClaimedItem | null {
  const item = items.claimFirst(sql, batches.openBatches(sql), nowMs, false);
  if (item) sql.exec("UPDATE batches SET started_at = ? WHERE id = ? AND started_at IS NULL", nowMs, item.batchId);
  return item;
}

/** Claims an item that may have crashed the browser or ended the object. */
function claimSuspect(sql: SqlStorage, nowMs: number): ClaimedItem | null {
  return items.claimFirst(sql, batches.openBatches(sql), nowMs, true);
}

/**
 * Cancels the items that were never tried. An item that was tried may already have its document, so it is retried until it
 * ends. A batch whose items have all ended gets no merged files.
 */
function cancel(sql: SqlStorage, batchId: string): void {
  const isFinished = batches.finished(sql).some(({ batch }) => batch.id === batchId);
  if (isFinished) batches.countMergeTries(sql, batchId, stoppedMergeTries);
  cancelItems(sql, batchId, 0);
}

/** Cancels the items that were tried at most `maxTries` times. */
function cancelItems(sql: SqlStorage, batchId: string, maxTries: number): void {
  sql.exec("UPDATE batches SET state = 'canceling' WHERE id = ? AND state = 'processing'", batchId);
  if (batches.rowOf(sql, batchId)?.state === "canceling") items.cancelItems(sql, batchId, maxTries);
}

/** An item that was being rendered when the object ended may be the cause, so it becomes a suspect the second time. */
const maxSharedInterruptions = 2;

/**
 * Returns claimed items and documents to the queue, and returns their number. Call it only if no earlier instance of the object
 * can still be running.
 */
function reopen(sql: SqlStorage): number {
  // Nobody waits any more for the acceptance of these batches.
  sql.exec("UPDATE batches SET state = 'removing' WHERE state = 'admitted'");
  const interrupted = "tries = tries + 1, interruptions = interruptions + 1";
  const documents = `UPDATE documents SET is_claimed = 0, ${interrupted} WHERE is_claimed = 1 RETURNING 1 AS n`;
  let count = sql.exec(documents).toArray().length;
  for (const batchId of batches.openBatches(sql)) {
    const update = `
      UPDATE items SET state = 'waiting', ${interrupted},
        is_suspect = max(is_suspect, interruptions + 1 >= ${maxSharedInterruptions})
      WHERE batch_id = ? AND state = 'claimed' RETURNING 1 AS n`;
    count += sql.exec(update, batchId).toArray().length;
  }
  return count;
}

/**
 * Cancels all waiting items of batches that began before `beganBefore` or whose documents have expired, and ends these batches
 * without merged files an hour later. Returns the batches whose data is to be removed: expired batches, and batches that were
 * opened before `openedBefore` and never accepted.
 */
function cancelOverdue(sql: SqlStorage, times: batches.SweepTimes): batches.RemovableBatch[] {
  const { nowMs, beganBefore } = times;
  const overdue = `
    SELECT id FROM batches WHERE state IN ('processing', 'canceling') AND (created_at < ? OR expires_at <= ?)`;
  for (const { id } of sql.exec<{ id: string }>(overdue, beganBefore, nowMs).toArray())
    cancelItems(sql, id, Number.MAX_SAFE_INTEGER);
  for (const { id } of sql.exec<{ id: string }>(overdue, beganBefore - maxMergeMs, nowMs - maxMergeMs).toArray())
    batches.countMergeTries(sql, id, stoppedMergeTries);
  return batches.markRemovable(sql, times);
}

/** How long a batch may continue merging after its time has ended. */
const maxMergeMs = 3_600_000;

/** The maximum time between opening and accepting a batch. A slow client may need minutes for 50 MB. */
export const openMs = 15 * 60_000;

/** A batch that has not ended after this time is canceled. */
export const maxBatchMs = 24 * 3_600_000;

const open = "state IN ('processing', 'canceling')";
/** The platform refuses a compound SELECT of more than five terms. */
const selectNextDues = [
  `SELECT min(created_at) + ${openMs} AS due FROM batches WHERE state = 'opened'`,
  `SELECT min(min(created_at) + ${maxBatchMs}, min(expires_at)) AS due FROM batches WHERE ${open}`,
  "SELECT min(expires_at) AS due FROM batches WHERE state = 'ended'",
  `SELECT min(created_at) + ${keyRetentionMs} AS due FROM batches WHERE state = 'deleted'`,
  "SELECT min(due) AS due FROM documents",
];
const selectRemoving = "SELECT 1 AS n FROM batches WHERE state = 'removing' LIMIT 1";

/**
 * Returns the time of the next work other than finishing batches, in ms since the epoch; it may be in the past. Null if there is
 * none. Removals are due at `removeAt`.
 */
function nextDue(sql: SqlStorage, removeAt: number): number | null {
  const dues = selectNextDues.map((select) => sql.exec<{ due: number | null }>(select).one().due);
  dues.push(items.nextItemDue(sql, batches.openBatches(sql)));
  if (sql.exec(selectRemoving).toArray().length > 0) dues.push(removeAt);
  const due = Math.min(...dues.map((at) => at ?? Infinity));
  return due === Infinity ? null : due;
}
