// Which documents a list contains.
import { isDate, isDateTime } from "colophon-template-model/scalar-types";
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

/**
 * Returns the time that a text names, in ms since the epoch, or null if it is neither a date nor an RFC 3339 time. A date
 * stands for its first moment in UTC. A time between two milliseconds is rounded up: what was created at it or later was
 * created at the later millisecond or after.
 */
export function parseTime(text: string): number | null {
  if (isDate(text)) return Date.parse(`${text}T00:00:00Z`);
  // In a query, an unescaped `+` means a space.
  const time = text.replace(/ (?=\d\d:\d\d$)/, "+");
  const parts = /^(.{10}).(\d\d:\d\d):(\d\d)(?:\.(\d+))?(.+)$/.exec(time);
  if (!isDateTime(time) || !parts) return null;
  const [, date = "", minute = "", seconds = "", fraction = "", zone = ""] = parts;
  const ms = Number(fraction.slice(0, 3).padEnd(3, "0")) + (/[1-9]/.test(fraction.slice(3)) ? 1 : 0);
  return Date.parse(`${date}T${minute}:00${zone.toUpperCase()}`) + Number(seconds) * 1000 + ms;
}
