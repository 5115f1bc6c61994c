// The D1 tables of the shards: documents, the data that triggers maintain, and their webhook events. Times are in ms since the epoch. A
// change needs `npm run migration`, like a change of `schema.ts`. The directory has these tables too, because it is shard 0.
import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { documentFormats } from "colophon-page/document-format";
import { documentStatuses } from "../../core/documents/document.ts";

export const documents = sqliteTable(
  "documents",
  {
    id: text().notNull(),
    accountId: text("account_id").notNull(),
    templateId: text("template_id").notNull(),
    templateVersion: integer("template_version").notNull(),
    status: text({ enum: documentStatuses }).notNull(),
    format: text({ enum: documentFormats }).notNull(),
    width: integer().notNull(),
    deviceScaleFactor: integer("device_scale_factor").notNull(),
    fileKey: text("file_key").notNull(),
    /** The UTC month whose quota the render counts against, e.g. `2026-11`. */
    month: text().notNull(),
    createdAt: integer("created_at").notNull(),
    completedAt: integer("completed_at"),
    pageCount: integer("page_count"),
    fileSize: integer("file_size"),
    sha256: text(),
    /** JSON array of strings. */
    warnings: text().notNull().default("[]"),
    /** JSON of `ShownError`. */
    error: text(),
    /** In CSS pixels. Null for a failed document with the height "auto". */
    height: integer(),
    /** When the document is removed with its file; null if it is kept until it is deleted. */
    expiresAt: integer("expires_at"),
    /** The name of a download, with its extension; null for the default name. */
    filename: text(),
    /** JSON object of strings. */
    metadata: text().notNull().default("{}"),
    /** From 1 to 100; null if the format has no quality setting. */
    imageQuality: integer("image_quality"),
    /** The size of an image in device pixels; null for a PDF and for a failed document. */
    pixelWidth: integer("pixel_width"),
    pixelHeight: integer("pixel_height"),
    /** The batch that the document belongs to; null if it was created individually. */
    batchId: text("batch_id"),
    /** JSON array of the standards that the file conforms to; null if none was asked for. */
    conformance: text(),
    /** How long a link to the file is valid by default, in seconds; null for the service's default. */
    linkSeconds: integer("link_seconds"),
    /** Links with a different number have been ended. */
    linkEpoch: integer("link_epoch").notNull().default(0),
  },
  (table) => [
    // The table has no row ids: it stores the documents of an account in the order of lists, so a list reads neighbouring rows.
    primaryKey({ columns: [table.accountId, table.createdAt, table.id] }),
    uniqueIndex("documents_by_id").on(table.id),
    index("documents_by_template").on(table.accountId, table.templateId, table.createdAt, table.id),
    index("documents_by_batch")
      .on(table.accountId, table.batchId, table.createdAt, table.id)
      .where(sql`batch_id IS NOT NULL`),
    // A repair pass compares the documents with the files in the bucket, both in this order.
    index("documents_by_file").on(table.fileKey),
    index("documents_by_expiry")
      .on(table.expiresAt, table.id)
      .where(sql`expires_at IS NOT NULL`),
  ],
);

/**
 * The number of an account's documents. Triggers on `documents` update the numbers in the statement that changes a row, so an
 * insert without effect counts nothing. There is one row for each month and status, so a create writes one row. The table has
 * no row ids.
 */
export const documentCounts = sqliteTable(
  "document_counts",
  {
    accountId: text("account_id").notNull(),
    month: text().notNull(),
    status: text({ enum: documentStatuses }).notNull(),
    /** The number of documents that exist now. */
    stored: integer().notNull(),
    /** The number of documents that ever had this status, including deleted ones. */
    ever: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.month, table.status] })],
);

/**
 * Ids of deleted documents, kept for a day so that a late insert by the create request or the alarm cannot restore a
 * deleted document, and so that the alarm knows whether its render counts. One trigger on `documents` adds ids and removes old
 * ids. Another trigger ignores late inserts. The table has no row ids.
 */
export const deletedDocuments = sqliteTable(
  "deleted_documents",
  {
    id: text().primaryKey(),
    deletedAt: integer("deleted_at").notNull(),
    wasCompleted: integer("was_completed", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [index("deleted_documents_by_age").on(table.deletedAt)],
);

/**
 * Who has downloaded documents of accounts with `recordDownloads`. A trigger on `documents` removes the downloads of a deleted document.
 * The table has no row ids.
 */
export const documentDownloads = sqliteTable(
  "document_downloads",
  {
    id: text().notNull(),
    accountId: text("account_id").notNull(),
    documentId: text("document_id").notNull(),
    createdAt: integer("created_at").notNull(),
    /** The id of a key, or `operator`; null if the file was opened by a link. */
    keyId: text("key_id"),
    /** Two letters (ISO 3166); null if it is unknown. */
    country: text(),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.documentId, table.createdAt, table.id] }),
    index("document_downloads_by_age").on(table.createdAt),
  ],
);

/**
 * The outbox of webhooks and the log of their deliveries. An event is inserted in the same batch as its document, and remains
 * when the document is deleted. Row ids follow the order of creation, so old events are found without an index.
 */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    id: text().notNull(),
    accountId: text("account_id").notNull(),
    documentId: text("document_id").notNull(),
    url: text().notNull(),
    payload: text().notNull(),
    createdAt: integer("created_at").notNull(),
    status: text({ enum: ["pending", "delivered", "dead"] })
      .notNull()
      .default("pending"),
    round: integer().notNull().default(0),
    attempts: integer().notNull().default(0),
    nextAttemptAt: integer("next_attempt_at"),
    /** JSON array of `DeliveryAttempt`, newest first. */
    history: text().notNull().default("[]"),
    /** The time from which the scheduled run dispatches the event; null after the sender has reported on the event. */
    dispatchAt: integer("dispatch_at"),
    /** The number of attempts in all earlier rounds. */
    earlierAttempts: integer("earlier_attempts").notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.id] }),
    index("webhook_events_to_dispatch")
      .on(table.dispatchAt)
      .where(sql`dispatch_at IS NOT NULL`),
  ],
);
