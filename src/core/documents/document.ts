// A document as it is stored, with its downloads, and the record that the API returns. Times are in ms since the epoch.
import { dayMs } from "colophon-base/calendar-day";
import { base64Url } from "colophon-base/encoding";
import { documentFormats, extensionOf, type DocumentFormat } from "colophon-page/document-format";
import type { Conformance } from "colophon-pdf/conformance";
import type { PixelSize } from "colophon-render/file-metadata";
import type { Access } from "colophon-template-model/template";
import { isTestAccountId } from "../accounts/account.ts";
import type { ShownError } from "../shown-error.ts";
import type { FileLink } from "./links.ts";

export const documentStatuses = ["processing", "completed", "failed"] as const;
export type DocumentStatus = (typeof documentStatuses)[number];
/** The statuses of a document whose render has ended. They never change, except when a repair finds that a file was lost. */
export type EndedStatus = Exclude<DocumentStatus, "processing">;

/** The pairs that a caller has attached to a document. The service stores them, and filters lists by them. */
export type DocumentMetadata = Record<string, string>;

/**
 * The properties of a document that are known before it is rendered. Times are in ms since the epoch. Lengths are in
 * CSS pixels.
 */
export type DocumentDraft = {
  id: string;
  accountId: string;
  templateId: string;
  templateVersion: number;
  format: DocumentFormat;
  width: number;
  /** Null if the height is "auto", which is known only after the page is rendered. */
  height: number | null;
  deviceScaleFactor: number;
  /** From 1 to 100; null if the format has no quality setting. */
  imageQuality: number | null;
  /** The file's name in the bucket. It has 256 random bits, because anyone who knows the name of a public file can read it. */
  fileKey: string;
  /** The month whose quota the render uses, e.g. `2026-11`, even if the render ends in the next month. */
  month: string;
  createdAt: number;
  /** When the document and its file are removed; null if they are kept until they are deleted. */
  expiresAt: number | null;
  /** The file name of a download, with its extension; null for the default name. */
  filename: string | null;
  metadata: DocumentMetadata;
  /** The batch that the document belongs to; null if it was created individually. */
  batchId: string | null;
  /** How long a link to the file is valid by default, in seconds, if the request has said so. */
  linkSeconds?: number | null;
  /** Links with a different number have been ended. Without it, 0. */
  linkEpoch?: number;
};

/** A document whose render continues after the response to its create. */
export type ProcessingDocument = DocumentDraft & { status: "processing" };

export type CompletedDocument = DocumentDraft & {
  status: "completed";
  height: number;
  completedAt: number;
  pageCount: number;
  /** In bytes. */
  fileSize: number;
  sha256: string;
  imageSize: PixelSize | null;
  /** The standards that the file conforms to; absent if none was asked for. */
  conformance?: readonly Conformance[];
  warnings: string[];
};

export type FailedDocument = DocumentDraft & {
  status: "failed";
  error: ShownError;
};

export type EndedDocument = CompletedDocument | FailedDocument;
export type StoredDocument = ProcessingDocument | EndedDocument;

/** The result of a create. */
export type Creation = {
  /** It is `processing` only if the request asked for an asynchronous create, or repeats one that did. */
  document: CompletedDocument | ProcessingDocument;
  /** True if the request repeats an earlier one with the same idempotency key, and so neither renders nor counts. */
  isReplay: boolean;
  /** The number of renders in the month that are committed or held, including this one. Null for a replay. */
  used: number | null;
};

export type DocumentRecord = ReturnType<typeof documentRecord>;

/** A private document has no URL without `link`. */
export function documentRecord(document: StoredDocument, cdnUrl: string, link: FileLink | null = null) {
  const completed = document.status === "completed" ? document : null;
  const access = accessOf(document.fileKey);
  const fileUrl = access === "private" ? (link?.url ?? null) : completed && `${cdnUrl}/${document.fileKey}`;
  return {
    id: document.id,
    templateId: document.templateId,
    status: document.status,
    format: document.format,
    pdfUrl: fileUrl,
    fileUrl,
    createdAt: new Date(document.createdAt).toISOString(),
    completedAt: completed ? new Date(completed.completedAt).toISOString() : null,
    expiresAt: document.expiresAt === null ? null : new Date(document.expiresAt).toISOString(),
    filename: document.filename,
    metadata: document.metadata,
    batchId: document.batchId,
    isTest: isTestAccountId(document.accountId),
    templateVersion: document.templateVersion,
    width: document.width,
    height: document.height,
    deviceScaleFactor: document.deviceScaleFactor,
    imageQuality: document.imageQuality,
    pixelWidth: completed?.imageSize?.width ?? null,
    pixelHeight: completed?.imageSize?.height ?? null,
    pageCount: completed?.pageCount ?? null,
    fileSize: completed?.fileSize ?? null,
    sha256: completed?.sha256 ?? null,
    ...(completed?.conformance && { conformance: [...completed.conformance] }),
    warnings: completed?.warnings ?? [],
    error: document.status === "failed" ? document.error : null,
    ...(access === "private" && { access, linkExpiresAt: link?.expiresAt ?? null }),
  };
}

const privateFolder = "private/";

/** Returns a new file key: 256 random bits and the extension, e.g. `q83v…Zk.pdf`, or `private/q83v…Zk.pdf`. */
export function newFileKey(format: DocumentFormat, access: Access = "public"): string {
  return withAccess(`${base64Url(crypto.getRandomValues(new Uint8Array(32)))}.${extensionOf(format)}`, access);
}

/** Returns the key under which a file with this access is stored. */
export function withAccess(name: string, access: Access): string {
  return access === "private" ? privateFolder + name : name;
}

/** Returns who can read the file with this key: anyone who knows the key, or only holders of an API key or a link. */
export function accessOf(fileKey: string): Access {
  return fileKey.startsWith(privateFolder) ? "private" : "public";
}

/**
 * Returns the format of the file with this key, or null if no file can have the key. Invalid keys are not looked up, because
 * the store throws for some of them.
 */
export function formatOfFileKey(key: string): DocumentFormat | null {
  const extension = /^(?:private\/)?[A-Za-z0-9_-]{43}\.([a-z]+)$/.exec(key)?.[1];
  return documentFormats.find((format) => extensionOf(format) === extension) ?? null;
}

/** Returns whether a key names a merged file of a batch. No document's file has such a key. */
export function isMergedFileKey(key: string): boolean {
  return /^(?:private\/)?[A-Za-z0-9_-]{43}\.merged\.pdf$/.test(key);
}

export type InsertOutcome =
  | { status: "inserted" }
  | { status: "existing"; document: StoredDocument }
  /** A document with this id was deleted earlier, so nothing was inserted. */
  | { status: "deleted"; wasCompleted: boolean }
  /** The database has reached its maximum size, so nothing was inserted. */
  | { status: "full" };

/** A range of a file, in bytes. */
export type ByteRange = { offset: number; length: number };

/** The conditions of a list of documents, all of which must be met. Times are in ms since the epoch. */
export type DocumentFilter = {
  status?: DocumentStatus | undefined;
  format?: DocumentFormat | undefined;
  templateId?: string | undefined;
  batchId?: string | undefined;
  /** Documents created at this time or later. */
  createdAfter?: number | undefined;
  /** Documents created before this time. */
  createdBefore?: number | undefined;
  /** Documents with all of these pairs among their metadata. */
  metadata?: DocumentMetadata | undefined;
};

export const downloadRetentionMs = 90 * dayMs;
/** The maximum number of downloads that are kept for each document. */
export const maxDownloads = 1_000;

/**
 * A recorded download of a document's file. `keyId` is the id of a key, or `operator`; null for a link. `country` has two letters, and is
 * null if it is unknown.
 */
export type Download = {
  id: string;
  accountId: string;
  documentId: string;
  createdAt: number;
  keyId: string | null;
  country: string | null;
};
