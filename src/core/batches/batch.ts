// A batch: documents of one template that are created by one request and rendered after its response. Times are in ms since the
// epoch.
import type { AttachedFiles } from "colophon-pdf/attachments";
import type { RenderRequest } from "colophon-render/plan-render";
import type { Access, Template } from "colophon-template-model/template";
import type { Retention } from "../accounts/plans.ts";
import type { IdempotencyKey } from "../accounts/quota.ts";
import type { DocumentMetadata } from "../documents/document.ts";
import type { EncryptionRequest } from "../documents/encryption.ts";
import type { FileLink } from "../documents/links.ts";
import type { Region } from "../region.ts";
import type { ShownError } from "../shown-error.ts";

export const batchOutputs = ["documents", "merged"] as const;
export type BatchOutput = (typeof batchOutputs)[number];

/** How documents are merged. With `startOn` "odd", each document begins on an odd page, so that it can be printed on both sides. */
export const startPages = ["any", "odd"] as const;
export type MergedOptions = { startOn: (typeof startPages)[number] };

export const batchStatuses = ["processing", "canceling", "ended"] as const;

/** An item of a batch: its `customId`, and those properties of its document that the batch's options do not have. */
export type BatchItem = AttachedFiles & {
  customId?: string | undefined;
  data: Record<string, unknown>;
  filename?: string | undefined;
  metadata?: DocumentMetadata | undefined;
  encryption?: EncryptionRequest | undefined;
};

/** The properties that all documents of a batch share. */
export type BatchOptions = Omit<RenderRequest, "data" | "encryption" | keyof AttachedFiles> & {
  imageQuality?: number | undefined;
  /** The number of seconds after which each document is removed. */
  expiresIn?: number | undefined;
  /** Once the batch is accepted, the access of all its files, public if it is missing. */
  access?: Access | undefined;
  /** How long links to the files are valid, in seconds. */
  linkExpiresIn?: number | undefined;
};

/**
 * The URL at which a request reached the service, and the request's region. The URLs in responses and webhooks may
 * depend on it.
 */
export type Origin = { origin: string; region: Region };

/** A batch as it was accepted. It never changes. */
export type Batch = {
  id: string;
  accountId: string;
  /** The retention of the account's documents when the batch was accepted. */
  retentionDays: Retention;
  template: Template;
  options: BatchOptions;
  output: BatchOutput[];
  merged: MergedOptions;
  webhookUrl: string | null;
  /** The month whose quota the renders use. */
  month: string;
  createdAt: number;
  /** When the batch is removed, with its data, results and merged files. Its documents expire separately. */
  expiresAt: number;
  /** The URL of the API, and the base URL of files. */
  baseUrl: string;
  cdnUrl: string;
  at: Origin;
  /** 256 random bits in base64url. The ids and file keys of the documents are derived from it. */
  secret: string;
};

/** The template of a batch is kept under a separate id, because the template may be deleted. */
export function keptTemplateId(batchId: string): string {
  return `batches/${batchId}`;
}

/** A range of the stored items: `length` bytes from `offset`. It contains the items from `firstIndex` on, one on each line. */
export type ItemChunk = { firstIndex: number; offset: number; length: number };

/** The request to accept a batch whose items have been validated and stored. */
export type AcceptRequest = {
  batch: Batch;
  /** The `customId` of each item, in their order. */
  customIds: (string | null)[];
  chunks: ItemChunk[];
  /** The encryption of items that have passwords, by their index; see `sealEncryption`. The stored items do not have it. */
  sealed?: Record<number, string>;
  idempotency: IdempotencyKey | null;
  /** The monthly limit of the account. */
  limit: number;
};

export type BatchLimits = {
  /** The maximum number of items in a batch. */
  items: number;
  /** The maximum number of an account's batches that have not ended. */
  openBatches: number;
  /** The maximum number of an account's items and queued documents that have not ended. */
  waitingItems: number;
};

export type MergedFile = { fileKey: string; fileSize: number; pageCount: number };

/** A batch and its progress. */
export type BatchState = {
  batch: Batch;
  status: (typeof batchStatuses)[number];
  /** `completed`, `failed` and `canceled` add up to the items that have ended. */
  counts: { total: number; completed: number; failed: number; canceled: number };
  /** When its first render began; null if none has begun. */
  startedAt: number | null;
  endedAt: number | null;
  files: MergedFile[];
  /** Why it has no merged files, or which documents they lack. */
  warnings: string[];
  /** Links to merged files with a different number have been ended. */
  linkEpoch: number;
};

/** How an item has ended. `documentId` is null if it failed before it became a document. */
export type ItemOutcome =
  | {
      status: "completed";
      documentId: string;
      fileKey: string;
      filename: string | null;
      pageCount: number;
      fileSize: number;
      warnings: string[];
    }
  | { status: "failed"; documentId: string | null; error: ShownError }
  | { status: "canceled" };

/** An item in a list of results. */
export type ItemState = { index: number; customId: string | null; outcome: ItemOutcome | { status: "processing" } };

export type Acceptance =
  | { status: "accepted"; state: BatchState; used: number }
  /** The request repeats an earlier request with the same key. */
  | { status: "known"; state: BatchState }
  | { status: "exhausted"; used: number }
  | { status: "too_many"; limit: "openBatches" | "waitingItems" }
  | { status: "in_progress" | "other_body" | "deleted" };

/** The batch as the API returns it. */
export type BatchRecord = ReturnType<typeof batchRecord>;

/** `links` open the merged files of a private batch. A record without them has no files. */
export function batchRecord(state: BatchState, links: FileLink[] = []) {
  const { batch, status, counts, startedAt, endedAt, warnings } = state;
  const { id, template, options, output, baseUrl, createdAt, expiresAt } = batch;
  const { total, completed, failed, canceled } = counts;
  return {
    id,
    status,
    templateId: template.id,
    templateVersion: template.version,
    format: options.format,
    output,
    counts: { total, processing: total - completed - failed - canceled, completed, failed, canceled },
    createdAt: iso(createdAt),
    startedAt: startedAt === null ? null : iso(startedAt),
    endedAt: endedAt === null ? null : iso(endedAt),
    expiresAt: iso(expiresAt),
    resultsUrl: `${baseUrl}/batches/${id}/results`,
    files: fileRecords(state, links),
    warnings,
    ...(options.access === "private" && { access: options.access }),
  };
}

function fileRecords({ batch: { options, cdnUrl }, files }: BatchState, links: FileLink[]) {
  return files.flatMap(({ fileKey, fileSize, pageCount }, number) => {
    const link = links[number];
    if (options.access === "private" && !link) return [];
    const url = link?.url ?? `${cdnUrl}/${fileKey}`;
    return { kind: "merged" as const, url, fileSize, pageCount, ...(link && { linkExpiresAt: link.expiresAt }) };
  });
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

/** A line of the results. Only a completed item has a file, and only a failed one an error. */
export type ItemResult = ReturnType<typeof itemResult>;

export function itemResult({ index, customId, outcome }: ItemState, cdnUrl: string, link?: FileLink | null) {
  const completed = outcome.status === "completed" ? outcome : null;
  const failed = outcome.status === "failed" ? outcome : null;
  return {
    index,
    customId,
    status: outcome.status,
    documentId: (completed ?? failed)?.documentId ?? null,
    fileUrl: link === undefined ? completed && `${cdnUrl}/${completed.fileKey}` : (link?.url ?? null),
    warnings: completed?.warnings ?? [],
    error: failed?.error ?? null,
    ...(link && { linkExpiresAt: link.expiresAt }),
  };
}
