// Ports for the service's own fonts.
import type { DocumentFace, FontFile, FontSlice } from "colophon-fonts/font-index";
import type { TextCharacters } from "colophon-template-model/text-characters";

/** Chooses the faces of the service's fonts for documents. */
export type FontCatalog = {
  /** `locale` is the document's. Returns null if the index cannot be read, which has been logged. Never rejects. */
  facesFor(characters: TextCharacters, locale: string): Promise<DocumentFace[] | null>;
};

/** A font with its content, as a page needs it. */
export type LoadedFont = { slice: FontSlice; file: FontFile; bytes: Uint8Array };

/** Reads fonts. */
export type FontFiles = {
  /**
   * Returns the fonts with these ids, one for each id and in their order; null for those that cannot be read in time, which has been
   * logged. Reads a few files ahead. Never rejects.
   */
  load(ids: readonly string[]): AsyncIterable<LoadedFont | null>;
};
