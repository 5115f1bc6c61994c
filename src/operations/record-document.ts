// Writes what a create came to: the document's row and, where one was asked for, its event in the same transaction. The
// event is then announced; should that get lost, the outbox has it.
import { callbackEventOf } from "../core/callback.ts";
import type { StoredDocument } from "../core/document.ts";
import type { InsertOutcome, RecordServices } from "../ports.ts";

export async function recordDocument(
  services: RecordServices,
  document: StoredDocument,
  webhookUrl: string | null,
): Promise<InsertOutcome> {
  const { cdnUrl } = services.settings;
  const event = webhookUrl ? callbackEventOf(document, { url: webhookUrl, cdnUrl, nowMs: services.now() }) : undefined;
  const outcome = await services.documents.insert(document, event);
  if (event && outcome.status === "inserted") {
    const { accountId, id: eventId } = event;
    services.background("announce the event", services.callbackQueue.announce({ accountId, eventId }));
  }
  return outcome;
}
