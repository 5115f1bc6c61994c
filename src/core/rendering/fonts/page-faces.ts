// The messages that give the service's fonts to a page of the browser.
import type { DocumentFace } from "./font-index.ts";

/**
 * A file with its faces. `range` is the value of `unicode-range`. `isDeferred` says that few documents with these characters need the
 * file, so that the page decodes it only for these.
 */
export type SentFaces = {
  family: string;
  range: string;
  base64: string;
  isDeferred: boolean;
  faces: { key: string; weight: string; style: string }[];
};

/** The faces of the next document, the preferred ones first, and those that the page may forget. */
export type UsedFaces = { keys: string[]; dropped: string[] };

/** Returns what identifies a face in a page. */
export function faceKey({ id, weight, style }: DocumentFace): string {
  return `${id} ${weight} ${style}`;
}
