// The warning about links whose target was removed from a document or from its file.
import { counted } from "colophon-base/counted";

/** Returns no warning for zero links. */
export function removedLinksWarning(removed: number): string[] {
  if (removed === 0) return [];
  return [`Removed ${counted(removed, "link")}: only http, https, mailto, tel and #fragment links are allowed.`];
}
