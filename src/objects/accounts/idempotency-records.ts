// The `idempotency_keys` table of an account's quota: which document a key created, and with which request body.
import type { IdempotencyKey, KnownKey } from "../../core/accounts/quota.ts";
import { retentionMs } from "./quota-storage.ts";

const selectKey = `
  SELECT body_hash, document_id, state FROM idempotency_keys JOIN holds USING (document_id)
  WHERE key = ? AND created_at > ? AND state <> 'released'`;

/** Returns what is known about a key. A key is known for a day, unless its hold was released. */
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
