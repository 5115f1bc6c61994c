// Ports for batches and for documents that are rendered after the response to their create.
import type { RenderRequest } from "colophon-render/plan-render";
import type { ImageSource } from "colophon-render/render-services";
import type { Template } from "colophon-template-model/template";
import type { Hold, IdempotencyKey } from "../core/accounts/quota.ts";
import type { Acceptance, AcceptRequest, BatchState, ItemChunk, ItemState, Origin } from "../core/batches/batch.ts";
import type { Faults } from "../core/batches/render-faults.ts";
import type { Listed, Page } from "../core/pagination.ts";

/** A document with its row and its hold, and everything needed to render it. `sealed` is its encryption; see `sealEncryption`. */
export type QueuedDocument = { hold: Hold; template: Template; request: RenderRequest; at: Origin; sealed?: string };

/** The status of an idempotency key of batches. */
export type KnownBatch =
  | { status: "unknown" }
  | { status: "other_body" | "in_progress" | "deleted" }
  | { status: "known"; state: BatchState };

/** The batches and queued documents of all accounts. Each account has an object that stores and renders them. */
export type Batches = {
  /**
   * Records that items of a batch are about to be stored, so that they are removed if it is not accepted. Idempotent.
   */
  open(accountId: string, batchId: string): Promise<void>;
  /** Holds the renders of the batch and begins it, or does nothing and returns why. May be repeated. */
  accept(accountId: string, request: AcceptRequest): Promise<Acceptance>;
  /** Removes the data stored for a batch that has not been accepted. Idempotent. */
  drop(accountId: string, batchId: string): Promise<void>;
  lookUpKey(accountId: string, idempotency: IdempotencyKey): Promise<KnownBatch>;
  /** The batch; null when the account has no such batch. */
  find(accountId: string, batchId: string): Promise<BatchState | null>;
  list(accountId: string, page: Page): Promise<Listed<BatchState>>;
  /** The items from `from` on, at most `limit`, in order; null when the account has no such batch. */
  results(accountId: string, batchId: string, from: number, limit: number): Promise<ItemState[] | null>;
  /** Cancels the items that have not begun to render. Idempotent; null when the account has no such batch. */
  cancel(accountId: string, batchId: string): Promise<BatchState | null>;
  /** Ends all links to the merged files; false when the account has no such batch. */
  endLinks(accountId: string, batchId: string): Promise<boolean>;
  /** Removes an ended batch with its data, results and merged files. */
  remove(accountId: string, batchId: string): Promise<"removed" | "not_ended" | "not_found">;
  /** Renders the document later. `too_many` if too many of the account's renders are waiting. May be repeated. */
  enqueue(accountId: string, document: QueuedDocument): Promise<"queued" | "too_many">;
};

/** The private data of batches. */
export type BatchFiles = {
  /** Begins to store `length` bytes. `finish` rejects unless all were written; `abort` discards them. */
  upload(accountId: string, batchId: string, length: number): ItemUpload;
  /** Returns the lines of a chunk of items. */
  readItems(accountId: string, batchId: string, chunk: ItemChunk): Promise<string>;
  /** Keeps the content of the template's version for the batch, because the template may be deleted. */
  keepTemplate(accountId: string, batchId: string, template: Template): Promise<void>;
  /** Removes everything that was stored for the batch. Idempotent. */
  remove(accountId: string, batchId: string): Promise<void>;
};

export type ItemUpload = {
  write(bytes: Uint8Array): Promise<void>;
  finish(): Promise<void>;
  abort(): Promise<void>;
};

/** The batch to which an object in a bucket belongs. */
export type BatchOwner = { accountId: string; batchId: string };

/** The public merged files. */
export type MergedFiles = {
  /**
   * Stores the parts under the key, replacing any existing file. Returns the size in bytes. Without parts, stores no file and returns
   * 0.
   */
  put(fileKey: string, parts: AsyncIterable<Uint8Array>, owner: BatchOwner): Promise<number>;
  exists(fileKey: string): Promise<boolean>;
  remove(fileKeys: string[]): Promise<void>;
};

/** The images of renders that share the connections of one object. */
export type SharedImages = ImageSource & {
  /**
   * Waits for the connections that these images need. They must be released. Null if they do not become free in time.
   */
  connect(accountId: string, urls: string[]): Promise<{ release(): void } | null>;
};

/**
 * An item that was claimed from its batch to be rendered. If `isAlone`, it has crashed the browser, and nothing may run at the same time.
 * `sealed` is its encryption; see `sealEncryption`.
 */
export type ClaimedItem = Tries & { batchId: string; index: number; isAlone: boolean; sealed?: string };

/** `isLarge` is whether its data take much memory. */
export type ClaimedDocument = Tries & { document: QueuedDocument; queuedAt: number; isLarge: boolean };

/**
 * The number of earlier tries of a render, of tries during which the object ended, and of tries in which the service had a
 * fault.
 */
export type Tries = Faults & { tries: number; interruptions: number };
