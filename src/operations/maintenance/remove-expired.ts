// Removes documents whose retention or requested expiry has passed, and old webhook events. The file is removed before the row: if
// the removal is interrupted in between, no public file is left without a row, and the next run finds the row again. The render stays
// counted, as after a delete.
import pMap from "p-map";
import type { PhaseBatch, Repair } from "../../core/maintenance/repair.ts";
import type { DocumentFile } from "../../ports/maintenance.ts";
import type { ShardServices } from "../../ports/services.ts";
import { shardsAtOnce } from "./in-shards.ts";

/** Two calls of R2. Larger batches need fewer calls to commit the holds of accounts with documents in several batches. */
const documentsPerBatch = 2_000;
const eventsPerBatch = 500;
/** The platform allows 1,000 queries of D1 in a run. A batch of documents makes twelve, and a batch of events three. */
const batchesPerRun = 30;
/** The platform allows 10,000 calls in a run. The last batch may add two thousand. */
const maxCommitCalls = 4_000;
const deadRetentionMs = 30 * 24 * 3_600_000;
/** The platform opens at most six connections at a time. */
const connections = 6;
/**
 * The maximum number of objects that may fail in a batch. After that, no more objects are called, because each call would wait
 * for its deadline.
 */
const maxFailures = 12;
/** A hold is settled long before a document of this age expires. */
const settledAgeMs = 24 * 3_600_000;

/** What a run may still do, in all shards together: it ends at `endsAt` (ms since the epoch), or after so many batches or calls. */
export type RemovalBudget = { readonly endsAt: number; batches: number; calls: number };

export function removalBudget(endsAt: number): RemovalBudget {
  return { endsAt, batches: batchesPerRun, calls: maxCommitCalls };
}

function hasBatch({ endsAt, batches, calls }: RemovalBudget, nowMs: number): boolean {
  return batches > 0 && calls > 0 && nowMs < endsAt;
}

/**
 * Removes batches as far as the budget allows, and returns the removed documents. When a share of an account's documents
 * has been removed, the account waits until the same share of every other account's expired documents is removed. Then the share
 * doubles, because each round must skip all documents of waiting accounts to find the others.
 */
export async function removeExpired(services: ShardServices, budget: RemovalBudget): Promise<Repair[]> {
  const failing = new Set<string>();
  const repairs: Repair[] = [];
  let share = documentsPerBatch;
  let removedOf = new Map<string, number>();
  while (hasBatch(budget, services.now())) {
    const served = [...removedOf].flatMap(([accountId, documents]) => (documents < share ? [] : [accountId]));
    const except = [...failing, ...served];
    const expired = await services.documents.expired(services.now(), except, documentsPerBatch);
    if (expired.length > 0) budget.batches--; // Most shards have none, and only make this query.
    const settled = await removeSettled(services, expired);
    budget.calls -= settled.calls;
    for (const accountId of settled.failing) failing.add(accountId);
    for (const { accountId, id } of settled.removed) {
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

type Settled = { removed: DocumentFile[]; failing: Set<string>; calls: number };

/**
 * Removes the documents, except those whose hold could not be committed. A later run removes these. `failing` contains their
 * accounts, and `calls` is the number of objects that were called.
 */
async function removeSettled(services: ShardServices, expired: DocumentFile[]): Promise<Settled> {
  const unsettled = Map.groupBy(expired.filter(mayBeHeld), ({ accountId }) => accountId);
  const failing = await commitHolds(services, unsettled);
  const removed = expired.filter((document) => !failing.has(document.accountId) || !mayBeHeld(document));
  if (removed.length > 0) {
    await services.files.remove(removed.map(({ fileKey }) => fileKey));
    await services.documents.remove(removed.map(({ id }) => id));
  }
  return { removed, failing, calls: unsettled.size };
}

/**
 * Returns whether the document was completed and kept only for a short time. If its create died before committing the hold, the
 * alarm of the account's object would no longer find the document, and the render would not count.
 */
function mayBeHeld({ completedAt, expiresAt }: DocumentFile): boolean {
  return completedAt !== null && expiresAt !== null && expiresAt - completedAt < settledAgeMs;
}

/** Commits the holds of these documents, and returns the accounts whose holds may not be settled. */
async function commitHolds(
  { objects, shards, log }: ShardServices,
  documentsOf: Map<string, DocumentFile[]>,
): Promise<Set<string>> {
  const failing = new Set<string>();
  const commit = async ([accountId, documents]: [string, DocumentFile[]]) => {
    if (failing.size >= maxFailures) return failing.add(accountId);
    try {
      return await objects.commit(
        accountId,
        documents.map(({ id }) => id),
      );
    } catch (cause) {
      log("warn", { event: "retention.hold_not_committed", accountId, documents: documents.length, cause });
      return failing.add(accountId);
    }
  };
  await pMap(documentsOf, commit, { concurrency: Math.ceil(connections / Math.min(shards.length, shardsAtOnce)) });
  return failing;
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
