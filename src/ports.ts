// What operations need from outside: one type per dependency. Adapters are in `platform/`, fakes in the tests. Methods
// return expected outcomes and reject when the dependency fails.
import type { Account, AccountSummary, ApiKey, NewAccount } from "./core/accounts/account.ts";
import type { Plan, PlanName } from "./core/accounts/plans.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "./core/accounts/quota.ts";
import type {
  ByteRange,
  DocumentFilter,
  FileMetadata,
  InsertOutcome,
  StoredDocument,
} from "./core/documents/document.ts";
import type { FetchedImage } from "./core/images/fetched-image.ts";
import type { Page } from "./core/pagination.ts";
import type { UrlRules } from "./core/public-url.ts";
import type { RenderJob, RenderOutcome } from "./core/rendering/render-job.ts";
import type { CompiledTemplate } from "./core/templates/compile-template.ts";
import type { Template, TemplateContent } from "./core/templates/template.ts";
import type { DeliveryAttempt, WebhookStatus } from "./core/webhooks/delivery.ts";
import type {
  DeliveryReport,
  EventAddress,
  PendingWebhook,
  WebhookEvent,
  WebhookSummary,
} from "./core/webhooks/webhook-event.ts";

/** Finds the account of an API key. Results may be up to ten seconds old. */
export type KeyDirectory = {
  /** The account of the key and the SHA-256 of the key's secret, hex; null when the key is unknown or revoked. */
  find(keyId: string): Promise<{ account: Account; secretHash: string } | null>;
};

/** Accounts, plans and keys, as the operator's command line changes them. */
export type AccountStore = {
  /** Stores the account together with its first webhook secret. */
  insertAccount(account: NewAccount): Promise<void>;
  /** Every account. */
  listAccounts(): Promise<AccountSummary[]>;
  /** Null when there is no such account. */
  findAccount(id: string): Promise<AccountSummary | null>;
  /** False when there is no such account. */
  setAccountPlan(id: string, plan: PlanName): Promise<boolean>;
  listPlans(): Promise<Plan[]>;
  /** Changes the given properties and returns the updated plan. */
  updatePlan(name: PlanName, change: { monthlyRenders?: number; apiAccess?: boolean }): Promise<Plan>;
  /** Times in ms since the epoch; `secretHash` is the SHA-256 of the secret, hex. */
  insertKey(key: { id: string; accountId: string; name: string; secretHash: string; createdAt: number }): Promise<void>;
  /** Revoked keys too. */
  listKeys(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key. A key that is revoked again keeps its first time. */
  revokeKey(id: string, revokedAt: number): Promise<boolean>;
};

/** Templates as the API reads them. Results may be up to ten seconds old. */
export type TemplateCatalog = {
  /** Null when the account has no such template. */
  find(accountId: string, id: string): Promise<Template | null>;
  /** Newest first, then by id. */
  list(accountId: string, page: Page): Promise<{ templates: Template[]; total: number }>;
  /** The content of the template's version; immutable. */
  content(template: Template): Promise<TemplateContent>;
  /** The version's content, ready to render; cached, because a version never changes. */
  compiled(template: Template): Promise<CompiledTemplate>;
};

/** Templates as the operator's command line changes them. */
export type TemplateStore = {
  /** Of any account. */
  findById(id: string): Promise<Template | null>;
  /** The template that was pushed from this folder name. */
  findByFolder(accountId: string, folder: string): Promise<Template | null>;
  listAll(accountId: string): Promise<Template[]>;
  /** Stores the content of the version that `template` names. Idempotent. */
  putContent(template: Template, content: TemplateContent): Promise<void>;
  /** False when another push has created a template for this folder in the meantime. */
  insert(template: Template, folder: string): Promise<boolean>;
  /** Stores a new version of an existing template; false when another push was first. */
  update(template: Template): Promise<boolean>;
  /** Removes rows and contents. False when there is no such template. */
  remove(id: string): Promise<boolean>;
};

export type DocumentStore = {
  /**
   * The only D1 write of a create. Inserts the document and its event in one transaction, unless a document with this
   * id exists or has been deleted; the outcome says so.
   */
  insert(document: StoredDocument, event?: WebhookEvent): Promise<InsertOutcome>;
  /** Null when the account has no such document. */
  find(accountId: string, id: string): Promise<StoredDocument | null>;
  /** Newest first, then by id. */
  list(accountId: string, filter: DocumentFilter, page: Page): Promise<{ documents: StoredDocument[]; total: number }>;
  /** Idempotent. False when there was no such document. */
  remove(accountId: string, id: string): Promise<boolean>;
};

/** Rendered files by their key. Only the renderer writes them. */
export type FileStore = {
  /** Null when there is no such file. */
  metadata(key: string): Promise<FileMetadata | null>;
  /** Without `range` the whole file. Null when there is no such file. */
  get(key: string, range?: ByteRange): Promise<{ body: ReadableStream } | null>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
};

/** The monthly quota of an account; exact under any concurrency. Idempotent by document id. */
export type Quota = {
  /** Reserves a hold, or says why not. Waits for a while if too many renders are in flight. */
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** What `reserve` would find for the key; reserves nothing. */
  lookUpKey(accountId: string, idempotency: IdempotencyKey): Promise<KnownKey>;
  /** Counts the render of a hold. */
  commit(accountId: string, documentId: string): Promise<void>;
  /** Ends a hold without counting its render. */
  release(accountId: string, documentId: string): Promise<void>;
  /** Renders of a month, e.g. `2026-11`: counted ones, and held ones that may still be counted. */
  usage(accountId: string, month: string): Promise<{ used: number; reserved: number }>;
  /**
   * Settles the document's hold by the document's status, so that a delete never lowers the usage. Also records the file:
   * if the delete is interrupted before the file is removed, the alarm removes it.
   */
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** Renders HTML and stores the file itself; the bytes never pass through the caller. */
export type Renderer = { render(job: RenderJob): Promise<RenderOutcome> };

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
   * For events whose sender cannot be reached: they become overdue again at `until`, ms since the epoch, so that others are
   * dispatched first.
   */
  postpone(accountId: string, eventIds: string[], until: number): Promise<void>;
  /** Newest first, for the operator. */
  list(accountId: string, status?: WebhookStatus): Promise<WebhookSummary[]>;
  /** Starts a new round of attempts, whatever the state of the delivery. False when there is no such event. */
  redeliver(eventId: string, nowMs: number): Promise<boolean>;
};

/** The keys that an account's webhooks are signed with. */
export type WebhookSecretStore = {
  /** Those valid now, newest first: one, or two for some time after a rotation. */
  valid(accountId: string, nowMs: number): Promise<string[]>;
  /**
   * Adds the newest. The previous one stays valid until `overlapEnd`, older ones end at once. Times in ms since the
   * epoch.
   */
  rotate(accountId: string, secret: string, times: { nowMs: number; overlapEnd: number }): Promise<void>;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };
/** Never rejects: a missing response is one of the outcomes. */
export type WebhookTransport = {
  post(request: WebhookRequest): Promise<Omit<DeliveryAttempt, "at" | "durationMs"> & { retryAfter: string | null }>;
};

/** Downloads images. Never rejects; bounded in time and size. */
export type ImageSource = { fetch(url: string, timeoutMs: number): Promise<FetchedImage> };

/** Rejects while the database does not respond. */
export type Health = { check(): Promise<void> };

export type LogEntry = { event: string; [detail: string]: unknown };
export type Log = (level: "info" | "warn" | "error", entry: LogEntry) => void;

/** What operators set; `wrangler.toml` explains each. */
export type Settings = {
  baseUrl: string;
  cdnUrl: string;
  leaseMs: number;
  renderBudgetMs: number;
  /** Renders of one account that may be in flight at a time. */
  rendersInFlight: Record<PlanName, number>;
  /** Which URLs webhooks may go to. */
  webhookUrls: UrlRules;
  /** Which URLs images may come from. */
  imageUrls: UrlRules;
};

/** Everything an operation may use. */
export type Services = {
  keys: KeyDirectory;
  templates: TemplateCatalog;
  documents: DocumentStore;
  files: FileStore;
  quota: Quota;
  renderer: Renderer;
  webhookQueue: WebhookQueue;
  images: ImageSource;
  health: Health;
  settings: Settings;
  /** ms since the epoch. */
  now(): number;
  /** A random UUID. */
  newId(): string;
  log: Log;
  /** Continues `work` after the response has been sent. Its failure is logged as the failure of `what`. */
  background(what: string, work: Promise<unknown>): void;
};

/** What settling holds and interrupted deletes uses. */
export type SettlementServices = RecordServices & Pick<Services, "files" | "now">;

/** What recording a document and its event uses. */
export type RecordServices = Pick<Services, "documents" | "webhookQueue" | "now" | "log" | "background"> & {
  settings: Pick<Settings, "cdnUrl">;
};

/** What delivering webhooks uses. */
export type DeliveryServices = Pick<Services, "now" | "log"> & {
  webhooks: WebhookStore;
  secrets: WebhookSecretStore;
  transport: WebhookTransport;
  webhookUrls: UrlRules;
  /** A random number from 0 to 1. */
  random(): number;
};

/** What the queue consumer and the scheduled run use to dispatch events to their senders. */
export type DispatchServices = Pick<Services, "now" | "log"> & {
  webhooks: Pick<WebhookStore, "overdue" | "postpone">;
  senders: WebhookSenders;
};
