// Which documents a list contains.
import type { DocumentMetadata, DocumentStatus } from "./document.ts";
import type { DocumentFormat } from "colophon-page/document-format";

/** A document is listed if it meets all conditions. Times are in ms since the epoch. */
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
