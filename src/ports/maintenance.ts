// Ports for the scheduled maintenance: repair, retention, and the removal of whole accounts. Unlike the ports of
// requests, they see all accounts.
import type { StoredDocument } from "../core/documents/document.ts";
import type { AccountObject, Repair, RepairPosition } from "../core/maintenance/repair.ts";
import type { PendingWebhook } from "../core/webhooks/webhook-event.ts";
import type { BatchOwner } from "./batches.ts";

/** The properties of a document that concern its file. */
export type DocumentFile = {
  id: string;
  accountId: string;
  fileKey: string;
  status: StoredDocument["status"];
  completedAt: number | null;
  expiresAt: number | null;
};

export type DocumentArchive = {
  /** Documents that expired at `nowMs` or earlier, earliest expiry first, except those of accounts in `except`. */
  expired(nowMs: number, except: string[], limit: number): Promise<DocumentFile[]>;
  /** Documents whose file key is greater than `after`, in the order of file keys. */
  byFileKey(after: string, limit: number): Promise<DocumentFile[]>;
  /** Documents of the account, in any order. */
  ofAccount(accountId: string, limit: number): Promise<DocumentFile[]>;
  /** Removes the rows of these documents. Idempotent. */
  remove(ids: string[]): Promise<void>;
  /** Marks a completed document as failed, because its file is missing. Its render stays counted. Idempotent. */
  markFileLost(accountId: string, id: string): Promise<void>;
  /** Removes up to `limit` records of downloads before this time, in ms since the epoch, and returns their number. */
  removeDownloads(before: number, limit: number): Promise<number>;
  /** The size of the whole shard in bytes. */
  databaseBytes(): Promise<number>;
};

/** `storedAt` is in ms since the epoch. `batch` is a merged file's batch, and null for other files. */
export type ListedFile = { key: string; storedAt: number; batch: BatchOwner | null };

export type FileArchive = {
  /**
   * Files whose key is greater than `after`, in key order. `isLast` is true if no files follow, even if there are fewer than
   * `limit`.
   */
  list(after: string, limit: number): Promise<{ files: ListedFile[]; isLast: boolean }>;
  exists(key: string): Promise<boolean>;
  /** Removes the files. Idempotent. */
  remove(keys: string[]): Promise<void>;
};

export type EventArchive = {
  /**
   * The ids of pending events that no sender has reported on in time, by account, the longest overdue first.
   */
  overdue(nowMs: number, limit: number): Promise<Map<string, string[]>>;
  /**
   * Examines the next `limit` events after the row `after`, in insertion order, and returns the ones whose delivery has ended and
   * that were created before the time for their status, in ms since the epoch. `next` is null if no older event can follow.
   */
  ended(
    before: Record<"delivered" | "dead", number>,
    after: number,
    limit: number,
  ): Promise<{ events: { id: string; accountId: string }[]; next: number | null }>;
  /** Events of the account whose id is greater than `after`, in the order of ids. */
  ofAccount(accountId: string, after: string, limit: number): Promise<PendingWebhook[]>;
  /** Removes the events together with their attempts. Idempotent. */
  remove(events: { id: string; accountId: string }[]): Promise<void>;
};

/** The documents and events of the accounts in one shard. Calls about one shard work when a different one is down. */
export type ShardArchives = { documents: DocumentArchive; events: EventArchive };
export type Shard = ShardArchives & { number: number };

/** An object of the private bucket: a batch's data, or the content of a template's version. */
export type StoredContent = { key: string; storedAt: number };

export type TemplateArchive = {
  /** Removes all templates of the account, with all versions and contents. Idempotent. */
  removeAll(accountId: string): Promise<void>;
  /** Objects of the private bucket whose key is greater than `after`, in key order; see `FileArchive`. */
  list(after: string, limit: number): Promise<{ contents: StoredContent[]; isLast: boolean }>;
  /** Returns the given template contents that no version uses. */
  unused(contents: StoredContent[]): Promise<StoredContent[]>;
  /** Idempotent. */
  removeContents(keys: string[]): Promise<void>;
};

export type AccountArchive = {
  /**
   * The ids of the next `limit` accounts, in order, including accounts that are being deleted, and the ids of their test documents if they
   * have any. Ids come after `after`.
   */
  ids(after: string, limit: number): Promise<string[]>;
  /**
   * Marks the account as deleted at `nowMs`, so that its keys are refused and commands no longer find it. Returns the time of the
   * first mark, or null when there is no such account.
   */
  markDeleted(id: string, nowMs: number): Promise<number | null>;
  /** When the account was marked as deleted; null if it is not marked. */
  deletedAt(id: string): Promise<number | null>;
  /** The ids of accounts that are marked as deleted but still have data. Accounts in the shards `last` come last. */
  deleted(limit: number, last: number[]): Promise<string[]>;
  /** Removes the account with its keys, secrets and counts. All other data must already be removed. Idempotent. */
  remove(id: string): Promise<void>;
};

/** The maintenance methods of each account's objects. */
export type AccountObjects = {
  /** Settles everything that is overdue in the object, and returns the repairs. Idempotent. */
  repair(accountId: string, object: AccountObject): Promise<Repair[]>;
  /** Ends the account's batches and queued documents after the renders in progress have ended. Idempotent. */
  stopBatches(accountId: string): Promise<void>;
  /** The number of the account's holds and file removals that have not been settled yet. */
  unsettled(accountId: string): Promise<number>;
  /** Deletes the storage and the alarms of the other objects. Idempotent. */
  destroy(accountId: string): Promise<void>;
};

/** `position` is null between passes. `finishedAt`, in ms since the epoch, is null before the first pass has ended. */
export type PassState = { position: RepairPosition | null; finishedAt: number | null };

/** `scheduled` is the daily repair pass. `events` is the removal of old events in shard 0, which has no `finishedAt`; shards have their own. */
export type PassName = "scheduled" | "events" | `events-${number}`;

/** The positions of the scheduled passes, so that they continue after a restart. */
export type PassStore = {
  read(name: PassName): Promise<PassState>;
  save(name: PassName, state: PassState): Promise<void>;
};

/** The progress of removing a deleted account. */
export type AccountRemoval =
  /** Requests with the account's keys may still be running until `until`, in ms since the epoch. */
  | { status: "waiting"; until: number }
  /** Some of the data has been removed. */
  | { status: "removing" }
  | { status: "removed" };

export const transferredTables = ["accounts", "templates", "templateVersions", "documents", "documentCounts"] as const;
export type TransferredTable = (typeof transferredTables)[number];
export type TransferredRow = { table: TransferredTable; row: Record<string, unknown> };

export const transferBuckets = ["files", "templates"] as const;
export type TransferBucket = (typeof transferBuckets)[number];

/** The metadata of an object, except properties that can be derived from its key. */
export type ObjectMetadata = Record<string, string>;

/** A body that arrives in parts; `bytes` is their total size. */
export type SizedBody = { bytes: number; parts: AsyncIterable<Uint8Array> };

/** Moves accounts between instances. */
export type AccountTransfer = {
  /** The next rows of the account; `cursor` is null for the first rows, and `nextCursor` after the last ones. */
  read(accountId: string, cursor: string | null): Promise<{ rows: TransferredRow[]; nextCursor: string | null }>;
  /**
   * Writes at most 200 rows of the account; existing rows stay as they are. Returns the number of written rows, or the problem of
   * one row, in which case none are written.
   */
  write(accountId: string, rows: TransferredRow[], shard: number): Promise<number | { problem: string }>;
  readObject(bucket: TransferBucket, key: string): Promise<{ body: ReadableStream; metadata: ObjectMetadata } | null>;
  /** An existing object stays as it is. If `body.parts` fails, rejects with its error and stores nothing. */
  writeObject(bucket: TransferBucket, key: string, body: SizedBody, metadata: ObjectMetadata): Promise<void>;
};
