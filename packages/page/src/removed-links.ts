// The warning about links whose targets were removed from a document or its file.
import { counted } from "colophon-base/text";

/** Returns no warning if no links were removed. */
export function removedLinksWarning(removed: number): string[] {
  if (removed === 0) return [];
  return [`Removed ${counted(removed, "link")}: only http, https, mailto, tel and #fragment links are allowed.`];
}
