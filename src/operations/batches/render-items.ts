// Renders a queued task of an account's object: an item of a batch, or a document that was created with `Prefer:
// respond-async`.
import { CodedError } from "colophon-base/loggable-error";
import { planRender } from "colophon-render/plan-render";
import { isTestAccountId } from "../../core/accounts/account.ts";
import { keptTemplateId, type Batch, type BatchItem, type ItemOutcome } from "../../core/batches/batch.ts";
import { itemIds } from "../../core/batches/item-ids.ts";
import { isGivenUp } from "../../core/batches/render-faults.ts";
import type { EndedDocument } from "../../core/documents/document.ts";
import { ServiceError } from "../../core/errors.ts";
import { shownError } from "../../core/shown-error.ts";
import type { ClaimedDocument, ClaimedItem } from "../../ports/batches.ts";
import type { BatchServices, QueueServices } from "../../ports/services.ts";
import { planDocument, type DocumentPlan } from "../documents/plan-document.ts";
import { settleHold } from "../documents/settle-hold.ts";
import { renderQueued, type QueuedOutcome } from "./render-queued.ts";

/** How long a document waits for a browser. */
const maxWaitMs = 3_600_000;

/** The lease of a queued document's hold, which is longer than waiting and rendering may take together. */
export function queuedLeaseMs({ leaseMs, renderBudgetMs }: { leaseMs: number; renderBudgetMs: number }): number {
  return maxWaitMs + 2 * renderBudgetMs + leaseMs;
}

export type ItemRender =
  | { status: "ended"; outcome: ItemOutcome }
  | Extract<QueuedOutcome, { status: "crashed" | "postponed" }>;

/** Renders an item. Rejects if a part of the service fails; the item can be tried again. */
export async function renderItem(
  services: QueueServices,
  batch: Batch,
  { item, waiting }: { item: BatchItem; waiting: number },
  { index, isAlone, ...tries }: ClaimedItem,
): Promise<ItemRender> {
  const plan = await planItem(services, batch, { item, index, waiting }).catch((refusal: unknown) => {
    if (refusal instanceof ServiceError && refusal.code !== "SERVICE_UNAVAILABLE") return refusal;
    throw refusal;
  });
  // The item was validated when the batch was accepted, so this happens only if the rules have changed since.
  if (plan instanceof ServiceError) return { status: "ended", outcome: failedItem(plan) };
  const { cdnUrl } = batch;
  const queued = { ...tries, plan, cdnUrl, mayRetryCrash: !isAlone, mayWait: true };
  const outcome = await renderQueued(services, queued);
  // Only a document that has ended can be deleted, because until then an item has no document.
  return "document" in outcome ? { status: "ended", outcome: itemOutcome(outcome.document) } : outcome;
}

/** Plans the document of an item. The version of the template, the ids and the time come from the batch. */
async function planItem(
  services: QueueServices,
  batch: Batch,
  { item, index, waiting }: { item: BatchItem; index: number; waiting: number },
): Promise<DocumentPlan> {
  const { id: batchId, accountId, retentionDays, options, template, month, createdAt } = batch;
  const kept = { ...template, accountId, id: keptTemplateId(batchId) };
  const find = async () => kept;
  const { data, filename, metadata, attachments, einvoice } = item;
  const input = {
    ...options,
    data,
    templateId: template.id,
    webhookUrl: null,
    idempotency: null,
    arrivedAt: createdAt,
    ...(filename !== undefined && { filename }),
    ...(metadata !== undefined && { metadata }),
    ...(attachments && { attachments }),
    ...(einvoice && { einvoice }),
  };
  const fixed = { ...services, templates: { find, findVersion: find } };
  const plan = await planDocument(fixed, { id: accountId, retentionDays, access: "public" }, input);
  const ids = itemIds(batch, index);
  const draft = { ...plan.draft, ...ids, templateId: template.id, month, batchId };
  return { ...plan, draft, render: { ...plan.render, document: draft, batchPosition: { index, waiting } } };
}

/** The outcome of an item that fails before it becomes a document. */
export function failedItem(error: ServiceError): ItemOutcome {
  return { status: "failed", documentId: null, error: shownError(error) };
}

function itemOutcome(document: EndedDocument): ItemOutcome {
  const { id: documentId } = document;
  if (document.status === "failed") return { status: "failed", documentId, error: document.error };
  const { fileKey, filename, pageCount, fileSize, warnings } = document;
  return { status: "completed", documentId, fileKey, filename, pageCount, fileSize, warnings };
}

/**
 * Renders a queued document and settles its hold. Resolves with the number of seconds after which to try again, or null if the
 * document has ended. Rejects like `renderItem`.
 */
export async function renderQueuedDocument(
  quota: Pick<BatchServices["quota"], "commit" | "release">,
  services: QueueServices,
  claimed: ClaimedDocument,
  waiting: number,
): Promise<number | null> {
  const { id, accountId } = claimed.document.hold.draft;
  let document = await services.documents.find(accountId, id);
  if (document?.status === "processing" && isGivenUp(claimed)) {
    await settleHold(services, claimed.document.hold);
    document = await services.documents.find(accountId, id);
  } else if (document?.status === "processing") {
    const outcome = await renderProcessing(services, claimed, waiting);
    if (outcome.status === "postponed") return outcome.retryAfterSeconds;
    document = outcome.status === "ended" ? outcome.document : null;
  }
  // If the document was deleted, its deletion may have failed to release the hold.
  if (document?.status === "completed") await quota.commit(accountId, id);
  else await quota.release(accountId, id);
  return null;
}

function renderProcessing(services: QueueServices, claimed: ClaimedDocument, waiting: number): Promise<QueuedOutcome> {
  const { document, queuedAt, ...tries } = claimed;
  const { hold, template, request, sealed } = document;
  const { draft, webhookUrl, cdnUrl } = hold;
  const planned = planRender(template.manifest, request, services.settings.imageUrls.allowedOrigins);
  if (planned.status !== "planned") throw new CodedError("the data of a queued document is no longer valid");
  const { status: _, warnings, ...render } = planned;
  const nowMs = services.now();
  const deadline = nowMs + services.settings.renderBudgetMs;
  const plan = {
    draft,
    webhookUrl,
    warnings,
    render: {
      ...render,
      document: draft,
      template,
      deadline,
      batchPosition: { index: queuedAt, waiting },
      ...(isTestAccountId(draft.accountId) && { isTest: true }),
    },
  };
  const mayWait = nowMs - queuedAt < maxWaitMs;
  return renderQueued(services, { ...tries, plan, cdnUrl, mayRetryCrash: false, mayWait, ...(sealed && { sealed }) });
}
