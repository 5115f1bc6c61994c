// How strongly images are compressed. A PNG has no quality, because its compression loses nothing.
import type { DocumentFormat } from "colophon-page/document-format";

export const imageQualityRange = { min: 1, max: 100 };

/** Photos of this quality look like the originals, and have about a third of the bytes that quality 100 takes. */
export const defaultImageQuality = 85;

export function hasImageQuality(format: DocumentFormat): boolean {
  return format === "jpeg" || format === "webp";
}
