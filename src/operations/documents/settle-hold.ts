// Settles what a request left behind when its lease ended: a hold, or an interrupted delete. D1 decides: if it has the
// document, that document's status counts; if not, the document is recorded as failed, and a request that is still running
// will find that row.
import type { Deletion, Hold } from "../../core/accounts/quota.ts";
import type { SettlementServices } from "../../ports/services.ts";
import { recordDocument } from "./record-document.ts";

export async function settleHold(
  services: SettlementServices,
  { draft, webhookUrl }: Hold,
): Promise<"completed" | "failed"> {
  const error = { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." } as const;
  const outcome = await recordDocument(services, { ...draft, status: "failed", error }, webhookUrl);
  if (outcome.status === "existing" && outcome.document.status === "completed") return "completed";
  await services.files.remove(draft.fileKey);
  services.log("warn", { event: "hold.expired", documentId: draft.id, accountId: draft.accountId });
  return "failed";
}

/**
 * Removes the file, unless the document still exists as completed: then the delete was interrupted before it removed the
 * row.
 */
export async function settleDeletion(
  services: SettlementServices,
  accountId: string,
  { documentId, fileKey }: Pick<Deletion, "documentId" | "fileKey">,
): Promise<void> {
  const document = await services.documents.find(accountId, documentId);
  if (document?.status !== "completed") await services.files.remove(fileKey);
}
