// Ports for the service's own fonts.
import type { FontLookup } from "./font-lookup.ts";
import type { FontFile, FontSlice } from "colophon-fonts/font-index";

/** Finds out which faces a document needs. */
export type FontCatalog = {
  /** Returns null if the index cannot be read, which has been logged. Never rejects. */
  lookup(): Promise<FontLookup | null>;
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
