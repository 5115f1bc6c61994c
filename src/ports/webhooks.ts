// Ports for webhooks: the queue, the senders, the outbox, the secrets and the receivers.
import type { DeliveryAttempt, WebhookStatus } from "../core/webhooks/delivery.ts";
import type { DeliveryReport, EventAddress, PendingWebhook, WebhookSummary } from "../core/webhooks/webhook-event.ts";

/**
 * The fast path from the outbox to the account's sender. Messages may be lost or repeated; the outbox keeps every
 * event.
 */
export type WebhookQueue = { send(event: EventAddress): Promise<void> };

/** The senders, one per account. They attempt deliveries and schedule the next attempts. */
export type WebhookSenders = {
  /** Idempotent. Resolves when the sender has stored the events; rejects when some may not be stored. */
  accept(accountId: string, eventIds: string[]): Promise<void>;
};

/** The outbox: every event and the state of its delivery. */
export type WebhookStore = {
  /** The given events that are still pending. */
  pending(accountId: string, eventIds: string[]): Promise<PendingWebhook[]>;
  /** Stores the sender's reports; such events are no longer overdue. Reports from an earlier round are ignored. */
  report(accountId: string, reports: DeliveryReport[]): Promise<void>;
  /** Ids of pending events that no sender has reported on in time, oldest first, by account. */
  overdue(nowMs: number, limit: number): Promise<Map<string, string[]>>;
  /**
   * Postpones events whose sender cannot be reached: they become overdue again at `until`, ms since the epoch, so that
   * others are dispatched first.
   */
  postpone(accountId: string, eventIds: string[], until: number): Promise<void>;
  /** Newest first, for the operator. */
  list(accountId: string, status?: WebhookStatus): Promise<WebhookSummary[]>;
  /** Starts a new round of attempts, whatever the state of the delivery. False when there is no such event. */
  redeliver(eventId: string, nowMs: number): Promise<boolean>;
};

/** The secrets that an account's webhooks are signed with. */
export type WebhookSecretStore = {
  /** The secrets that are valid now, newest first: one, or two for some time after a rotation. */
  valid(accountId: string, nowMs: number): Promise<string[]>;
  /**
   * Adds a new secret. The previous one stays valid until `overlapEnd`; older ones end at once. Times are in ms since the
   * epoch.
   */
  rotate(accountId: string, secret: string, times: { nowMs: number; overlapEnd: number }): Promise<void>;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

/** Never rejects: a missing response is one of the outcomes. */
export type WebhookTransport = {
  post(request: WebhookRequest): Promise<Omit<DeliveryAttempt, "at" | "durationMs"> & { retryAfter: string | null }>;
};
