// The services that operations receive: the ports of each use case, the settings, the clock and the log.
import type { Log } from "colophon-base/log";
import type { UrlRules } from "colophon-base/public-url";
import type { FontCatalog } from "colophon-render/font-library";
import type { ImageSource, Renderer, RenderMemory, SliceScheduler } from "colophon-render/render-services";
import type { PlanName } from "../core/accounts/plans.ts";
import type { BatchLimits, Origin } from "../core/batches/batch.ts";
import type { StageClock } from "../core/observation/stage-clock.ts";
import type { EncryptionKeys, SecretCipher } from "../core/webhooks/secret-encryption.ts";
import type {
  AccountStore,
  AuditLog,
  BatchQuota,
  EarlyRenders,
  KeyDirectory,
  Owners,
  Quota,
  RateLimits,
} from "./accounts.ts";
import type { BatchFiles, Batches, MergedFiles, SharedImages } from "./batches.ts";
import type { DocumentStore, DownloadLog, FileStore, UsageDays } from "./documents.ts";
import type {
  AccountArchive,
  AccountObjects,
  AccountTransfer,
  FileArchive,
  PassStore,
  Shard,
  ShardArchives,
  TemplateArchive,
} from "./maintenance.ts";
import type { TemplateCatalog, TemplateStore } from "./templates.ts";
import type { WebhookQueue, WebhookSecretStore, WebhookSenders, WebhookStore, WebhookTransport } from "./webhooks.ts";

/** The settings that operators choose; `wrangler.toml` explains each of them. */
export type Settings = {
  /** The URL of the API. By default, it has the origin of the request. */
  baseUrl: string;
  /** The base URL of the files. */
  cdnUrl: string;
  leaseMs: number;
  renderBudgetMs: number;
  /** The maximum number of renders of one account in flight at the same time, by plan. */
  rendersInFlight: Record<PlanName, number>;
  batchLimits: BatchLimits;
  /** How long a batch is kept with its data, its results and its merged files. */
  batchRetentionMs: number;
  webhookUrls: UrlRules;
  imageUrls: UrlRules;
  /** The secret that the deep health check requires. Null switches that check off. */
  healthSecret: string | null;
  /** The operator's API key. Null if there is none; then nobody can act as the operator. */
  operatorKey: string | null;
};

/** Everything that an operation may use. */
export type Services = {
  keys: KeyDirectory;
  /** Null if the operator has switched the limits off. */
  rateLimits: RateLimits | null;
  templates: TemplateCatalog;
  documents: DocumentStore;
  downloads: DownloadLog;
  files: FileStore;
  quota: Quota;
  earlyRenders: EarlyRenders;
  batches: Batches;
  batchFiles: BatchFiles;
  /** The origin and region of the request. */
  origin: Origin;
  renderer: Renderer;
  memory: RenderMemory;
  slices: SliceScheduler;
  webhookQueue: WebhookQueue;
  images: ImageSource;
  fonts: FontCatalog;
  health: { parts: HealthParts };
  settings: Settings;
  /** The keys from which others are derived. Throws if the service has none. */
  encryptionKeys(): EncryptionKeys;
  /** Encrypts the passwords of documents that wait to be rendered. */
  passwords: SecretCipher;
  /** The current time in ms since the epoch. */
  now(): number;
  /** A random UUID. */
  newId(): string;
  log: Log;
  /** Runs the work and counts its time for a stage of the request. */
  measure: StageClock["measure"];
  /** Lets `work` continue after the response has been sent. If `work` fails, the log entry contains `what`. */
  background(what: string, work: Promise<unknown>): void;
};

/** The services needed to make links to files. */
export type LinkServices = Pick<Services, "encryptionKeys" | "now">;

export type PlanServices = Pick<Services, "now" | "newId"> & {
  templates: Pick<TemplateCatalog, "find" | "findVersion">;
  settings: Pick<Settings, "imageUrls" | "renderBudgetMs">;
};

/** The services needed to settle holds and interrupted deletes. */
export type SettlementServices = RecordServices & Pick<Services, "files" | "now">;

/** The services that an account's quota object needs. */
export type QuotaServices = SettlementServices & {
  /** The number of documents that the account has ever completed, by month. Never stale: read from the primary database. */
  completedByMonth(accountId: string): Promise<Record<string, number>>;
};

/** The services needed to render a document after the response to its request. */
export type QueueServices = Omit<
  Services,
  | "keys"
  | "rateLimits"
  | "downloads"
  | "quota"
  | "earlyRenders"
  | "batches"
  | "batchFiles"
  | "health"
  | "origin"
  | "images"
> & { images: SharedImages };

/** The services that the object with an account's batches needs. */
export type BatchServices = Pick<
  Services,
  "now" | "log" | "background" | "webhookQueue" | "documents" | "files" | "batchFiles"
> & {
  quota: BatchQuota;
  mergedFiles: MergedFiles;
  webhooks: Pick<WebhookStore, "insert">;
  settings: Pick<Settings, "leaseMs" | "renderBudgetMs" | "batchLimits">;
  /** Returns the number of renders that one object runs in parallel when this many items and documents wait. */
  rendersAtOnce(waiting: number): number;
  /** Returns the services for renders whose requests have this origin. */
  servicesFor(origin: Origin): QueueServices;
};

export type RecordServices = Pick<Services, "documents" | "webhookQueue" | "now" | "log" | "background">;

export type DeliveryServices = LinkServices & {
  log: Log;
  /** For links to private files. */
  documents: Pick<DocumentStore, "find">;
  batches: Pick<Batches, "find">;
  webhooks: Pick<WebhookStore, "pending" | "report">;
  secrets: Pick<WebhookSecretStore, "valid">;
  transport: WebhookTransport;
  webhookUrls: UrlRules;
  random(): number;
};

/** The services that the queue consumer and the scheduled run need to dispatch events to their senders. */
export type DispatchServices = Pick<Services, "now" | "log"> & { senders: WebhookSenders };

export type MaintenanceServices = DispatchServices & {
  /** In the order of their numbers. */
  shards: Shard[];
  shardOf(accountId: string): Promise<ShardArchives>;
  files: FileArchive;
  accounts: AccountArchive;
  templates: TemplateArchive;
  objects: AccountObjects;
  batches: Pick<Batches, "list" | "find" | "cancel">;
  passes: PassStore;
  /** Delivered webhook events are kept for `deliveredRetentionMs` after their creation. */
  settings: Pick<Settings, "leaseMs"> & { deliveredRetentionMs: number };
};

export type ShardServices = MaintenanceServices & Shard;

/** The services that change accounts, keys, templates and webhooks. */
export type OperatorServices = Pick<Services, "now" | "newId"> & {
  accounts: AccountStore;
  audit: AuditLog;
  templates: TemplateStore;
  webhooks: WebhookStore;
  secrets: WebhookSecretStore;
  archive: AccountArchive;
  usageDays: UsageDays;
  transfer: AccountTransfer;
  owners: Owners;
};

/** Checks of the parts that the service depends on. A check changes nothing, and rejects if its part fails or misses a deadline. */
export type HealthParts = {
  /** Returns the id of the deployed version of the Worker that responds. */
  worker(): Promise<string>;
  /**
   * Returns the id of the version that a browser pool runs. For a while after a deployment, it is the previous version.
   */
  pool(): Promise<string>;
  /** The directory, which is also shard 0. The other shards are `database_1` and so on. */
  database(): Promise<void>;
  /** The bucket of the public rendered files. */
  files(): Promise<void>;
  /** The bucket of the private rendered files. */
  privateFiles(): Promise<void>;
  /** The bucket of the template contents. */
  templates(): Promise<void>;
  webhookQueue(): Promise<void>;
  /** Returns the version of the browser, e.g. `HeadlessChrome/128.0.6613.84`. Starts a browser if none is open. */
  browser(): Promise<string>;
};
