// The index of the service's fonts. Each font is divided into slices, files with the glyphs of some characters, so that a
// document loads only the slices whose characters it shows. The index is built together with the files.

/**
 * The families that styles can name. `scripts` covers every writing system, symbols and emoji; `math` has the OpenType measures with
 * which a browser lays out formulas.
 */
export const fontFamilies = {
  sans: "Colophon Sans",
  serif: "Colophon Serif",
  mono: "Colophon Mono",
  scripts: "Colophon Scripts",
  math: "Colophon Math",
} as const;

export type FontFamily = keyof typeof fontFamilies;

/** The fonts for Chinese, Japanese and Korean, which draw the same characters differently. */
export const hanFonts = ["sc", "tc", "jp", "kr"] as const;
export type HanFont = (typeof hanFonts)[number];

/**
 * A font file. `id` identifies it in render jobs, in every release. `file` is the path of a static file, in which the font begins at
 * byte `start`.
 */
export type FontFile = {
  id: string;
  style: "normal" | "italic";
  weight: string;
  file: string;
  start: number;
  bytes: number;
};

/**
 * A part of a font. `ranges` are the code points in hexadecimal, ascending and separate: `41-5a,61`. If `isForSequences` is true,
 * the slice draws a character only before U+FE0F, U+20E3 or U+200D, as in a coloured heart.
 */
export type FontSlice = {
  family: FontFamily;
  han?: HanFont;
  isForSequences?: boolean;
  ranges: string;
  files: FontFile[];
};

/**
 * If several slices of a family contain a character, the first one draws it. If a document has a character that only the
 * slices for Chinese, Japanese and Korean contain, it prefers these slices to the other slices of `scripts`. `serif` also has
 * some of these fonts.
 */
export type FontIndex = { slices: FontSlice[] };

/**
 * A face of the service's fonts in one document: the file with this id, declared with this weight and style. Some fonts have files
 * for only one weight.
 */
export type DocumentFace = { id: string; weight: "400" | "700"; style: "normal" | "italic" };

/** The path of the index among the static files. It contains no digest, because each release reads its own files. */
export const fontIndexPath = "fonts/index.json";

/** Calls `visit` with the first and last code point of each range. */
export function eachRange(ranges: string, visit: (first: number, last: number) => void): void {
  if (ranges === "") return;
  for (const range of ranges.split(",")) {
    const [first = "", last = first] = range.split("-");
    visit(Number.parseInt(first, 16), Number.parseInt(last, 16));
  }
}

/** Returns the ranges as a value of `unicode-range`. */
export function unicodeRange(ranges: string): string {
  return ranges.replace(/(^|,)/g, "$1U+");
}
