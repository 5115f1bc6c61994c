// The `deletions` table of an account's quota. It lists the files that the alarm removes, in case a request has not
// removed them. All functions become methods of the ledger.
import { recordsPerAlarm } from "./quota-storage.ts";

/**
 * `due` is the time at which the alarm removes the file, in ms since the epoch. If a document is deleted twice, `due`
 * also distinguishes the two deletes.
 */
export type LedgerDeletion = { documentId: string; fileKey: string; accountId: string; due: number };

export function insertDeletion(sql: SqlStorage, { documentId, fileKey, accountId, due }: LedgerDeletion): void {
  const insert = "INSERT OR REPLACE INTO deletions (document_id, file_key, account_id, due) VALUES (?, ?, ?, ?)";
  sql.exec(insert, documentId, fileKey, accountId, due);
}

type Row = { document_id: string; file_key: string; account_id: string; due: number };

/** Returns deletes whose lease has expired, as many as one alarm finishes. */
export function overdueDeletions(sql: SqlStorage, nowMs: number): LedgerDeletion[] {
  const select = "SELECT document_id, file_key, account_id, due FROM deletions WHERE due <= ? ORDER BY due LIMIT ?";
  const rows = sql.exec<Row>(select, nowMs, recordsPerAlarm).toArray();
  return rows.map(({ document_id: documentId, file_key: fileKey, account_id: accountId, due }) => {
    return { documentId, fileKey, accountId, due };
  });
}

export function countDeletions(sql: SqlStorage): number {
  return sql.exec<{ n: number }>("SELECT count(*) AS n FROM deletions").one().n;
}

export function endDelete(sql: SqlStorage, { documentId, due }: LedgerDeletion): void {
  sql.exec("DELETE FROM deletions WHERE document_id = ? AND due = ?", documentId, due);
}
