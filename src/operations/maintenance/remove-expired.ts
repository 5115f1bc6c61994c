// Removes documents whose retention or requested expiry has passed, and old webhook events and records of downloads. The file is removed
// before the row: if the removal is interrupted in between, no public file is left without a row, and the next run finds the row again. The
// render stays counted, as after a delete. If its hold is not settled yet, D1 still knows that the document was completed.
import { dayMs } from "colophon-base/calendar-day";
import { downloadRetentionMs } from "../../core/documents/document.ts";
import type { PhaseBatch, Repair } from "../../core/maintenance/repair.ts";
import type { ShardServices } from "../../ports/services.ts";

/** Two calls of R2. */
const documentsPerBatch = 2_000;
const eventsPerBatch = 500;
const downloadsPerBatch = 2_000;
/** The platform allows 1,000 queries of D1 in a run. A batch of documents makes eleven, and a batch of events three. */
const batchesPerRun = 30;
const deadRetentionMs = 30 * dayMs;

/** What a run may still do, in all shards together: it ends at `endsAt` (ms since the epoch), or after so many batches. */
export type RemovalBudget = { readonly endsAt: number; batches: number };

export function removalBudget(endsAt: number): RemovalBudget {
  return { endsAt, batches: batchesPerRun };
}

function hasBatch({ endsAt, batches }: RemovalBudget, nowMs: number): boolean {
  return batches > 0 && nowMs < endsAt;
}

/**
 * Removes batches as far as the budget allows, and returns the removed documents. When a share of an account's documents
 * has been removed, the account waits until the same share of every other account's expired documents is removed. Then the share
 * doubles, because each round must skip all documents of waiting accounts to find the others.
 */
export async function removeExpired(services: ShardServices, budget: RemovalBudget): Promise<Repair[]> {
  const repairs: Repair[] = [];
  let share = documentsPerBatch;
  let removedOf = new Map<string, number>();
  while (hasBatch(budget, services.now())) {
    const served = [...removedOf].flatMap(([accountId, documents]) => (documents < share ? [] : [accountId]));
    const expired = await services.documents.expired(services.now(), served, documentsPerBatch);
    if (expired.length > 0) {
      budget.batches--; // Most shards have none, and only make this query.
      await services.files.remove(expired.map(({ fileKey }) => fileKey));
      await services.documents.remove(expired.map(({ id }) => id));
    }
    for (const { accountId, id } of expired) {
      removedOf.set(accountId, (removedOf.get(accountId) ?? 0) + 1);
      repairs.push({ kind: "expired_document", accountId, documentId: id });
    }
    if (expired.length === documentsPerBatch) continue;
    if (served.length === 0) break;
    removedOf = new Map();
    share *= 2;
  }
  return repairs;
}

/** Removes old records of downloads as far as the budget allows. Most shards have none, and only make one query. */
export async function removeOldDownloads({ documents, now }: ShardServices, budget: RemovalBudget) {
  let length = 0;
  for (let removed = downloadsPerBatch; removed === downloadsPerBatch && hasBatch(budget, now()); length += removed) {
    removed = await documents.removeDownloads(now() - downloadRetentionMs, downloadsPerBatch);
    if (removed > 0) budget.batches--;
  }
  return { length };
}

/**
 * Removes webhook events, together with their attempts. Pending events stay: attempts end after four days at most, unless the
 * operator resends an event. `after` is the last row that the previous batch examined, in decimal.
 */
export async function removeOldEvents({ events, now, settings }: ShardServices, after: string): Promise<PhaseBatch> {
  const before = { delivered: now() - settings.deliveredRetentionMs, dead: now() - deadRetentionMs };
  const { events: old, next } = await events.ended(before, Number(after), eventsPerBatch);
  if (old.length > 0) await events.remove(old);
  return {
    repairs: old.map(({ accountId, id }) => ({ kind: "old_event", accountId, eventId: id })),
    after: next === null ? null : String(next),
  };
}

/**
 * Removes batches as far as the budget allows, and returns the removed events. Each run continues where the previous one
 * stopped, because any number of events that are kept longer may precede removable ones.
 */
export async function removeOldEventsInTurn(services: ShardServices, budget: RemovalBudget): Promise<Repair[]> {
  const pass = services.number === 0 ? "events" : (`events-${services.number}` as const);
  let { position } = await services.passes.read(pass);
  const removed: Repair[] = [];
  while (hasBatch(budget, services.now())) {
    const { repairs, after } = await removeOldEvents(services, position?.after ?? "");
    removed.push(...repairs);
    const isUnchanged = position === null && after === null;
    if (!isUnchanged || repairs.length > 0) budget.batches--;
    position = after === null ? null : { phase: "events", after };
    if (!isUnchanged) await services.passes.save(pass, { position, finishedAt: null });
    if (!position) break;
  }
  return removed;
}
