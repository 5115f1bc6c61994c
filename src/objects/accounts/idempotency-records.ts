// The `idempotency_keys` table of an account's quota: for each key, the document that was created with it and the hash
// of the request body.
import type { IdempotencyKey, KnownKey } from "../../core/accounts/quota.ts";
import { retentionMs } from "./quota-storage.ts";

const selectKey = `
  SELECT body_hash, document_id, state FROM idempotency_keys JOIN holds USING (document_id)
  WHERE key = ? AND created_at > ? AND state <> 'released'`;

/** Returns the status of a key. A key stays known for a day, unless the hold of its document was released. */
export function lookUpKey(sql: SqlStorage, { key, bodyHash }: IdempotencyKey, nowMs: number): KnownKey {
  const [known] = sql
    .exec<{ body_hash: string; document_id: string; state: string }>(selectKey, key, nowMs - retentionMs)
    .toArray();
  if (!known) return { status: "unknown" };
  if (known.body_hash !== bodyHash) return { status: "other_body" };
  return { status: known.state === "held" ? "in_progress" : "done", documentId: known.document_id };
}

export function insertKey(sql: SqlStorage, idempotency: IdempotencyKey, documentId: string, nowMs: number): void {
  const insert =
    "INSERT OR REPLACE INTO idempotency_keys (key, body_hash, document_id, created_at) VALUES (?, ?, ?, ?)";
  sql.exec(insert, idempotency.key, idempotency.bodyHash, documentId, nowMs);
}
