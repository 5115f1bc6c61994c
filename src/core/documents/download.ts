// A recorded download of a document's file. Times are in ms since the epoch.
import { dayMs } from "colophon-base/calendar-day";

export const downloadRetentionMs = 90 * dayMs;
/** The maximum number of downloads that are kept for each document. */
export const maxDownloads = 1_000;

/** `keyId` is the id of a key, or `operator`; null for a link. `country` has two letters, and is null if it is unknown. */
export type Download = {
  id: string;
  accountId: string;
  documentId: string;
  createdAt: number;
  keyId: string | null;
  country: string | null;
};
