// Inserts links into the payloads of events about private files. A link ends, and its stored copy would outlive `DELETE …/links`, so a
// payload is stored without links, and every attempt makes new ones.
import { hasLinks } from "../../core/webhooks/webhook-event.ts";
import type { DeliveryServices } from "../../ports/services.ts";
import { batchRecordOf, documentLink } from "../documents/file-links.ts";

type LinkedPayload = { type: string; timestamp: string; data: { id: string }; baseUrl: string };
type LinkedServices = Pick<DeliveryServices, "documents" | "batches" | "encryptionKeys" | "now">;

/** Returns the body of an attempt. A document or batch that was deleted since has no links. */
export async function withFreshLinks(services: LinkedServices, accountId: string, payload: string): Promise<string> {
  if (!hasLinks(payload)) return payload;
  const { baseUrl, data, ...event } = JSON.parse(payload) as LinkedPayload;
  const links =
    event.type === "batch.completed"
      ? ofBatch(services, accountId, data.id)
      : ofDocument(services, accountId, data.id, baseUrl);
  return JSON.stringify({ ...event, data: { ...data, ...(await links) } });
}

async function ofBatch(services: LinkedServices, accountId: string, id: string) {
  const state = await services.batches.find(accountId, id);
  return { files: state ? batchRecordOf(services, state).files : [] };
}

async function ofDocument(services: LinkedServices, accountId: string, id: string, baseUrl: string) {
  const document = await services.documents.find(accountId, id);
  const link = document?.status === "completed" ? documentLink(services, document, baseUrl) : null;
  return { pdfUrl: link?.url ?? null, fileUrl: link?.url ?? null, linkExpiresAt: link?.expiresAt ?? null };
}
