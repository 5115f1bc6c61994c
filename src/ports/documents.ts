// Ports for documents and their files.
import type { StoredFile } from "colophon-render/file-metadata";
import type {
  ByteRange,
  DocumentStatus,
  Download,
  InsertOutcome,
  StoredDocument,
  DocumentFilter,
} from "../core/documents/document.ts";
import type { Listed, Page } from "../core/pagination.ts";
import type { WebhookEvent } from "../core/webhooks/webhook-event.ts";

/** The documents of all accounts; each method except `insert` sees only the documents of one account. */
export type DocumentStore = {
  /**
   * Inserts the document and its event in one transaction, which is the only D1 write of a create. Also stores the outcome of a document
   * that was processing. Changes nothing if a document with this id has ended with a different outcome, or was deleted; the result says
   * which. A repeat of the same insert counts as inserted. A full database is also a result, because then it is certain that nothing was
   * stored.
   */
  insert(document: StoredDocument, event?: WebhookEvent): Promise<InsertOutcome>;
  /** The document; null when the account has no such document. */
  find(accountId: string, id: string): Promise<StoredDocument | null>;
  /**
   * The matching documents. A page may contain fewer documents than its limit although the list continues, because a
   * search ends after a bounded time.
   */
  list(accountId: string, filter: DocumentFilter, page: Page): Promise<Listed<StoredDocument>>;
  /** Removes the document, if it has this status; false when there was no such document. Idempotent. */
  remove(accountId: string, id: string, status?: DocumentStatus): Promise<boolean>;
  /** What links to these documents need, by id, for the documents that exist. */
  linked(accountId: string, ids: string[]): Promise<Map<string, LinkedDocument>>;
  /** Ends all links to the document; false when there is no such document. */
  endLinks(accountId: string, id: string): Promise<boolean>;
};

export type LinkedDocument = Pick<StoredDocument, "accountId" | "id" | "expiresAt" | "linkSeconds" | "linkEpoch">;

/** Rendered files by their key. Only the renderer writes them. */
export type FileStore = {
  /** The size and the digest of a file; null when there is no such file. */
  metadata(key: string): Promise<StoredFile | null>;
  /** The bytes of `range`, or the whole file without `range`; null when there is no such file. */
  get(key: string, range?: ByteRange): Promise<{ body: ReadableStream } | null>;
  /** Removes the file, if there is one. Idempotent. */
  remove(key: string): Promise<void>;
};

/** Who has downloaded documents of accounts with `recordDownloads`. */
export type DownloadLog = {
  /** Whether the account has the setting. A change may take up to ten seconds to become visible. */
  isOn(accountId: string): Promise<boolean>;
  /**
   * Records the download, and removes the document's oldest ones beyond the maximum. Changes nothing if the document has been deleted, or
   * has a download in the minute before by the same key, or by any link, from the same country. Idempotent.
   */
  record(download: Download): Promise<void>;
  /** The document's downloads that have not expired, newest first, then by id. */
  list(accountId: string, documentId: string, page: Page, nowMs: number): Promise<Listed<Download>>;
};

/** The number of an account's documents for one UTC day and one template. */
export type UsageDay = { day: string; templateId: string; completed: number; failed: number };

/** Returns the days from `from` on, before `until`, newest first. Times are in ms since the epoch. */
export type UsageDays = (accountId: string, from: number, until: number) => Promise<UsageDay[]>;
