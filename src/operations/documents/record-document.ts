// Stores a document and, if a webhook was asked for, its event in the same transaction. Then sends a message for the
// event to the queue. If that fails, the outbox still has the event.
import type { Hold } from "../../core/accounts/quota.ts";
import type { EndedDocument, InsertOutcome } from "../../core/documents/document.ts";
import { webhookEventOf } from "../../core/webhooks/webhook-event.ts";
import type { RecordServices } from "../../ports/services.ts";

export async function recordDocument(
  services: RecordServices,
  document: EndedDocument,
  { webhookUrl, cdnUrl }: Pick<Hold, "webhookUrl" | "cdnUrl">,
): Promise<InsertOutcome> {
  const event = webhookUrl ? webhookEventOf(document, { url: webhookUrl, cdnUrl, nowMs: services.now() }) : undefined;
  const outcome = await services.documents.insert(document, event);
  if (event && outcome.status === "inserted") {
    const { accountId, id: eventId } = event;
    services.background("send the event to the queue", services.webhookQueue.send({ accountId, eventId }));
  }
  return outcome;
}
