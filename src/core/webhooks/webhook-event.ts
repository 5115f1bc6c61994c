// A webhook event: the message to a customer's URL about the outcome of one document's render, or of a batch.
import type { BatchRecord } from "../batches/batch.ts";
import { accessOf, documentRecord, type EndedDocument } from "../documents/document.ts";
import type { Delivery } from "./delivery.ts";

/** An event never changes: every delivery attempt sends the same id and body, apart from links to private files. */
export type WebhookEvent = {
  /**
   * Sent as `webhook-id`, so that receivers recognise repeats. The id is derived from the document's or batch's id, because
   * each of them has at most one event.
   */
  id: string;
  accountId: string;
  /** The id of the document or batch. */
  documentId: string;
  url: string;
  /** JSON of `{ type, timestamp, data }`. If `data` gets links in each attempt, also of their `baseUrl`. */
  payload: string;
  createdAt: number;
};

/** `baseUrl` is the URL of the API, for links to private files. */
type EventOptions = { accountId: string; url: string; nowMs: number; baseUrl?: string | undefined };

/** Returns the event for a document whose render has ended. `cdnUrl` is the setting. */
export function webhookEventOf(
  document: EndedDocument,
  { cdnUrl, baseUrl, ...options }: Omit<EventOptions, "accountId"> & { cdnUrl: string },
): WebhookEvent {
  const { accountId, status } = document;
  const isLinked = status === "completed" && accessOf(document.fileKey) === "private";
  const base = { baseUrl: isLinked ? baseUrl : undefined };
  return eventOf(`document.${status}`, documentRecord(document, cdnUrl), { accountId, ...base, ...options });
}

export function batchEventOf(batch: BatchRecord, options: EventOptions): WebhookEvent {
  const baseUrl = batch.access === "private" ? options.baseUrl : undefined;
  return eventOf("batch.completed", batch, { ...options, baseUrl });
}

/** Returns whether each attempt inserts links into a payload. Others end with `data`, so nobody's text can be mistaken for `baseUrl`. */
export function hasLinks(payload: string): boolean {
  return /\},"baseUrl":"[^"]*"\}$/.test(payload);
}

function eventOf(type: string, data: { id: string }, { accountId, url, nowMs, baseUrl }: EventOptions): WebhookEvent {
  const payload = JSON.stringify({ type, timestamp: new Date(nowMs).toISOString(), data, baseUrl });
  const id = `evt_${data.id.replaceAll("-", "")}`;
  return { id, accountId, documentId: data.id, url, payload, createdAt: nowMs };
}

/** Identifies an event. It is also a queue message. */
export type EventAddress = { accountId: string; eventId: string };

/** Returns the ids of the events by account, in the given order and without duplicates. */
export function eventIdsByAccount(events: EventAddress[]): Map<string, string[]> {
  const byAccount = Map.groupBy(events, ({ accountId }) => accountId);
  return new Map([...byAccount].map(([id, events]) => [id, [...new Set(events.map(({ eventId }) => eventId))]]));
}

export type PendingWebhook = WebhookEvent & { delivery: Delivery };

export type DeliveryReport = { eventId: string; delivery: Delivery };

export type WebhookSummary = Omit<PendingWebhook, "payload"> & {
  /** The number of attempts in earlier rounds. */
  earlierAttempts: number;
};
