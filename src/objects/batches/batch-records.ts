// The `batches` table of an account, with each batch's request and merged files. All functions become methods of the ledger.
import { counted } from "colophon-base/text";
import { hasBody } from "../../core/accounts/body-digest.ts";
import type { BatchProgress, IdempotencyKey } from "../../core/accounts/quota.ts";
import type { Batch, BatchState, MergedFile } from "../../core/batches/batch.ts";
import { type Listed, cutPage, type Page } from "../../core/pagination.ts";
import type { KnownBatch } from "../../ports/batches.ts";
import { keyRetentionMs, maxMergeTries } from "./batch-storage.ts";

export type SweepTimes = { nowMs: number; beganBefore: number; openedBefore: number };

/** A batch whose data is to be removed, with the keys of its merged files. */
export type RemovableBatch = { accountId: string; batchId: string; files: string[] };

export type BatchRow = {
  id: string;
  account_id: string;
  created_at: number;
  state: "opened" | "admitted" | "processing" | "canceling" | "ended" | "removing" | "deleted";
  total: number;
  completed: number;
  failed: number;
  canceled: number;
  started_at: number | null;
  ended_at: number | null;
  /** JSON of `MergedFile[]`. These files contain the items before `merged_until`. */
  files: string;
  merged_until: number;
  /** The number of tries of the next file. A try that failed by itself counts twice, and an interrupted one once. */
  merge_tries: number;
  /** JSON of `string[]`. */
  warnings: string;
  expires_at: number;
  key: string | null;
  body_hash: string | null;
  /** Links with a different number have been ended. */
  link_epoch: number;
};

/** Records a batch whose items are about to be stored. */
export function open(sql: SqlStorage, accountId: string, batchId: string, nowMs: number): void {
  const insert =
    "INSERT INTO batches (id, account_id, created_at, state) VALUES (?, ?, ?, 'opened') ON CONFLICT DO NOTHING";
  sql.exec(insert, batchId, accountId, nowMs);
}

/** Begins a batch that has been admitted. */
export function begin(sql: SqlStorage, batchId: string): void {
  sql.exec("UPDATE batches SET state = 'processing' WHERE id = ? AND state = 'admitted'", batchId);
}

/** Marks a batch that was not accepted for removal. Accepted batches stay unchanged. */
export function drop(sql: SqlStorage, batchId: string): void {
  sql.exec("UPDATE batches SET state = 'removing' WHERE id = ? AND state IN ('opened', 'admitted')", batchId);
}

/** Marks an ended batch for removal, and returns whether it has ended. */
export function remove(sql: SqlStorage, batchId: string): boolean {
  const update = "UPDATE batches SET state = 'removing' WHERE id = ? AND state = 'ended' RETURNING 1 AS n";
  return sql.exec(update, batchId).toArray().length > 0;
}

export function rowOf(sql: SqlStorage, batchId: string): BatchRow | null {
  return sql.exec<BatchRow>("SELECT * FROM batches WHERE id = ?", batchId).toArray()[0] ?? null;
}

/** Returns the batch, unless it is hidden from callers: before it is accepted, and after it is removed. */
export function find(sql: SqlStorage, batchId: string): BatchState | null {
  const row = rowOf(sql, batchId);
  return row && stateOf(sql, row);
}

function stateOf(sql: SqlStorage, row: BatchRow): BatchState | null {
  const { id, state, total, completed, failed, canceled } = row;
  const { started_at: startedAt, ended_at: endedAt, expires_at: expiresAt } = row;
  if (state !== "processing" && state !== "canceling" && state !== "ended") return null;
  const counts = { total, completed, failed, canceled };
  const stored = { ...batch(sql, id), expiresAt };
  const files = endedAt === null ? [] : filesOf(row);
  const warnings = JSON.parse(row.warnings) as string[];
  return { batch: stored, status: state, counts, startedAt, endedAt, files, warnings, linkEpoch: row.link_epoch };
}

const visible = "state IN ('processing', 'canceling', 'ended')";
const isOpen = "state IN ('admitted', 'processing', 'canceling')";

export function batch(sql: SqlStorage, batchId: string): Batch {
  const { batch } = sql.exec<{ batch: string }>("SELECT batch FROM batch_inputs WHERE batch_id = ?", batchId).one();
  return JSON.parse(batch) as Batch;
}

export function list(sql: SqlStorage, page: Page): Listed<BatchState> {
  const { createdAt, id } = page.cursor ?? { createdAt: Number.MAX_SAFE_INTEGER, id: "" };
  const select = `
    SELECT * FROM batches WHERE ${visible} AND (created_at, id) < (?, ?) ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?`;
  const rows = sql.exec<BatchRow>(select, createdAt, id, page.limit + 1, page.offset).toArray();
  const positioned = rows.map((row) => ({ createdAt: row.created_at, id: row.id, row }));
  const { items: found, more } = cutPage(page, positioned);
  const items = found.map(({ row }) => stateOf(sql, row)).filter((state) => state !== null);
  const { total } = sql.exec<{ total: number }>(`SELECT count(*) AS total FROM batches WHERE ${visible}`).one();
  return { items, more, total };
}

const selectKey = `
  SELECT * FROM batches WHERE key = ? AND created_at > ? AND (state <> 'removing' OR ended_at IS NOT NULL)`;

export function lookUpKey(sql: SqlStorage, idempotency: IdempotencyKey, nowMs: number): KnownBatch {
  const [row] = sql.exec<BatchRow>(selectKey, idempotency.key, nowMs - keyRetentionMs).toArray();
  if (!row) return { status: "unknown" };
  if (!hasBody(idempotency, row.body_hash)) return { status: "other_body" };
  const state = stateOf(sql, row);
  if (state) return { status: "known", state };
  return { status: row.state === "admitted" ? "in_progress" : "deleted" };
}

/** The batches that have begun and not ended, oldest first. */
export function openBatches(sql: SqlStorage): string[] {
  const select = `SELECT id FROM batches WHERE ${isOpen} AND state <> 'admitted' ORDER BY created_at, id`;
  const rows = sql.exec<{ id: string }>(select).toArray();
  return rows.map(({ id }) => id);
}

/** Returns the batches whose items have all ended, and which have not ended themselves. */
export function finished(sql: SqlStorage): BatchState[] {
  const select = `SELECT * FROM batches WHERE ${isOpen} AND state <> 'admitted' AND completed + failed + canceled = total`;
  const rows = sql.exec<BatchRow>(select).toArray();
  return rows.map((row) => stateOf(sql, row)).filter((state) => state !== null);
}

/** The merged files of a batch so far, and the first item that is not in any of them. */
export type Merging = { files: MergedFile[]; until: number; tries: number };

export function merged(sql: SqlStorage, batchId: string): Merging {
  const row = rowOf(sql, batchId);
  return row
    ? { files: filesOf(row), until: row.merged_until, tries: row.merge_tries }
    : { files: [], until: 0, tries: Infinity };
}

/** Counts tries of the next file; a negative number cancels tries. A count above the maximum also ends a try in progress. */
export function countMergeTries(sql: SqlStorage, batchId: string, tries: number): void {
  sql.exec("UPDATE batches SET merge_tries = max(0, merge_tries + ?) WHERE id = ?", tries, batchId);
}

/**
 * Records that items before `until` are merged, into `file` if there is one, except for `missing` documents. If merging has
 * been given up, it stays given up.
 */
export function addMerged(
  sql: SqlStorage,
  batchId: string,
  file: MergedFile | null,
  { until, missing = 0 }: { until: number; missing?: number },
): void {
  const files = [...merged(sql, batchId).files, ...(file ? [file] : [])];
  const update = `
    UPDATE batches SET files = ?, merged_until = ?, merge_tries = iif(merge_tries > ${maxMergeTries}, merge_tries, 0)
    WHERE id = ?`;
  sql.exec(update, JSON.stringify(files), until, batchId);
  if (missing === 0) return;
  const warning = `The merged files lack ${counted(missing, "document")} before item ${until}, whose files had been removed.`;
  sql.exec("UPDATE batches SET warnings = json_insert(warnings, '$[#]', ?) WHERE id = ?", warning, batchId);
}

/** Ends merging, so that the batch ends without merged files. */
export function endWithoutMerged(sql: SqlStorage, batchId: string, warning: string): void {
  const update = "UPDATE batches SET files = '[]', warnings = ? WHERE id = ?";
  sql.exec(update, JSON.stringify([warning]), batchId);
}

/** The batches whose output is merged, with the keys of their merged files. */
export function merging(sql: SqlStorage): { batch: Batch; files: string[] }[] {
  const select = "SELECT batch, files FROM batches JOIN batch_inputs ON batch_id = id";
  const rows = sql.exec<{ batch: string; files: string }>(select).toArray();
  return rows.flatMap((row) => {
    const batch = JSON.parse(row.batch) as Batch;
    return batch.output.includes("merged") ? [{ batch, files: filesOf(row).map(({ fileKey }) => fileKey) }] : [];
  });
}

export function progress(sql: SqlStorage, batchId: string): BatchProgress {
  const { completed = 0, failed = 0, canceled = 0 } = rowOf(sql, batchId) ?? {};
  return { completed, ended: completed + failed + canceled };
}

/** Returns the number of batches, and of their items, that have not ended. */
export function countOpen(sql: SqlStorage): { batches: number; items: number } {
  const select = `
    SELECT count(*) AS batches, coalesce(sum(total - completed - failed - canceled), 0) AS items
    FROM batches WHERE ${isOpen}`;
  return sql.exec<{ batches: number; items: number }>(select).one();
}

/** A batch is kept at least this long after its end, even if its documents were kept only for a short time. */
const minKeptMs = 3_600_000;

/** Sets the time at which the batch ended. It is reported as ended only after `end`. */
export function markEnded(sql: SqlStorage, batchId: string, nowMs: number): void {
  const update = "UPDATE batches SET ended_at = ?, expires_at = max(expires_at, ?) WHERE id = ?";
  sql.exec(update, nowMs, nowMs + minKeptMs, batchId);
}

export function end(sql: SqlStorage, batchId: string): void {
  sql.exec("UPDATE batches SET state = 'ended' WHERE id = ?", batchId);
}

/**
 * Marks expired batches, and batches that were opened before `openedBefore` and never accepted, and returns all marked batches.
 */
export function markRemovable(sql: SqlStorage, { nowMs, openedBefore }: SweepTimes): RemovableBatch[] {
  const expire = "UPDATE batches SET state = 'removing' WHERE state = 'ended' AND expires_at <= ?";
  const abandon = "UPDATE batches SET state = 'removing' WHERE state = 'opened' AND created_at <= ?";
  const forget = "DELETE FROM batches WHERE state = 'deleted' AND created_at <= ?";
  sql.exec(expire, nowMs);
  sql.exec(abandon, openedBefore);
  sql.exec(forget, nowMs - keyRetentionMs);
  const rows = sql.exec<BatchRow>("SELECT * FROM batches WHERE state = 'removing'").toArray();
  return rows.map(({ id, account_id: accountId, files }) => {
    return { accountId, batchId: id, files: filesOf({ files }).map(({ fileKey }) => fileKey) };
  });
}

function filesOf({ files }: Pick<BatchRow, "files">): MergedFile[] {
  return JSON.parse(files) as MergedFile[];
}

/** Corrects batch counts that differ from the items, and returns the ids of these batches. */
export function recount(sql: SqlStorage): string[] {
  const ended = (status: string) =>
    `(SELECT count(*) FROM items WHERE batch_id = id AND outcome ->> 'status' = '${status}')`;
  const counted = ["completed", "failed", "canceled"].map((status) => [status, ended(status)] as const);
  const corrections = counted.map(([status, count]) => `${status} = ${count}`).join(", ");
  const isWrong = counted.map(([status, count]) => `${status} <> ${count}`).join(" OR ");
  const rows = sql.exec<{ id: string }>(
    `UPDATE batches SET ${corrections} WHERE ${visible} AND (${isWrong}) RETURNING id`,
  );
  return rows.toArray().map(({ id }) => id);
}

/** Deletes all records of a batch. If it was accepted with a key that is still remembered, a row with the key stays. */
export function purge(sql: SqlStorage, batchId: string, nowMs: number): void {
  for (const table of ["items", "chunks", "batch_inputs"]) sql.exec(`DELETE FROM ${table} WHERE batch_id = ?`, batchId);
  const keep =
    "UPDATE batches SET state = 'deleted' WHERE id = ? AND ended_at IS NOT NULL AND key IS NOT NULL AND created_at > ?";
  sql.exec(keep, batchId, nowMs - keyRetentionMs);
  sql.exec("DELETE FROM batches WHERE id = ? AND state <> 'deleted'", batchId);
}
