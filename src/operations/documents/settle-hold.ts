// Settles a hold or a delete if its request did not do so before the lease expired. If D1 has the document, the
// document's status decides whether the render counts. Otherwise, the document is recorded as failed, and a create that
// is still running finds that row.
import { CodedError } from "colophon-base/loggable-error";
import type { Deletion, Hold } from "../../core/accounts/quota.ts";
import type { SettlementServices } from "../../ports/services.ts";
import { recordDocument } from "./record-outcome.ts";

export async function settleHold(
  services: SettlementServices,
  { draft, webhookUrl, cdnUrl }: Hold,
): Promise<"completed" | "failed"> {
  const error = { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." } as const;
  const outcome = await recordDocument(services, { ...draft, status: "failed", error }, { webhookUrl, cdnUrl });
  // The hold stays, so that its document and event are recorded when there is room again.
  if (outcome.status === "full") throw new CodedError("the database is full");
  if (outcome.status === "existing" && outcome.document.status === "completed") return "completed";
  // It expired before this alarm, or was deleted.
  if (outcome.status === "deleted" && outcome.wasCompleted) return "completed";
  await services.files.remove(draft.fileKey);
  services.log("warn", { event: "hold.expired", documentId: draft.id, accountId: draft.accountId });
  return "failed";
}

/**
 * Removes the file, unless the document is still stored as completed: its delete was interrupted before the row was
 * removed, so it keeps its file.
 */
export async function settleDeletion(
  services: SettlementServices,
  accountId: string,
  { documentId, fileKey }: Pick<Deletion, "documentId" | "fileKey">,
): Promise<void> {
  const document = await services.documents.find(accountId, documentId);
  if (document?.status !== "completed") await services.files.remove(fileKey);
}
