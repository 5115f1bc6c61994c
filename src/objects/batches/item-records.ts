// The `items`, `chunks` and `documents` tables of an account: queued renders and their outcomes. All functions become methods of
// the ledger.
import type { AcceptRequest, ItemChunk, ItemOutcome, ItemState } from "../../core/batches/batch.ts";
import type { Faults } from "../../core/batches/render-faults.ts";
import type { ClaimedDocument, ClaimedItem, QueuedDocument, Tries } from "../../ports/batches.ts";
import { count } from "../runtime/ledger.ts";

export function insertItems(sql: SqlStorage, { batch, customIds, chunks, sealed = {} }: AcceptRequest): void {
  const insertItem =
    "INSERT INTO items (batch_id, item_index, custom_id, sealed, state) VALUES (?, ?, ?, ?, 'waiting')";
  for (const [index, customId] of customIds.entries())
    sql.exec(insertItem, batch.id, index, customId, sealed[index] ?? null);
  const insertChunk = "INSERT INTO chunks (batch_id, first_index, byte_offset, byte_length) VALUES (?, ?, ?, ?)";
  for (const { firstIndex, offset, length } of chunks) sql.exec(insertChunk, batch.id, firstIndex, offset, length);
}

type WaitingRow = Tries & { batch_id: string; item_index: number; sealed: string | null };

const selectWaiting = `
  SELECT * FROM items WHERE state = 'waiting' AND batch_id = ? AND is_suspect = ? AND due <= ?
  ORDER BY due, item_index LIMIT 1`;

/** Claims the next due item, from the first of these batches that has one. */
export function claimFirst(sql: SqlStorage, batchIds: string[], nowMs: number, isAlone: boolean): ClaimedItem | null {
  for (const batchId of batchIds) {
    const [row] = sql.exec<WaitingRow>(selectWaiting, batchId, isAlone ? 1 : 0, nowMs).toArray();
    if (!row) continue;
    const { item_index: index, sealed } = row;
    sql.exec("UPDATE items SET state = 'claimed' WHERE batch_id = ? AND item_index = ?", batchId, index);
    return { batchId, index, ...triesOf(row), isAlone, ...(sealed !== null && { sealed }) };
  }
  return null;
}

function triesOf({ tries, interruptions, faults, due }: Tries): Tries {
  return { tries, interruptions, faults, due };
}

/** Returns the time at which the next item of these batches is due; null if none is waiting. */
export function nextItemDue(sql: SqlStorage, batchIds: string[]): number | null {
  const select = "SELECT min(due) AS due FROM items WHERE state = 'waiting' AND batch_id = ? AND is_suspect = ?";
  const dues = batchIds.flatMap((id) =>
    [0, 1].map((isSuspect) => sql.exec<{ due: number | null }>(select, id, isSuspect).one().due),
  );
  return dues.reduce((first, due) => (first === null || (due !== null && due < first) ? due : first), null);
}

type ChunkRow = { first_index: number; byte_offset: number; byte_length: number };

export function chunkOf(sql: SqlStorage, batchId: string, index: number): ItemChunk {
  const select = "SELECT * FROM chunks WHERE batch_id = ? AND first_index <= ? ORDER BY first_index DESC LIMIT 1";
  const { first_index, byte_offset, byte_length } = sql.exec<ChunkRow>(select, batchId, index).one();
  return { firstIndex: first_index, offset: byte_offset, length: byte_length };
}

const endClaimed = `
  UPDATE items SET state = 'ended', outcome = ?, sealed = NULL
  WHERE batch_id = ? AND item_index = ? AND state <> 'ended' RETURNING 1 AS n`;

/** Records the outcome, and counts it unless one was recorded before. */
export function endItem(sql: SqlStorage, batchId: string, index: number, outcome: ItemOutcome): void {
  const ended = sql.exec(endClaimed, JSON.stringify(outcome), batchId, index).toArray();
  if (ended.length === 0) return;
  const { status } = outcome;
  sql.exec(`UPDATE batches SET ${status} = ${status} + 1 WHERE id = ?`, batchId);
}

/** Cancels the waiting items of a batch that were tried at most `maxTries` times. */
export function cancelItems(sql: SqlStorage, batchId: string, maxTries: number): void {
  const cancel = `
    UPDATE items SET state = 'ended', outcome = ?, sealed = NULL
    WHERE batch_id = ? AND state = 'waiting' AND tries <= ? RETURNING 1 AS n`;
  const outcome = JSON.stringify({ status: "canceled" } satisfies ItemOutcome);
  const canceled = sql.exec(cancel, outcome, batchId, maxTries).toArray();
  sql.exec("UPDATE batches SET canceled = canceled + ? WHERE id = ?", canceled.length, batchId);
}

/** Returns a claimed item to the queue until it is due. */
export function returnItem(sql: SqlStorage, item: ClaimedItem, { faults, due }: Faults, isSuspect = false): void {
  const update = `
    UPDATE items SET state = 'waiting', tries = tries + 1, is_suspect = max(is_suspect, ?),
      faults = ?, due = ?
    WHERE batch_id = ? AND item_index = ? AND state = 'claimed'`;
  sql.exec(update, isSuspect ? 1 : 0, faults, due, item.batchId, item.index);
}

type ItemRow = { item_index: number; custom_id: string | null; outcome: string | null };

/** Returns items in order. */
export function results(sql: SqlStorage, batchId: string, from: number, limit: number): ItemState[] {
  const select = `
    SELECT item_index, custom_id, outcome FROM items
    WHERE batch_id = ? AND item_index >= ? ORDER BY item_index LIMIT ?`;
  const rows = sql.exec<ItemRow>(select, batchId, from, limit).toArray();
  return rows.map(({ item_index: index, custom_id: customId, outcome }) => {
    const ended = outcome === null ? null : (JSON.parse(outcome) as ItemOutcome);
    return { index, customId, outcome: ended ?? { status: "processing" } };
  });
}

export function countDocuments(sql: SqlStorage): number {
  return count(sql, "SELECT count(*) AS n FROM documents");
}

export function hasDocument(sql: SqlStorage, documentId: string): boolean {
  return count(sql, "SELECT count(*) AS n FROM documents WHERE id = ?", documentId) > 0;
}

export function insertDocument(sql: SqlStorage, document: QueuedDocument, nowMs: number): void {
  const insert = "INSERT INTO documents (id, queued_at, document) VALUES (?, ?, ?)";
  const { id } = document.hold.draft;
  const json = JSON.stringify(document);
  const bytes = new TextEncoder().encode(json);
  const isLarge = bytes.length > partBytes;
  sql.exec(insert, id, nowMs, isLarge ? "" : json);
  if (!isLarge) return;
  for (let from = 0; from < bytes.length; from += partBytes) {
    const part = bytes.slice(from, from + partBytes);
    sql.exec("INSERT INTO document_parts (document_id, first_byte, bytes) VALUES (?, ?, ?)", id, from, part.buffer);
  }
}

/** A value may have 2 MB, so a larger document is stored in parts. */
const partBytes = 1_000_000;

function joinedParts(sql: SqlStorage, documentId: string): string {
  const select = "SELECT bytes FROM document_parts WHERE document_id = ? ORDER BY first_byte";
  const rows = sql.exec<{ bytes: ArrayBuffer }>(select, documentId).toArray();
  return Buffer.concat(rows.map(({ bytes }) => new Uint8Array(bytes))).toString("utf8");
}

type DocumentRow = Tries & { id: string; queued_at: number; document: string };

export function claimDocument(sql: SqlStorage, nowMs: number): ClaimedDocument | null {
  const select = "SELECT * FROM documents WHERE is_claimed = 0 AND due <= ? ORDER BY due, queued_at LIMIT 1";
  const [row] = sql.exec<DocumentRow>(select, nowMs).toArray();
  if (!row) return null;
  sql.exec("UPDATE documents SET is_claimed = 1 WHERE id = ?", row.id);
  const isLarge = row.document === "";
  const document = JSON.parse(isLarge ? joinedParts(sql, row.id) : row.document) as QueuedDocument;
  return { document, isLarge, queuedAt: row.queued_at, ...triesOf(row) };
}

export function returnDocument(sql: SqlStorage, documentId: string, { faults, due }: Faults): void {
  const update = "UPDATE documents SET is_claimed = 0, tries = tries + 1, faults = ?, due = ? WHERE id = ?";
  sql.exec(update, faults, due, documentId);
}

export function endDocument(sql: SqlStorage, documentId: string): void {
  sql.exec("DELETE FROM documents WHERE id = ?", documentId);
  sql.exec("DELETE FROM document_parts WHERE document_id = ?", documentId);
}
