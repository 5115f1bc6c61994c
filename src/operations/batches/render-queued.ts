// Renders a document after the response to its request, and records the outcome. It may be repeated after a crash at any step:
// the row in D1 decides. The file of an earlier try is kept, because a call of that try may take effect later and record it.
import { beginRender, imageUrls, type RenderResult } from "colophon-render/render-document";
import { isGivenUp } from "../../core/batches/render-faults.ts";
import type { EndedDocument } from "../../core/documents/document.ts";
import { openEncryption } from "../../core/documents/encryption.ts";
import { renderFailed } from "../../core/errors.ts";
import { shownError } from "../../core/shown-error.ts";
import type { Tries } from "../../ports/batches.ts";
import type { QueueServices } from "../../ports/services.ts";
import type { DocumentPlan } from "../documents/plan-document.ts";
import { failureOf, recordDocument } from "../documents/record-outcome.ts";

export type QueuedRender = Tries & {
  plan: DocumentPlan;
  cdnUrl: string;
  /** See `sealEncryption`. */
  sealed?: string;
  /** Whether the render can be tried again after the browser fails. */
  mayRetryCrash: boolean;
  /** Whether the render can be tried again later if no browser is free. */
  mayWait: boolean;
};

export type QueuedOutcome =
  | { status: "ended"; document: EndedDocument }
  /** The document was deleted or canceled during the render. `document` is the outcome that would have been stored. */
  | { status: "removed"; document: EndedDocument }
  /** Nothing was recorded, because the browser failed or a part of the service was not available. */
  | { status: "crashed" }
  | { status: "postponed"; retryAfterSeconds: number };

/** A render fails after the object has ended this many times during it. */
const maxInterruptions = 6;
const withoutConnections: RenderResult = { status: "no_capacity", retryAfterSeconds: 10, mayHaveFile: false };
const withoutPasswords =
  "The passwords of the document cannot be decrypted any more, because the service's keys have been replaced. Create it again.";
/** Only an operator can make room. */
const fullRetrySeconds = 60;

/** Rejects if a part of the service fails. Nothing is then known about the outcome, and the render can be repeated. */
export async function renderQueued(services: QueueServices, queued: QueuedRender): Promise<QueuedOutcome> {
  const { plan, cdnUrl, tries, mayRetryCrash, mayWait } = queued;
  const { draft, webhookUrl } = plan;
  if (tries > 0) {
    const known = await services.documents.find(draft.accountId, draft.id);
    if (known?.status === "failed") await services.files.remove(draft.fileKey);
    if (known && known.status !== "processing") return { status: "ended", document: known };
  }
  const result = await resultOf(services, queued);
  if (result.status === "no_capacity" && mayWait)
    return { status: "postponed", retryAfterSeconds: result.retryAfterSeconds };
  // The template could not be read, which is not a fault of the item.
  if (result.status === "failed" && result.cause !== undefined && draft.batchId !== null) throw result.cause;
  if (result.status === "failed" && result.reason === "browser_failed" && mayRetryCrash && !isGivenUp(queued))
    return { status: "crashed" };
  const document = endedDocument(services, plan, result);
  // If the storage fails, every render fails, so the failure is recorded only if the storage responds. An earlier try may have completed
  // the document, so its file is not removed yet.
  if (document.status === "failed") await services.files.remove(services.newId());
  const outcome = await recordDocument(services, document, { webhookUrl, cdnUrl, baseUrl: services.settings.baseUrl });
  if (outcome.status === "full") return { status: "postponed", retryAfterSeconds: fullRetrySeconds };
  const existing = outcome.status === "existing" ? outcome.document : document;
  const isRemoved = outcome.status === "deleted" || existing.status === "processing";
  const recorded = existing.status === "processing" ? document : existing;
  if (isRemoved || recorded.status === "failed") await services.files.remove(draft.fileKey);
  return { status: isRemoved ? "removed" : "ended", document: recorded };
}

async function resultOf(services: QueueServices, { plan, sealed, ...tries }: QueuedRender): Promise<RenderResult> {
  const { interruptions, faults } = tries;
  if (interruptions >= maxInterruptions)
    return { status: "failed", reason: "timed_out", message: `The render was interrupted ${interruptions} times.` };
  if (isGivenUp(tries)) {
    const message = `A fault of the service has prevented the render ${faults} times.`;
    return { status: "failed", reason: "browser_failed", message };
  }
  const { images, now, settings, passwords } = services;
  const encryption = sealed === undefined ? undefined : await openEncryption(passwords, plan.draft.id, sealed);
  if (encryption === null) return { status: "failed", reason: "impossible", message: withoutPasswords };
  const connections = await images.connect(plan.draft.accountId, imageUrls(plan.render.data.images));
  if (!connections) return withoutConnections;
  // The time limit begins when its images can be fetched, which may be long after other documents have begun.
  const deadline = now() + settings.renderBudgetMs;
  const render = { ...plan.render, ...(encryption && { encryption }), deadline, onImages: () => connections.release() };
  return beginRender(services, render)().finally(() => connections.release());
}

function endedDocument(
  services: QueueServices,
  { draft, warnings }: DocumentPlan,
  result: RenderResult,
): EndedDocument {
  if (result.status === "rendered") {
    const { metadata } = result;
    const all = [...warnings, ...metadata.warnings];
    return { ...draft, ...metadata, warnings: all, status: "completed", completedAt: services.now() };
  }
  const error =
    result.status === "failed"
      ? failureOf(result)
      : renderFailed("no_capacity", "No browser was available for an hour.");
  return { ...draft, status: "failed", error: shownError(error) };
}
