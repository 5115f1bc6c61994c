// Removes documents whose retention, or the time that their request asked for, has ended. The file is removed before the row: if
// the removal is interrupted in between, nothing public is left without a row, and the next run finds the row again. The render
// stays counted, as after a delete.
import pMap, { pMapSkip } from "p-map";
import type { PhaseBatch } from "../../core/maintenance/repair.ts";
import type { DocumentFile, TimePosition } from "../../ports/maintenance.ts";
import type { MaintenanceServices } from "../../ports/services.ts";

const documentsPerBatch = 200;
const eventRetentionMs = 30 * 24 * 3_600_000;
const eventsPerBatch = 500;
const commitsAtOnce = 10;
/** A hold is settled long before a document of this age expires. */
const settledAgeMs = 24 * 3_600_000;

export async function removeExpired(services: MaintenanceServices, after: string): Promise<PhaseBatch> {
  const { documents, files, now } = services;
  const expired = await documents.expired(now(), parsePosition(after), documentsPerBatch);
  const removable = await withSettledHolds(services, expired);
  if (removable.length > 0) {
    await files.remove(removable.map(({ fileKey }) => fileKey));
    await documents.remove(removable.map(({ id }) => id));
  }
  const last = expired.at(-1);
  return {
    repairs: removable.map(({ accountId, id }) => ({ kind: "expired_document", accountId, documentId: id })),
    after:
      expired.length < documentsPerBatch || !last ? null : formatPosition({ at: last.expiresAt ?? 0, id: last.id }),
  };
}

/**
 * Commits the holds of completed documents that were kept only for a short time. If a create has died before it could do that,
 * the alarm of the account's object would no longer find the document, and the render would not count. Leaves out the documents
 * whose hold could not be committed; a later run removes them.
 */
function withSettledHolds(services: MaintenanceServices, expired: DocumentFile[]): Promise<DocumentFile[]> {
  const ifSettled = async (document: DocumentFile) => ((await settle(services, document)) ? document : pMapSkip);
  return pMap(expired, ifSettled, { concurrency: commitsAtOnce });
}

/** Returns false if the hold may not be settled. */
async function settle(
  { objects, log }: MaintenanceServices,
  { accountId, id, completedAt, expiresAt }: DocumentFile,
): Promise<boolean> {
  if (completedAt === null || expiresAt === null || expiresAt - completedAt >= settledAgeMs) return true;
  try {
    await objects.commit(accountId, id);
    return true;
  } catch (cause) {
    log("warn", { event: "retention.hold_not_committed", accountId, documentId: id, cause });
    return false;
  }
}

/** Returns the position as text, e.g. `1764580000000 <id>`. */
function formatPosition({ at, id }: TimePosition): string {
  return `${at} ${id}`;
}

/** Returns the position that `formatPosition` wrote; null for the empty text. */
function parsePosition(text: string): TimePosition | null {
  const [at, id] = text.split(" ");
  return at && id ? { at: Number(at), id } : null;
}

/**
 * Removes webhook events, together with their attempts, a month after their creation. Pending events stay: attempts end after four
 * days at most, unless the operator has an event sent again. `after` is the last row that the previous batch examined, in decimal.
 */
export async function removeOldEvents({ events, now }: MaintenanceServices, after: string): Promise<PhaseBatch> {
  const { events: old, next } = await events.ended(now() - eventRetentionMs, Number(after), eventsPerBatch);
  if (old.length > 0) await events.remove(old);
  return {
    repairs: old.map(({ accountId, id }) => ({ kind: "old_event", accountId, eventId: id })),
    after: next === null ? null : String(next),
  };
}
