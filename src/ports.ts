// The outside, as operations see it: one type per thing, nothing else. Adapters are in `platform/`, fakes in the tests.
// Every method rejects when its outside fails; expected outcomes are returned.
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

/** Who is calling. Answers may be up to ten seconds old. */
export type KeyDirectory = {
  /** The account of a key that is not revoked, with the digest of the key's secret; null when there is none. */
  find(keyId: string): Promise<{ account: Account; secretHash: string } | null>;
};

/** Accounts, plans and keys, as the operator's command changes them. */
export type AccountStore = {
  /** With the account's first webhook secret. */
  insertAccount(account: NewAccount): Promise<void>;
  listAccounts(): Promise<AccountSummary[]>;
  findAccount(id: string): Promise<AccountSummary | null>;
  /** False when there is no such account. */
  setAccountPlan(id: string, plan: PlanName): Promise<boolean>;
  listPlans(): Promise<Plan[]>;
  updatePlan(name: PlanName, change: { monthlyRenders?: number; apiAccess?: boolean }): Promise<Plan>;
  insertKey(key: { id: string; accountId: string; name: string; secretHash: string; createdAt: number }): Promise<void>;
  listKeys(accountId: string): Promise<ApiKey[]>;
  /** False when there is no such key; revoking again keeps the first time. */
  revokeKey(id: string, revokedAt: number): Promise<boolean>;
};

/** Templates as the interface reads them. Answers may be up to ten seconds old. */
export type TemplateCatalog = {
  find(accountId: string, id: string): Promise<Template | null>;
  /** Newest first, then by id. */
  list(accountId: string, page: Page): Promise<{ templates: Template[]; total: number }>;
  /** The version's content; immutable. */
  content(template: Template): Promise<TemplateContent>;
  /** The version's content ready to render; kept, because a version never changes. */
  compiled(template: Template): Promise<CompiledTemplate>;
};

/** Templates as the operator's command changes them. */
export type TemplateStore = {
  findById(id: string): Promise<Template | null>;
  findByFolder(accountId: string, folder: string): Promise<Template | null>;
  listAll(accountId: string): Promise<Template[]>;
  putContent(template: Template, content: TemplateContent): Promise<void>;
  /** False when another push has made a template of this folder meanwhile. */
  insert(template: Template, folder: string): Promise<boolean>;
  /** A new version of a template that exists; false when another push was first. */
  update(template: Template): Promise<boolean>;
  /** Rows and contents. False when there is no such template. */
  remove(id: string): Promise<boolean>;
};

export type DocumentStore = {
  /**
   * The one write of a create. Inserts, unless a document of this id is there already or was: then that is the truth, and
   * is returned. The document's event is written with it, in one transaction, or not at all.
   */
  insert(document: StoredDocument, event?: WebhookEvent): Promise<InsertOutcome>;
  find(accountId: string, id: string): Promise<StoredDocument | null>;
  /** Newest first, then by id. */
  list(accountId: string, filter: DocumentFilter, page: Page): Promise<{ documents: StoredDocument[]; total: number }>;
  /** Idempotent. False when it was not there. */
  remove(accountId: string, id: string): Promise<boolean>;
};

/** Rendered files by their key. The renderer writes them; nothing else does. */
export type FileStore = {
  metadata(key: string): Promise<FileMetadata | null>;
  /** `range` in bytes. Null when there is no such file. */
  get(key: string, range?: ByteRange): Promise<{ body: ReadableStream } | null>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
};

/** The monthly allowance of an account; exact under any concurrency. Idempotent by document id. */
export type Quota = {
  reserve(request: ReserveRequest): Promise<Reservation>;
  /** Reads what `reserve` would find, and takes nothing. */
  lookUpKey(accountId: string, idempotency: IdempotencyKey): Promise<KnownKey>;
  commit(accountId: string, documentId: string): Promise<void>;
  release(accountId: string, documentId: string): Promise<void>;
  usage(accountId: string, month: string): Promise<{ used: number; reserved: number }>;
  /**
   * Settles the document's hold by what it came to, so that a delete never gives a place back, and notes the file: should
   * the delete break off between row and file, the alarm ends it.
   */
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** HTML to a stored file. The bytes stay on the renderer's side. */
export type Renderer = { render(job: RenderJob): Promise<RenderOutcome> };

/** The quick way from the outbox to the account's sender. A message may be lost or come twice: the outbox is the truth. */
export type WebhookQueue = { send(event: EventAddress): Promise<void> };

/** Each account's sender: it attempts deliveries, and knows when the next attempt is due. */
export type WebhookSenders = {
  /** Idempotent. Resolves when the events are in the sender's keeping; rejects when some may not be. */
  accept(accountId: string, eventIds: string[]): Promise<void>;
};

/** The outbox: every event ever made, and how its delivery stands. */
export type WebhookStore = {
  /** Those of the events that are pending. */
  pending(accountId: string, eventIds: string[]): Promise<PendingWebhook[]>;
  /** What the sender says; from then on the event is in its keeping. A report of an earlier round changes nothing. */
  report(accountId: string, reports: DeliveryReport[]): Promise<void>;
  /** Pending events that should be in a sender's keeping by now and are not, oldest first, by account. */
  overdue(nowMs: number, limit: number): Promise<Map<string, string[]>>;
  /** Their sender cannot be reached: they are overdue again at `until`, so that others have their turn. */
  putOff(accountId: string, eventIds: string[], until: number): Promise<void>;
  /** Newest first, for the operator. */
  list(accountId: string, status?: WebhookStatus): Promise<WebhookSummary[]>;
  /** A new round of attempts, whatever the last one came to. False when there is no such event. */
  redeliver(eventId: string, nowMs: number): Promise<boolean>;
};

/** The keys that an account's webhooks are signed with. */
export type WebhookSecretStore = {
  /** Those valid now, newest first; one, and for a while after a rotation two. */
  valid(accountId: string, nowMs: number): Promise<string[]>;
  /** Adds the newest; the one before stays valid until `overlapEnd`, older ones end at once. */
  rotate(accountId: string, secret: string, times: { nowMs: number; overlapEnd: number }): Promise<void>;
};

export type WebhookRequest = { url: string; headers: Record<string, string>; body: string };
/** Never rejects: no answer in time is one of the outcomes. */
export type WebhookTransport = {
  post(request: WebhookRequest): Promise<Omit<DeliveryAttempt, "at" | "durationMs"> & { retryAfter: string | null }>;
};

/** Images on the web. Never rejects; bounded in time and size. */
export type ImageSource = { fetch(url: string, timeoutMs: number): Promise<FetchedImage> };

/** Whether the outside answers at all. */
export type Health = { check(): Promise<void> };

export type LogEntry = { event: string; [detail: string]: unknown };
export type Log = (level: "info" | "warn" | "error", entry: LogEntry) => void;

/** What operators set; `wrangler.toml` explains each. */
export type Settings = {
  baseUrl: string;
  cdnUrl: string;
  leaseMs: number;
  renderBudgetMs: number;
  /** Renders of one account that may be under way at once. */
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
  /** Work that goes on after the answer; its failure is logged, not lost. */
  background(what: string, work: Promise<unknown>): void;
};

/** What settling a hold or a delete uses. */
export type SettlementServices = RecordServices & Pick<Services, "files" | "now">;

/** What writing a document and its event uses. */
export type RecordServices = Pick<Services, "documents" | "webhookQueue" | "now" | "log" | "background"> & {
  settings: Pick<Settings, "cdnUrl">;
};

/** What a delivery uses. */
export type DeliveryServices = Pick<Services, "now" | "log"> & {
  webhooks: WebhookStore;
  secrets: WebhookSecretStore;
  transport: WebhookTransport;
  webhookUrls: UrlRules;
  /** From 0 to 1. */
  random(): number;
};

/** What the queue and the clock use to bring events to their senders. */
export type DispatchServices = Pick<Services, "now" | "log"> & {
  webhooks: Pick<WebhookStore, "overdue" | "putOff">;
  senders: WebhookSenders;
};
