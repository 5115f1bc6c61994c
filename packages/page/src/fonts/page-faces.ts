// The messages that give the service's fonts to a page of the browser.
import type { DocumentFace } from "colophon-fonts/font-index";

/**
 * A file with its faces. `chars` is the length of its base64. `range` is the value of `unicode-range`. `isDeferred` is true if few
 * documents with these characters need the file. The page then decodes it only when a document needs it.
 */
export type SentFaces = {
  family: string;
  range: string;
  chars: number;
  isDeferred: boolean;
  faces: { key: string; weight: string; style: string }[];
};

/** A part of the files' base64, one file after the other, and the files that end in this part. */
export type FacesPart = { text: string; files: SentFaces[] };

/** The faces of the next document, the preferred ones first, and the faces that the page may drop. */
export type UsedFaces = { keys: string[]; dropped: string[] };

/** Returns the key of a face in a page. */
export function faceKey({ id, weight, style }: DocumentFace): string {
  return `${id} ${weight} ${style}`;
}
