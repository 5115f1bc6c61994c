// Ports for the service's own fonts.
import type { FontLookup } from "../core/rendering/fonts/choose-fonts.ts";
import type { FontFile, FontSlice } from "../core/rendering/fonts/font-index.ts";

/** Finds out which faces a document needs. */
export type FontCatalog = {
  /**
   * Returns the lookup; with `withHan`, one that knows the fonts for Chinese, Japanese and Korean. Null if the index cannot be
   * read, which has been logged. Never rejects.
   */
  lookup(withHan: boolean): Promise<FontLookup | null>;
};

/** A face's file with its content, as a page needs it. */
export type LoadedFont = { slice: FontSlice; file: FontFile; bytes: Uint8Array };

/** Reads the files of fonts. */
export type FontFiles = {
  /** Returns the file with this id; null if it cannot be read in time, which has been logged. Never rejects. */
  load(id: string): Promise<LoadedFont | null>;
};
