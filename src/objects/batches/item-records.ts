// The `items`, `chunks` and `documents` tables of an account: what waits to be rendered, and how it has ended. All functions become
// methods of the ledger.
import type { AcceptRequest, ItemChunk, ItemOutcome, ItemState } from "../../core/batches/batch.ts";
import type { ClaimedDocument, ClaimedItem, QueuedDocument } from "../../ports/batches.ts";

export function insertItems(sql: SqlStorage, { batch, customIds, chunks }: AcceptRequest): void {
  const insertItem = "INSERT INTO items (batch_id, item_index, custom_id, state) VALUES (?, ?, ?, 'waiting')";
  for (const [index, customId] of customIds.entries()) sql.exec(insertItem, batch.id, index, customId);
  const insertChunk = "INSERT INTO chunks (batch_id, first_index, byte_offset, byte_length) VALUES (?, ?, ?, ?)";
  for (const { firstIndex, offset, length } of chunks) sql.exec(insertChunk, batch.id, firstIndex, offset, length);
}

const selectWaiting = `
  SELECT item_index, tries, interruptions FROM items
  WHERE state = 'waiting' AND batch_id = ? AND is_suspect = ? ORDER BY item_index LIMIT 1`;

/** Takes the next waiting item of the first of these batches that has one. */
export function claimFirst(sql: SqlStorage, batchIds: string[], isAlone: boolean): ClaimedItem | null {
  for (const batchId of batchIds) {
    const rows = sql.exec<{ item_index: number; tries: number; interruptions: number }>(
      selectWaiting,
      batchId,
      isAlone ? 1 : 0,
    );
    const [row] = rows.toArray();
    if (!row) continue;
    const { item_index: index, tries, interruptions } = row;
    sql.exec("UPDATE items SET state = 'claimed' WHERE batch_id = ? AND item_index = ?", batchId, index);
    return { batchId, index, tries, interruptions, isAlone };
  }
  return null;
}

type ChunkRow = { first_index: number; byte_offset: number; byte_length: number };

export function chunkOf(sql: SqlStorage, batchId: string, index: number): ItemChunk {
  const select = "SELECT * FROM chunks WHERE batch_id = ? AND first_index <= ? ORDER BY first_index DESC LIMIT 1";
  const { first_index, byte_offset, byte_length } = sql.exec<ChunkRow>(select, batchId, index).one();
  return { firstIndex: first_index, offset: byte_offset, length: byte_length };
}

const endClaimed = `
  UPDATE items SET state = 'ended', outcome = ? WHERE batch_id = ? AND item_index = ? AND state <> 'ended' RETURNING 1 AS n`;

/** Records the outcome, and counts it unless the item has one already. */
export function endItem(sql: SqlStorage, batchId: string, index: number, outcome: ItemOutcome): void {
  const ended = sql.exec(endClaimed, JSON.stringify(outcome), batchId, index).toArray();
  if (ended.length === 0) return;
  const { status } = outcome;
  sql.exec(`UPDATE batches SET ${status} = ${status} + 1 WHERE id = ?`, batchId);
}

/** Cancels the waiting items of a batch that were tried at most so often. */
export function cancelItems(sql: SqlStorage, batchId: string, maxTries: number): void {
  const cancel = `
    UPDATE items SET state = 'ended', outcome = ?
    WHERE batch_id = ? AND state = 'waiting' AND tries <= ? RETURNING 1 AS n`;
  const outcome = JSON.stringify({ status: "canceled" } satisfies ItemOutcome);
  const canceled = sql.exec(cancel, outcome, batchId, maxTries).toArray();
  sql.exec("UPDATE batches SET canceled = canceled + ? WHERE id = ?", canceled.length, batchId);
}

/** Lets a claimed item wait again. */
export function returnItem(sql: SqlStorage, batchId: string, index: number, isSuspect: boolean): void {
  const update = `
    UPDATE items SET state = 'waiting', tries = tries + 1, is_suspect = max(is_suspect, ?)
    WHERE batch_id = ? AND item_index = ? AND state = 'claimed'`;
  sql.exec(update, isSuspect ? 1 : 0, batchId, index);
}

type ItemRow = { item_index: number; custom_id: string | null; outcome: string | null };

/** Returns items in their order. */
export function results(sql: SqlStorage, batchId: string, from: number, limit: number): ItemState[] {
  const select = `
    SELECT item_index, custom_id, outcome FROM items
    WHERE batch_id = ? AND item_index >= ? ORDER BY item_index LIMIT ?`;
  const rows = sql.exec<ItemRow>(select, batchId, from, limit).toArray();
  return rows.map(({ item_index: index, custom_id: customId, outcome }) => {
    return {
      index,
      customId,
      outcome: outcome === null ? { status: "processing" } : (JSON.parse(outcome) as ItemOutcome),
    };
  });
}

export function countDocuments(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM documents").one().n;
}

export function hasDocument(sql: SqlStorage, documentId: string): boolean {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM documents WHERE id = ?", documentId).one().n > 0;
}

export function insertDocument(sql: SqlStorage, document: QueuedDocument, nowMs: number): void {
  const insert = "INSERT INTO documents (id, queued_at, document) VALUES (?, ?, ?)";
  sql.exec(insert, document.hold.draft.id, nowMs, JSON.stringify(document));
}

type DocumentRow = { id: string; queued_at: number; tries: number; interruptions: number; document: string };

export function claimDocument(sql: SqlStorage): ClaimedDocument | null {
  const select = "SELECT * FROM documents WHERE is_claimed = 0 ORDER BY queued_at LIMIT 1";
  const [row] = sql.exec<DocumentRow>(select).toArray();
  if (!row) return null;
  sql.exec("UPDATE documents SET is_claimed = 1 WHERE id = ?", row.id);
  const { queued_at: queuedAt, tries, interruptions } = row;
  return { document: JSON.parse(row.document) as QueuedDocument, queuedAt, tries, interruptions };
}

export function returnDocument(sql: SqlStorage, documentId: string): void {
  sql.exec("UPDATE documents SET is_claimed = 0, tries = tries + 1 WHERE id = ?", documentId);
}

export function endDocument(sql: SqlStorage, documentId: string): void {
  sql.exec("DELETE FROM documents WHERE id = ?", documentId);
}
