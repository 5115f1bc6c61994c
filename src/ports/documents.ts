// Ports for documents and their files.
import type {
  ByteRange,
  DocumentFilter,
  FileMetadata,
  InsertOutcome,
  StoredDocument,
} from "../core/documents/document.ts";
import type { Page } from "../core/pagination.ts";
import type { WebhookEvent } from "../core/webhooks/webhook-event.ts";

/** The documents of all accounts; each method except `insert` sees only the documents of one account. */
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
