// The outside, as operations see it: one type per thing, nothing else. Adapters are in `platform/`, fakes in the tests.
// Every method rejects when its outside fails; expected outcomes are returned.
import type { CallbackAttempt, CallbackEvent, CallbackStatus, Delivery } from "./core/callback.ts";
import type { CompiledTemplate } from "./core/compile-template.ts";
import type { DocumentDraft, DocumentFormat, DocumentStatus, StoredDocument } from "./core/document.ts";
import type { Margin, PageGeometry } from "./core/page-geometry.ts";
import type { Plan, PlanName } from "./core/plans.ts";
import type { UrlRules } from "./core/public-url.ts";
import type { Template, TemplateContent } from "./core/template.ts";

export type Account = { id: string; name: string; plan: Plan };
export type ApiKey = { id: string; name: string; createdAt: number; revokedAt: number | null };
export type AccountRow = { id: string; name: string; plan: PlanName };
export type NewAccount = AccountRow & { createdAt: number; webhookSecret: string };
export type Page = { limit: number; offset: number };

/** Who is calling. Answers may be up to ten seconds old. */
export type KeyDirectory = {
  /** The account of a key that is not revoked, with the digest of the key's secret; null when there is none. */
  find(keyId: string): Promise<{ account: Account; secretHash: string } | null>;
};

/** Accounts, plans and keys, as the operator's command changes them. */
export type AccountStore = {
  /** With the account's first webhook secret. */
  insertAccount(account: NewAccount): Promise<void>;
  listAccounts(): Promise<AccountRow[]>;
  findAccount(id: string): Promise<AccountRow | null>;
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

export type DocumentFilter = { status?: DocumentStatus; format?: DocumentFormat; templateId?: string };

export type InsertOutcome =
  | { status: "inserted" }
  | { status: "existing"; document: StoredDocument }
  /** It was there and has been deleted since; it does not come back. */
  | { status: "deleted" };

export type DocumentStore = {
  /**
   * The one write of a create. Inserts, unless a document of this id is there already or was: then that is the truth, and
   * is returned. The document's event is written with it, in one transaction, or not at all.
   */
  insert(document: StoredDocument, event?: CallbackEvent): Promise<InsertOutcome>;
  find(accountId: string, id: string): Promise<StoredDocument | null>;
  /** Newest first, then by id. */
  list(accountId: string, filter: DocumentFilter, page: Page): Promise<{ documents: StoredDocument[]; total: number }>;
  /** Idempotent. False when it was not there. */
  remove(accountId: string, id: string): Promise<boolean>;
};

/** What a stored file's own metadata says of it. */
export type FileFacts = { fileSize: number; sha256: string; pageCount: number; warnings: string[] };

/** Rendered files by their key. The renderer writes them; nothing else does. */
export type FileStore = {
  facts(key: string): Promise<FileFacts | null>;
  /** `range` in bytes. Null when there is no such file. */
  get(key: string, range?: { offset: number; length: number }): Promise<{ body: ReadableStream } | null>;
  /** Idempotent. */
  remove(key: string): Promise<void>;
};

/** A place of the allowance, held while its document is made. Carries all that settling it without its maker needs. */
export type Hold = { draft: DocumentDraft; leaseMs: number; webhookUrl: string | null };

/** A caller's promise that requests of this key and body are one and the same. */
export type IdempotencyKey = { key: string; bodyHash: string };

export type ReserveRequest = {
  hold: Hold;
  /** Completed renders a month. */
  limit: number;
  /** Renders of the account that may be under way at once. */
  inFlightLimit: number;
  idempotency: IdempotencyKey | null;
};

/** What is known of an idempotency key: whose document it made or is making, and how that stands. */
export type KnownKey =
  | { status: "unknown" }
  | { status: "other_body" }
  | { status: "in_progress"; documentId: string }
  | { status: "done"; documentId: string };

/** `used`: places taken in the month, committed and held together. */
export type Reservation =
  | { status: "reserved"; used: number }
  | { status: "exhausted"; used: number }
  /** Too many renders of the account are under way, and none ended while the call waited. */
  | { status: "crowded"; retryAfterSeconds: number }
  | Exclude<KnownKey, { status: "unknown" }>;

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

/** A delete that has begun. */
export type Deletion = { documentId: string; fileKey: string; status: DocumentStatus; leaseMs: number };

export type RenderJob = {
  accountId: string;
  html: string;
  /** The beginning of `html` that the account's other documents of this template have too. */
  headChars: number;
  format: DocumentFormat;
  page: PageGeometry;
  margin: Margin;
  deviceScaleFactor: number;
  fileKey: string;
  /** Of the document, as a PDF tells it: ms since the epoch, BCP 47. */
  metadata: { createdAt: number; language: string };
  /** Characters of markup without inlined files: tells how large the output may get. */
  markupChars: number;
  /** What is left of the create's time, ms. */
  timeoutMs: number;
};

export type RenderOutcome =
  | ({ status: "rendered" } & FileFacts)
  /** The document cannot be made from this template and data; the message is for the caller. */
  | { status: "impossible"; message: string }
  | { status: "busy"; retryAfterSeconds: number }
  | { status: "timed_out" }
  /** The browser or its session failed; the next try gets a fresh one. */
  | { status: "crashed"; reason: string };

/** HTML to a stored file. The bytes stay on the renderer's side. */
export type Renderer = { render(job: RenderJob): Promise<RenderOutcome> };

export type EventAddress = { accountId: string; eventId: string };

/** The quick way from the outbox to the account's sender. A message may be lost or come twice: the outbox is the truth. */
export type CallbackQueue = { announce(event: EventAddress): Promise<void> };

/** Each account's sender: it attempts deliveries, and knows when the next attempt is due. */
export type CallbackSenders = {
  /** Idempotent. Resolves when the events are in the sender's keeping; rejects when some may not be. */
  handOver(accountId: string, eventIds: string[]): Promise<void>;
};

/** An event with how its delivery stands. */
export type PendingCallback = CallbackEvent & { delivery: Delivery };
export type DeliveryReport = { eventId: string; delivery: Delivery };
export type CallbackRow = Omit<PendingCallback, "payload">;

/** The outbox: every event ever made, and how its delivery stands. */
export type CallbackStore = {
  /** Those of the events that are pending. */
  pending(accountId: string, eventIds: string[]): Promise<PendingCallback[]>;
  /** What the sender says; from then on the event is in its keeping. A report of an earlier round changes nothing. */
  report(accountId: string, reports: DeliveryReport[]): Promise<void>;
  /** Pending events that should be in a sender's keeping by now and are not, oldest first, by account. */
  overdue(nowMs: number, limit: number): Promise<Map<string, string[]>>;
  /** Their sender cannot be reached: they are overdue again at `until`, so that others have their turn. */
  putOff(accountId: string, eventIds: string[], until: number): Promise<void>;
  /** Newest first, for the operator. */
  list(accountId: string, status?: CallbackStatus): Promise<CallbackRow[]>;
  /** A new round of attempts, whatever the last one came to. False when there is no such event. */
  redeliver(eventId: string, nowMs: number): Promise<boolean>;
};

/** The keys that an account's callbacks are signed with. */
export type WebhookSecretStore = {
  /** Those valid now, newest first; one, and for a while after a rotation two. */
  valid(accountId: string, nowMs: number): Promise<string[]>;
  /** Adds the newest; the one before stays valid until `overlapEnd`, older ones end at once. */
  rotate(accountId: string, secret: string, times: { nowMs: number; overlapEnd: number }): Promise<void>;
};

export type CallbackRequest = { url: string; headers: Record<string, string>; body: string };
/** Never rejects: no answer in time is one of the outcomes. */
export type CallbackTransport = {
  post(request: CallbackRequest): Promise<Omit<CallbackAttempt, "at" | "durationMs"> & { retryAfter: string | null }>;
};

export type FetchedImage =
  | { status: "fetched"; bytes: Uint8Array }
  | { status: "redirected"; location: string }
  /** `reason` is for the caller. */
  | { status: "failed"; reason: string };

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
  /** Which URLs callbacks may go to. */
  callbackUrls: UrlRules;
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
  callbackQueue: CallbackQueue;
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
export type RecordServices = Pick<Services, "documents" | "callbackQueue" | "now" | "log" | "background"> & {
  settings: Pick<Settings, "cdnUrl">;
};

/** What a delivery uses. */
export type DeliveryServices = Pick<Services, "now" | "log"> & {
  callbacks: CallbackStore;
  secrets: WebhookSecretStore;
  transport: CallbackTransport;
  callbackUrls: UrlRules;
  /** From 0 to 1. */
  random(): number;
};

/** What the queue and the clock use to bring events to their senders. */
export type HandOverServices = Pick<Services, "now" | "log"> & {
  callbacks: Pick<CallbackStore, "overdue" | "putOff">;
  senders: CallbackSenders;
};
