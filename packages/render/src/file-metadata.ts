// What is known of a finished file.

/** The size of a whole image in device pixels. */
export type PixelSize = { width: number; height: number };

/** What tells a stored file from others. `sha256` is in hexadecimal. */
export type StoredFile = { fileSize: number; sha256: string };

/**
 * A file as its render has made it. `width` and `height` are the size of the first page of a PDF, or of the first
 * page file's box in an image, in whole CSS pixels. `imageSize` is null for a PDF.
 */
export type FileMetadata = StoredFile & {
  pageCount: number;
  width: number;
  height: number;
  imageSize: PixelSize | null;
  warnings: string[];
};
