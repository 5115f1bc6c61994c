// Ports for webhooks: the queue, the senders, the outbox, the secrets and the receivers.
import type { Listed, Page } from "../core/pagination.ts";
import type { DeliveryAttempt, WebhookStatus } from "../core/webhooks/delivery.ts";
import type {
  DeliveryReport,
  EventAddress,
  PendingWebhook,
  WebhookEvent,
  WebhookSummary,
} from "../core/webhooks/webhook-event.ts";
import type { AuditEvent } from "./accounts.ts";

/**
 * The queue that brings events quickly from the outbox to the account's sender. Messages may be lost or repeated, but
 * events are not lost, because the outbox keeps them.
 */
export type WebhookQueue = { send(event: EventAddress): Promise<void> };

/** A message as the queue delivers it. Its body is an `EventAddress`, unless the message is damaged. */
export type WebhookMessage = {
  readonly id: string;
  readonly body: unknown;
  ack(): void;
  retry(options?: { delaySeconds?: number }): void;
};

/** The senders, one per account. They attempt deliveries and schedule the next attempts. */
export type WebhookSenders = {
  /**
   * Passes events to the account's sender. Resolves when the sender has stored them; rejects if it may have missed
   * some. Idempotent.
   */
  accept(accountId: string, eventIds: string[]): Promise<void>;
};

export type WebhookFilter = { status?: WebhookStatus | undefined; documentId?: string | undefined };

/** The outbox: every event and the state of its delivery. */
export type WebhookStore = {
  /** Stores the event of a batch. Events of documents are stored with their documents. Idempotent. */
  insert(event: WebhookEvent): Promise<void>;
  /** The given events that are still pending. */
  pending(accountId: string, eventIds: string[]): Promise<PendingWebhook[]>;
  /** Stores the sender's reports, after which their events are not overdue. Ignores reports from an earlier round. */
  report(accountId: string, reports: DeliveryReport[]): Promise<void>;
  list(accountId: string, filter: WebhookFilter, page: Page): Promise<Listed<WebhookSummary>>;
  find(accountId: string, eventId: string): Promise<(PendingWebhook & WebhookSummary) | null>;
  /** Starts a new round of attempts, regardless of the state of the delivery. Returns the ids of the events that exist. */
  redeliver(eventId: string, audit: AuditEvent): Promise<string[]>;
  /** Starts a new round for all dead events that were created since then. */
  redeliverDead(sinceMs: number, audit: AuditEvent): Promise<string[]>;
};

/** The secrets with which an account's webhooks are signed. */
export type WebhookSecretStore = {
  /**
   * The secrets that are valid at `nowMs`, newest first: one, or two for some time after a rotation. A secret that cannot be
   * decrypted is left out. Rejects if the account has secrets, but none of them can be decrypted.
   */
  valid(accountId: string, nowMs: number): Promise<string[]>;
  /**
   * Adds a new secret. The previous secret stays valid until `overlapEnd`, and any older secrets expire immediately. Times
   * are in ms since the epoch; the secret is created at the event's time.
   */
  rotate(accountId: string, secret: string, overlapEnd: number, audit: AuditEvent): Promise<void>;
  /**
   * Removes the expired secrets of all accounts, and encrypts all others with the current key. Secrets that no key can decrypt are counted
   * in `unreadable` and left as they are. May be repeated after an interruption.
   */
  reEncrypt(nowMs: number): Promise<{ reEncrypted: number; unreadable: number }>;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };

/** Sends a request to a receiver. Never rejects: if there is no response, the result says so. */
export type WebhookTransport = {
  post(request: WebhookRequest): Promise<Omit<DeliveryAttempt, "at" | "durationMs"> & { retryAfter: string | null }>;
};
