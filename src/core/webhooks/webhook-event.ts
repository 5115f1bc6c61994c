// A webhook event: one message about the end of a document's render, to the URL that the create named.
import { documentRecord, type StoredDocument } from "../documents/document.ts";
import type { Delivery } from "./delivery.ts";

/** One message to one URL. It never changes: every attempt sends the same id and body. */
export type WebhookEvent = {
  /** The receiver's means to tell a repeat, `webhook-id`. A document has exactly one event, so it follows from its id. */
  id: string;
  accountId: string;
  documentId: string;
  url: string;
  /** JSON of `{ type, timestamp, data }`. */
  payload: string;
  createdAt: number;
};

/** The event that a document's end makes. `cdnUrl` as in the settings. */
export function webhookEventOf(
  document: StoredDocument,
  { url, cdnUrl, nowMs }: { url: string; cdnUrl: string; nowMs: number },
): WebhookEvent {
  const payload = JSON.stringify({
    type: `document.${document.status}`,
    timestamp: new Date(nowMs).toISOString(),
    data: documentRecord(document, cdnUrl),
  });
  return {
    id: `evt_${document.id.replaceAll("-", "")}`,
    accountId: document.accountId,
    documentId: document.id,
    url,
    payload,
    createdAt: nowMs,
  };
}

export type EventAddress = { accountId: string; eventId: string };

/** An event with how its delivery stands. */
export type PendingWebhook = WebhookEvent & { delivery: Delivery };

export type DeliveryReport = { eventId: string; delivery: Delivery };

export type WebhookSummary = Omit<PendingWebhook, "payload">;
