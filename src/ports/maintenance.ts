// Ports for the scheduled maintenance: repair, retention, and the removal of whole accounts. Unlike the ports of
// requests, they see all accounts.
import type { AccountObject, Repair, RepairPosition } from "../core/maintenance/repair.ts";
import type { StoredDocument } from "../core/documents/document.ts";
import type { BatchOwner } from "./batches.ts";
import type { PendingWebhook } from "../core/webhooks/webhook-event.ts";

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
  /**
   * Documents that expired at `nowMs` or earlier, without documents of the accounts in `except`. The document that expired first comes
   * first. The home regions of their accounts are then known.
   */
  expired(nowMs: number, except: string[], limit: number): Promise<DocumentFile[]>;
  /** Documents whose file key is greater than `after`, in the order of their file keys. */
  byFileKey(after: string, limit: number): Promise<DocumentFile[]>;
  /** Documents of the account, in no particular order. */
  ofAccount(accountId: string, limit: number): Promise<DocumentFile[]>;
  /** Removes the rows of these documents. Idempotent. */
  remove(ids: string[]): Promise<void>;
  /** Changes a completed document to a failed one, because its file is gone. Its render stays counted. Idempotent. */
  markFileLost(accountId: string, id: string): Promise<void>;
  /** The size of the whole database in bytes. */
  databaseBytes(): Promise<number>;
};

/** `storedAt` is in ms since the epoch. `batch` is the batch of a merged file, and null for other files. */
export type ListedFile = { key: string; storedAt: number; batch: BatchOwner | null };

export type FileArchive = {
  /**
   * Files whose key is greater than `after`, in the order of their keys. `isLast` is true if there are no files after these, which
   * may be fewer than `limit`.
   */
  list(after: string, limit: number): Promise<{ files: ListedFile[]; isLast: boolean }>;
  exists(key: string): Promise<boolean>;
  /** Removes the files. Idempotent. */
  remove(keys: string[]): Promise<void>;
};

export type EventArchive = {
  /**
   * Those events of the next `limit` ones after the row `after`, in the order of their insertion, whose delivery has ended, and that
   * were created before the time for their status, in ms since the epoch. `next` is null if no older event can follow.
   */
  ended(
    before: Record<"delivered" | "dead", number>,
    after: number,
    limit: number,
  ): Promise<{ events: { id: string; accountId: string }[]; next: number | null }>;
  /** Events of the account whose id is greater than `after`, in the order of their ids. */
  ofAccount(accountId: string, after: string, limit: number): Promise<PendingWebhook[]>;
  /** Removes the events together with their attempts. Idempotent. */
  remove(events: { id: string; accountId: string }[]): Promise<void>;
};

/** An object of the private bucket: the data of a batch, or the content of a template's version. */
export type StoredContent = { key: string; storedAt: number };

export type TemplateArchive = {
  /** Removes all templates of the account, with all versions and contents. Idempotent. */
  removeAll(accountId: string): Promise<void>;
  /** Objects of the private bucket whose key is greater than `after`, in the order of their keys; see `FileArchive`. */
  list(after: string, limit: number): Promise<{ contents: StoredContent[]; isLast: boolean }>;
  /** Returns the given contents of templates that no version has. */
  unused(contents: StoredContent[]): Promise<StoredContent[]>;
  /** Idempotent. */
  removeContents(keys: string[]): Promise<void>;
};

export type AccountArchive = {
  /** The ids of accounts that are greater than `after`, in order, including accounts that are being deleted and ids of test keys. */
  ids(after: string, limit: number): Promise<string[]>;
  /**
   * Marks the account as deleted at `nowMs`, so that its keys are refused and commands no longer find it. Returns the time of the
   * first mark, or null when there is no such account.
   */
  markDeleted(id: string, nowMs: number): Promise<number | null>;
  /** When the account was marked as deleted; null when no account with this id is marked. */
  deletedAt(id: string): Promise<number | null>;
  /** The ids of accounts that are marked as deleted, but still have data. */
  deleted(limit: number): Promise<string[]>;
  /** Removes the account with its keys, secrets and counts. The account must have nothing else. Idempotent. */
  remove(id: string): Promise<void>;
};

/** The maintenance methods of each account's objects. */
export type AccountObjects = {
  /** Settles the holds of completed documents, so that their renders count. Those that are settled stay unchanged. Idempotent. */
  commit(accountId: string, documentIds: string[]): Promise<void>;
  /** Settles everything that is overdue in the object, and returns the repairs. Idempotent. */
  repair(accountId: string, object: AccountObject): Promise<Repair[]>;
  /** Ends the account's batches and queued documents, once the renders in progress have ended. Idempotent. */
  stopBatches(accountId: string): Promise<void>;
  /** The number of the account's holds and file removals that have not been settled yet. */
  unsettled(accountId: string): Promise<number>;
  /** Deletes everything in the storage of the other objects, and their alarms. Idempotent. */
  destroy(accountId: string): Promise<void>;
};

/** `position` is null between passes. `finishedAt`, in ms since the epoch, is null before the first pass has ended. */
export type PassState = { position: RepairPosition | null; finishedAt: number | null };

/** `scheduled` is the daily repair pass. `events` is the removal of old events, which has no `finishedAt`. */
export type PassName = "scheduled" | "events";

/** The positions of the scheduled passes, so that they continue after a restart. */
export type PassStore = {
  read(name: PassName): Promise<PassState>;
  save(name: PassName, state: PassState): Promise<void>;
};

/** How far the removal of a deleted account has got. */
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

/** The metadata of an object, without the properties that follow from its key. */
export type ObjectMetadata = Record<string, string>;

/** A body that arrives in parts. `bytes` is their total size. */
export type SizedBody = { bytes: number; parts: AsyncIterable<Uint8Array> };

/** Moves accounts between instances. */
export type AccountTransfer = {
  /** The next rows of the account; `cursor` is null for the first ones, and `nextCursor` after the last ones. */
  read(accountId: string, cursor: string | null): Promise<{ rows: TransferredRow[]; nextCursor: string | null }>;
  /**
   * Writes rows of the account, at most 200; those that exist stay as they are. Returns how many were written, or the problem of one
   * row, and then writes none.
   */
  write(accountId: string, rows: TransferredRow[]): Promise<number | { problem: string }>;
  readObject(bucket: TransferBucket, key: string): Promise<{ body: ReadableStream; metadata: ObjectMetadata } | null>;
  /** An object that exists stays as it is. Rejects with the error of `body.parts`, and then stores nothing. */
  writeObject(bucket: TransferBucket, key: string, body: SizedBody, metadata: ObjectMetadata): Promise<void>;
};
