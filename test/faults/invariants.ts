// Checks the invariants that must hold for an account after any failure, once its leases have expired.
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { monthOf } from "../../src/core/accounts/month.ts";
import type { StoredDocument } from "../../src/core/documents/document.ts";
import { documentStore } from "../../src/platform/documents/document-store.ts";
import { fileStore } from "../../src/platform/documents/file-store.ts";
import { connect, filesOf } from "../../src/services/shared-services.ts";
import { shardOf } from "../fixtures/databases.ts";
import type { Tenant } from "../fixtures/tenant.ts";

/** The input of the checks. `limit` is the account's monthly number of renders. */
export type CheckedRun = {
  tenant: Tenant;
  fileKeys: Set<string>;
  documentsByKey: Map<string, Set<string>>;
  limit: number;
};

/** Returns the violations of the invariants I1 to I6, for one account whose leases have expired. */
export async function invariantProblems({ tenant, fileKeys, documentsByKey, limit }: CheckedRun): Promise<string[]> {
  const problems: string[] = [];
  const month = monthOf(Date.now());
  const documents = documentStore(connect(env, null, 5_000).databases);
  const files = fileStore(filesOf(env), 5_000);
  const { used, reserved } = await env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(tenant.accountId)).usage(month);
  const shard = await shardOf(env, tenant.accountId);
  const counted = await shard
    .prepare("SELECT sum(ever) AS n FROM document_counts WHERE account_id = ? AND status = 'completed'")
    .bind(tenant.accountId)
    .first<{ n: number | null }>();
  const rows = (await documents.list(tenant.accountId, {}, { limit: 1_000, offset: 0 })).items;
  if (used > limit) problems.push(`I1: ${used} of ${limit} used`);
  if (used !== (counted?.n ?? 0)) problems.push(`I2: ${used} committed, ${counted?.n} completed`);
  if (reserved > 0) problems.push(`I5: ${reserved} holds left`);
  const live = new Map(rows.filter(({ status }) => status === "completed").map((row) => [row.fileKey, row]));
  for (const [fileKey, row] of live) {
    const metadata = await files.metadata(fileKey);
    if (row.status === "completed" && metadata?.sha256 !== row.sha256) problems.push(`I3: ${row.id} has no file`);
  }
  for (const fileKey of fileKeys) {
    if (!live.has(fileKey) && (await files.metadata(fileKey))) problems.push(`I4: orphan file ${fileKey}`);
  }
  const misplaced = await env.FILES.list({ prefix: "private/" });
  problems.push(...misplaced.objects.map(({ key }) => `a private file is in the public bucket: ${key}`));
  problems.push(...(await eventProblems(tenant, rows)));
  for (const [key, ids] of documentsByKey) {
    if (ids.size > 1) problems.push(`idempotency: ${key} made ${ids.size} documents`);
  }
  return problems;
}

/**
 * Returns the violations of invariant I6: each document with a webhook URL and an outcome has exactly one event, and the
 * event states that outcome.
 */
async function eventProblems(tenant: Tenant, rows: StoredDocument[]): Promise<string[]> {
  const asked = await runInDurableObject(quotaObject(tenant), (_, { storage }) =>
    storage.sql
      .exec<{ document_id: string }>("SELECT document_id FROM holds WHERE hold ->> '$.webhookUrl' IS NOT NULL")
      .toArray()
      .map((row) => row.document_id),
  );
  const shard = await shardOf(env, tenant.accountId);
  const deleted = await shard.prepare("SELECT id FROM deleted_documents").all<{ id: string }>();
  const wasDeleted = new Set(deleted.results.map(({ id }) => id));
  const { results: events } = await shard
    .prepare(
      "SELECT document_id, status, next_attempt_at, dispatch_at, payload FROM webhook_events WHERE account_id = ?",
    )
    .bind(tenant.accountId)
    .all<EventRow>();
  const problems: string[] = [];
  for (const id of asked) {
    const stored = rows.find((row) => row.id === id);
    const mine = events.filter((event) => event.document_id === id);
    const expected = stored || wasDeleted.has(id) ? 1 : 0;
    if (mine.length !== expected) problems.push(`I6: ${id} has ${mine.length} events instead of ${expected}`);
    const type = mine[0] && (JSON.parse(mine[0].payload) as { type: string }).type;
    if (stored && type !== `document.${stored.status}`)
      problems.push(`I6: ${id} is ${stored.status}, but its event says ${type}`);
  }
  for (const { document_id: id, status, next_attempt_at: next, dispatch_at: dispatch } of events) {
    if (!asked.includes(id)) problems.push(`I6: ${id} has an event but asked for no webhook`);
    if (status === "pending" && (next === null || dispatch !== null)) problems.push(`I6: the event of ${id} is lost`);
  }
  return problems;
}

type EventRow = {
  document_id: string;
  status: string;
  next_attempt_at: number | null;
  dispatch_at: number | null;
  payload: string;
};

export function quotaObject({ accountId }: Pick<Tenant, "accountId">) {
  return env.ACCOUNT_QUOTA.get(env.ACCOUNT_QUOTA.idFromName(accountId));
}
