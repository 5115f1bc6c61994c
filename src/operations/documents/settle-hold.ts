// A hold past its lease: whoever made it is gone or too slow. D1 is the judge: the document that is there decides; where
// there is none, the document has failed, and from then on that is the truth a late maker finds.
import type { Deletion, Hold } from "../../core/accounts/quota.ts";
import type { SettlementServices } from "../../ports.ts";
import { recordDocument } from "./record-document.ts";

export async function settleHold(
  services: SettlementServices,
  { draft, webhookUrl }: Hold,
): Promise<"completed" | "failed"> {
  const error = { code: "RENDER_FAILED", message: "The render was interrupted and did not finish." } as const;
  const outcome = await recordDocument(services, { ...draft, status: "failed", error }, webhookUrl);
  if (outcome.status === "existing" && outcome.document.status === "completed") return "completed";
  await services.files.remove(draft.fileKey);
  services.log("warn", { event: "hold.settled_as_failed", documentId: draft.id, accountId: draft.accountId });
  return "failed";
}

/** A file that should be gone: it stays only where a completed document is there, whose delete never came that far. */
export async function settleDeletion(
  services: SettlementServices,
  accountId: string,
  { documentId, fileKey }: Pick<Deletion, "documentId" | "fileKey">,
): Promise<void> {
  const document = await services.documents.find(accountId, documentId);
  if (document?.status !== "completed") await services.files.remove(fileKey);
}
