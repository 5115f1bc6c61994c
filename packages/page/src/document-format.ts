// The formats of documents.

export const documentFormats = ["pdf", "png", "jpeg", "webp"] as const;
export type DocumentFormat = (typeof documentFormats)[number];
export type ImageFormat = Exclude<DocumentFormat, "pdf">;

/** File names end with one of the extensions; new files use the first one. */
const fileTypes: Record<DocumentFormat, { contentType: string; extensions: readonly [string, ...string[]] }> = {
  pdf: { contentType: "application/pdf", extensions: ["pdf"] },
  png: { contentType: "image/png", extensions: ["png"] },
  jpeg: { contentType: "image/jpeg", extensions: ["jpg", "jpeg"] },
  webp: { contentType: "image/webp", extensions: ["webp"] },
};

export function contentTypeOf(format: DocumentFormat): string {
  return fileTypes[format].contentType;
}

/** Returns the extension of new files, without the dot. */
export function extensionOf(format: DocumentFormat): string {
  return fileTypes[format].extensions[0];
}

/** Returns whether the name ends with an extension of the format, in upper or lower case. */
export function hasExtension(name: string, format: DocumentFormat): boolean {
  return fileTypes[format].extensions.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
}
