// The messages that send the service's fonts to a browser page.

/**
 * A file with its faces. `chars` is the length of its base64. `range` is the value of `unicode-range`. `isDeferred` is true if few
 * documents with these characters need the file; the page then decodes it only on demand.
 */
export type SentFaces = {
  family: string;
  range: string;
  chars: number;
  isDeferred: boolean;
  faces: { key: string; weight: string; style: string }[];
};

/** A part of the files' concatenated base64, and the files that end in this part. */
export type FacesPart = { text: string; files: SentFaces[] };

/** The faces of the next document in order of preference, and the faces that the page may drop. */
export type UsedFaces = { keys: string[]; dropped: string[] };
