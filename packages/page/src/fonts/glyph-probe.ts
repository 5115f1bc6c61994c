// Finds characters that no font has: it appends the font of `every-character-font.ts` in the template model, in which every
// character is 4096 em wide, and measures the text. If the text is that wide, it contains a character that no other font has.
import { missingGlyphFamily } from "./missing-glyph-font.ts";

/**
 * The font size for measuring. At 4 px, a character of 4096 em is 16,384 px wide, which is the largest width that the
 * browser supports for one character.
 */
export const measuredPx = 4;

/** The font that draws a box for every character is not one that has the character. */
const boxFamilies = new RegExp(`,\\s*"?${missingGlyphFamily}"?`, "g");

export type GlyphProbe = {
  /** Selects the fonts that `isUnlisted` checks. `font` is a canvas font value whose size is `measuredPx`. */
  selectFonts(font: string): void;
  /** Whether the text contains a character that none of the selected fonts has. */
  isUnlisted(text: string): boolean;
};

export async function glyphProbe(fonts: FontFaceSet): Promise<GlyphProbe> {
  await fonts.load("4px colophon-every-character");
  const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
  return {
    selectFonts(font) {
      context.font = `${font.replace(boxFamilies, "")},colophon-every-character`;
    },
    isUnlisted: (text) => context.measureText(text).width > 4_000 * measuredPx,
  };
}
