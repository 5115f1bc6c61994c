// The batches and queued documents of one account, in its object's SQLite. Every method that writes does so in one synchronous
// transaction.
import type { AcceptRequest, Batch, BatchLimits } from "../../core/batches/batch.ts";
import type { Admission, BatchLedger } from "../../ports/batches.ts";
import { upgradeStorage } from "../runtime/storage-version.ts";
import {
  addFile,
  batchRow,
  countOpen,
  keyRetentionMs,
  lastMergedIndex,
  listBatches,
  lookUpBatchKey,
  markEnded,
  openBatchIds,
  purgeBatch,
  readBatch,
  recount,
  stateOf,
  sweepBatches,
} from "./batch-records.ts";
import { batchStorageSteps } from "./batch-storage.ts";
import {
  cancelItems,
  chunkOf,
  claimDocument,
  claimItem,
  countDocuments,
  endItem,
  hasDocument,
  insertDocument,
  insertItems,
  itemStates,
  returnItem,
} from "./item-records.ts";

type InTransaction = <T>(work: () => T) => T;

export function batchLedger(storage: DurableObjectStorage): BatchLedger {
  upgradeStorage(storage, batchStorageSteps);
  const { sql } = storage;
  const inTransaction: InTransaction = (work) => storage.transactionSync(work);
  return {
    ...batchMethods(sql, inTransaction),
    ...itemMethods(sql, inTransaction),
    ...documentMethods(sql, inTransaction),
    ...upkeepMethods(sql, inTransaction),
  };
}

/** Batches of which an account renders items at about the same time. */
const rememberedBatches = 4;

function batchMethods(sql: SqlStorage, inTransaction: InTransaction) {
  const remembered = new Map<string, Batch>();
  return {
    open: (accountId, id, nowMs) => void sql.exec(insertOpened, id, accountId, nowMs),
    admit: (request, limits, nowMs) => inTransaction(() => admit(sql, request, limits, nowMs)),
    begin: (id) => void sql.exec("UPDATE batches SET state = 'processing' WHERE id = ? AND state = 'admitted'", id),
    drop: (id) => void sql.exec(`UPDATE batches SET state = 'removing' WHERE id = ? AND ${isNotAccepted}`, id),
    lookUpKey: (idempotency, nowMs) => lookUpBatchKey(sql, idempotency, nowMs),
    find: (id) => stateOf(sql, batchRow(sql, id)),
    batch: (id) => {
      const batch = remembered.get(id) ?? readBatch(sql, id);
      if (!remembered.has(id) && remembered.size >= rememberedBatches) remembered.clear();
      remembered.set(id, batch);
      return batch;
    },
    list: (page) => listBatches(sql, page),
    results: (id, from, limit) => (stateOf(sql, batchRow(sql, id)) ? itemStates(sql, id, from, limit) : null),
    cancel: (id) => inTransaction(() => cancel(sql, id)),
    remove: (id) =>
      sql.exec("UPDATE batches SET state = 'removing' WHERE id = ? AND state = 'ended' RETURNING 1 AS n", id).toArray()
        .length > 0,
  } satisfies Partial<BatchLedger>;
}

function itemMethods(sql: SqlStorage, inTransaction: InTransaction) {
  return {
    claimItem: (nowMs) =>
      inTransaction(() => {
        const item = claimItem(sql, openBatchIds(sql), false);
        if (item)
          sql.exec("UPDATE batches SET started_at = ? WHERE id = ? AND started_at IS NULL", nowMs, item.batchId);
        return item;
      }),
    claimSuspect: () => inTransaction(() => claimItem(sql, openBatchIds(sql), true)),
    chunkOf: (id, index) => chunkOf(sql, id, index),
    endItem: (id, index, outcome) => inTransaction(() => endItem(sql, id, index, outcome)),
    returnItem: (id, index, isSuspect) =>
      inTransaction(() => {
        returnItem(sql, id, index, isSuspect);
        if (batchRow(sql, id)?.state === "canceling") cancelItems(sql, id);
      }),
    progress: (id) => {
      const { completed = 0, failed = 0, canceled = 0 } = batchRow(sql, id) ?? {};
      return { completed, ended: completed + failed + canceled };
    },
    openBatches: () => openBatchIds(sql),
    claimFinished: (except) => {
      const rows = sql.exec<{ id: string }>(selectFinished).toArray();
      const next = rows.find(({ id }) => !except.has(id));
      return next ? stateOf(sql, batchRow(sql, next.id)) : null;
    },
    addFile: (id, file, lastIndex) => addFile(sql, id, file, lastIndex),
    lastMergedIndex: (id) => lastMergedIndex(sql, id),
    markEnded: (id, nowMs) => markEnded(sql, id, nowMs),
    end: (id) => void sql.exec("UPDATE batches SET state = 'ended' WHERE id = ?", id),
  } satisfies Partial<BatchLedger>;
}

function documentMethods(sql: SqlStorage, inTransaction: InTransaction) {
  return {
    enqueue: (document, limits, nowMs) =>
      inTransaction(() => {
        if (hasDocument(sql, document.hold.draft.id)) return "queued";
        if (countWaiting(sql) >= limits.waitingItems) return "too_many";
        insertDocument(sql, document, nowMs);
        return "queued";
      }),
    claimDocument: () => inTransaction(() => claimDocument(sql)),
    returnDocument: (id) => void sql.exec("UPDATE documents SET is_claimed = 0, tries = tries + 1 WHERE id = ?", id),
    endDocument: (id) => void sql.exec("DELETE FROM documents WHERE id = ?", id),
  } satisfies Partial<BatchLedger>;
}

function upkeepMethods(sql: SqlStorage, inTransaction: InTransaction) {
  return {
    sweep: ({ nowMs, beganBefore, openedBefore }) =>
      inTransaction(() => {
        const overdue = sql.exec<{ id: string }>(selectOverdue, beganBefore).toArray();
        for (const { id } of overdue) cancel(sql, id);
        return sweepBatches(sql, { nowMs, openedBefore });
      }),
    purge: (id, nowMs) => inTransaction(() => purgeBatch(sql, id, nowMs)),
    recount: () => inTransaction(() => recount(sql)),
    nextDue: (nowMs) => nextDue(sql, nowMs),
    reopen: () => inTransaction(() => reopen(sql)),
  } satisfies Partial<BatchLedger>;
}

const insertOpened =
  "INSERT INTO batches (id, account_id, created_at, state) VALUES (?, ?, ?, 'opened') ON CONFLICT DO NOTHING";
const isNotAccepted = "state IN ('opened', 'admitted')";
const selectFinished =
  "SELECT id FROM batches WHERE state IN ('processing', 'canceling') AND completed + failed + canceled = total";
const selectOverdue = "SELECT id FROM batches WHERE state = 'processing' AND created_at < ?";

const admitOpened = `
  INSERT INTO batches (id, created_at, state, total, expires_at, key, body_hash, account_id)
  VALUES (?1, ?2, 'admitted', ?3, ?4, ?5, ?6, ?7)
  ON CONFLICT (id) DO UPDATE SET created_at = ?2, state = 'admitted', total = ?3, expires_at = ?4, key = ?5, body_hash = ?6`;

function admit(sql: SqlStorage, request: AcceptRequest, limits: BatchLimits, nowMs: number): Admission {
  const { batch, customIds, idempotency } = request;
  const accepted = stateOf(sql, batchRow(sql, batch.id));
  if (accepted) return { status: "known", state: accepted };
  const known = idempotency ? lookUpBatchKey(sql, idempotency, nowMs) : { status: "unknown" as const };
  if (known.status !== "unknown") return known;
  if (countOpen(sql).batches >= limits.openBatches) return { status: "too_many", limit: "openBatches" };
  if (countWaiting(sql) + customIds.length > limits.waitingItems) return { status: "too_many", limit: "waitingItems" };
  const { key = null, bodyHash = null } = idempotency ?? {};
  sql.exec(admitOpened, batch.id, batch.createdAt, customIds.length, batch.expiresAt, key, bodyHash, batch.accountId);
  sql.exec("INSERT INTO batch_inputs (batch_id, batch) VALUES (?, ?)", batch.id, JSON.stringify(batch));
  insertItems(sql, request);
  return { status: "admitted" };
}

function countWaiting(sql: SqlStorage): number {
  return countOpen(sql).items + countDocuments(sql);
}

function cancel(sql: SqlStorage, batchId: string): void {
  const update = "UPDATE batches SET state = 'canceling' WHERE id = ? AND state = 'processing' RETURNING 1 AS n";
  if (sql.exec(update, batchId).toArray().length > 0) cancelItems(sql, batchId);
}

/** An item that was being rendered when the object ended may have caused that, so the second time makes it a suspect. */
const maxSharedInterruptions = 2;

function reopen(sql: SqlStorage): void {
  // Nobody waits for the acceptance of these any more.
  sql.exec("UPDATE batches SET state = 'removing' WHERE state = 'admitted'");
  const interrupted = "tries = tries + 1, interruptions = interruptions + 1";
  sql.exec(`UPDATE documents SET is_claimed = 0, ${interrupted} WHERE is_claimed = 1`);
  const open = openBatchIds(sql);
  for (const batchId of open) {
    const update = `
      UPDATE items SET state = 'waiting', ${interrupted},
        is_suspect = max(is_suspect, interruptions + 1 >= ${maxSharedInterruptions})
      WHERE batch_id = ? AND state = 'claimed'`;
    sql.exec(update, batchId);
    if (batchRow(sql, batchId)?.state === "canceling") cancelItems(sql, batchId);
  }
}

const selectNextDue = `
  SELECT min(due) AS due FROM (
    SELECT min(created_at) + ? AS due FROM batches WHERE state = 'opened'
    UNION ALL SELECT min(expires_at) FROM batches WHERE state = 'ended'
    UNION ALL SELECT min(created_at) + ${keyRetentionMs} FROM batches WHERE state = 'deleted')`;
const selectWork = `
  SELECT EXISTS (SELECT 1 FROM batches WHERE state IN ('processing', 'canceling', 'removing'))
    OR EXISTS (SELECT 1 FROM documents) AS has_work`;

/** How long an opened batch may take until it is accepted. A slow client may need minutes for 50 MB. */
export const openMs = 15 * 60_000;

function nextDue(sql: SqlStorage, nowMs: number): number | null {
  if (sql.exec<{ has_work: number }>(selectWork).one().has_work === 1) return nowMs;
  return sql.exec<{ due: number | null }>(selectNextDue, openMs).one().due;
}
