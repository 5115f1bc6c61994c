// Records the outcome of a render and settles its hold. If a step fails or may have failed, the hold remains, and the
// alarm of the account's object settles it after the lease has expired.
import type { FileMetadata } from "colophon-render/file-metadata";
import type { RenderResult } from "colophon-render/render-document";
import type { Hold } from "../../core/accounts/quota.ts";
import type { CompletedDocument, DocumentDraft, InsertOutcome, EndedDocument } from "../../core/documents/document.ts";
import { renderFailed, serviceUnavailable, ServiceError } from "../../core/errors.ts";
import { shownError } from "../../core/shown-error.ts";
import { webhookEventOf } from "../../core/webhooks/webhook-event.ts";
import type { Services, RecordServices } from "../../ports/services.ts";
import type { DocumentPlan } from "./plan-document.ts";

/** Only an operator can make room, so retrying soon is pointless. */
const fullRetrySeconds = 300;

/** Stores the document as completed and commits its hold. */
export async function recordCompleted(
  services: Services,
  { draft, webhookUrl, warnings: dataWarnings }: DocumentPlan,
  metadata: FileMetadata,
): Promise<CompletedDocument> {
  const warnings = [...dataWarnings, ...metadata.warnings];
  const completedAt = services.now();
  const { cdnUrl, baseUrl } = services.settings;
  const document: CompletedDocument = { ...draft, ...metadata, warnings, status: "completed", completedAt };
  const outcome = await recordDocument(services, document, { webhookUrl, cdnUrl, baseUrl }).catch((cause: unknown) => {
    // The row may have been written, so nothing is undone here. The alarm checks D1 after the lease has expired.
    throw notRecorded(cause);
  });
  if (outcome.status === "full") {
    await releaseHold(services, draft);
    throw databaseFull(services, draft);
  }
  if (!isRecordedAsCompleted(outcome)) {
    // The render took longer than its lease. The alarm has already recorded the render as failed, and that record
    // stays.
    services.background("remove the file of a failed document", services.files.remove(draft.fileKey));
    throw renderFailed("timed_out", "The render took too long and was recorded as failed.");
  }
  services.background("commit the hold", services.quota.commit(draft.accountId, draft.id));
  return document;
}

function notRecorded(cause: unknown): ServiceError {
  const message = "The render could not be recorded. The render counts only if the document appears in the list.";
  const retryAfterSeconds = cause instanceof ServiceError ? cause.retryAfterSeconds : undefined;
  if (retryAfterSeconds === undefined) return renderFailed("browser_failed", message, { cause });
  return serviceUnavailable({ message, retryAfterSeconds, cause });
}

/** Returns the error for a render that was neither stored nor counted, and may succeed after the operator has made room. */
export function databaseFull(services: Services, draft: DocumentDraft): ServiceError {
  logFull(services, draft);
  const message = "The database is full at the moment. The render was not stored and does not count.";
  return renderFailed("no_capacity", message, { retryAfterSeconds: fullRetrySeconds });
}

function logFull({ log }: Services, { id, accountId }: DocumentDraft): void {
  log("error", { event: "database.full", documentId: id, accountId });
}

function isRecordedAsCompleted(outcome: InsertOutcome): boolean {
  return outcome.status === "inserted" || (outcome.status === "existing" && outcome.document.status === "completed");
}

/** Returns the error of a render that has failed. */
export function failureOf(result: Extract<RenderResult, { status: "failed" }>): ServiceError {
  const { reason, message, cause, problems } = result;
  const details = problems?.map((problem) => ({ path: "conformance", ...problem }));
  return renderFailed(reason, message, { cause, details });
}

/** Stores the document as failed, removes its file and releases its hold. */
export async function recordFailed(
  services: Services,
  { draft, webhookUrl }: DocumentPlan,
  error: ServiceError,
): Promise<void> {
  try {
    const { cdnUrl } = services.settings;
    const failed = { ...draft, status: "failed", error: shownError(error) } as const;
    const outcome = await recordDocument(services, failed, { webhookUrl, cdnUrl });
    if (outcome.status === "full") logFull(services, draft);
  } catch (cause) {
    services.log("error", { event: "document.failure_not_recorded", documentId: draft.id, cause });
    return;
  }
  await releaseHold(services, draft);
}

/**
 * Removes the file, then releases the hold. If either step fails, the hold remains, so the alarm can repeat both. A
 * failed render may have a file, because the browser can crash after the file is stored; `mayHaveFile` is false if no
 * render was attempted.
 */
export async function releaseHold(
  services: Services,
  draft: DocumentDraft,
  { mayHaveFile = true }: { mayHaveFile?: boolean } = {},
): Promise<void> {
  try {
    if (mayHaveFile) await services.files.remove(draft.fileKey);
    await services.quota.release(draft.accountId, draft.id);
  } catch (cause) {
    services.log("warn", { event: "hold.left_to_alarm", documentId: draft.id, cause });
  }
}

/**
 * Stores a document and, if a webhook was asked for, its event in the same transaction. Then sends a message for the event to
 * the queue. If that fails, the outbox still has the event.
 */
export async function recordDocument(
  services: RecordServices,
  document: EndedDocument,
  { webhookUrl, ...urls }: Pick<Hold, "webhookUrl" | "cdnUrl"> & { baseUrl?: string },
): Promise<InsertOutcome> {
  const event = webhookUrl ? webhookEventOf(document, { url: webhookUrl, ...urls, nowMs: services.now() }) : undefined;
  const outcome = await services.documents.insert(document, event);
  if (event && outcome.status === "inserted") {
    const { accountId, id: eventId } = event;
    services.background("send the event to the queue", services.webhookQueue.send({ accountId, eventId }));
  }
  return outcome;
}
