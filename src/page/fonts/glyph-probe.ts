// Finds characters that no font has, in two steps. First it appends the font of
// `core/rendering/document/every-character-font.ts`, in which every character is 4096 em wide, and measures the text. If the
// text is that wide, it contains a character that no listed font has. Then it compares pictures to see whether a system
// font has the character.
import { boxFamily } from "../../core/rendering/families/service-families.ts";

/**
 * The font size for measuring. At 4 px, a character of 4096 em is 16,384 px wide, which is the largest width that the
 * browser supports for one character.
 */
export const measuredPx = 4;
const pictureSizePx = 16;
/** A noncharacter: no font has a glyph for it, so it is drawn as a box. */
const noncharacter = "\u{10ffff}";

/** The font that draws a box for every character is not one that has the character. */
const boxFamilies = new RegExp(`,\\s*"?${boxFamily}"?`, "g");

export type GlyphProbe = {
  /** Selects the fonts that `isUnlisted` checks. `font` is a canvas font value whose size is `measuredPx`. */
  selectFonts(font: string): void;
  /**
   * Whether the text contains a character that none of the selected fonts has. `isInSystem` changes the selection, so
   * call `selectFonts` again after it.
   */
  isUnlisted(text: string): boolean;
  /** Whether a system font has glyphs for the text, regardless of the page's fonts. */
  isInSystem(text: string): boolean;
};

export async function glyphProbe(fonts: FontFaceSet): Promise<GlyphProbe> {
  await fonts.load("4px colophon-every-character");
  const canvas = new OffscreenCanvas(3 * pictureSizePx, 1.5 * pictureSizePx);
  const context = canvas.getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  const draw = (text: string): Uint8ClampedArray => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, 0, pictureSizePx);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };
  /** The width and the pixels of a row of missing-glyph boxes. The key is the number of boxes. */
  const boxes = new Map<number, { width: number; pixels: Uint8ClampedArray }>();
  const boxesOf = (length: number) => {
    const text = noncharacter.repeat(length);
    const box = boxes.get(length) ?? { width: context.measureText(text).width, pixels: draw(text) };
    boxes.set(length, box);
    return box;
  };
  return {
    selectFonts(font) {
      context.font = `${font.replace(boxFamilies, "")},colophon-every-character`;
    },
    isUnlisted: (text) => context.measureText(text).width > 4_000 * measuredPx,
    isInSystem(text) {
      context.font = `${pictureSizePx}px colophon-no-font`;
      const box = boxesOf(Array.from(text).length);
      if (context.measureText(text).width !== box.width) return true;
      return draw(text).some((value, index) => value !== box.pixels[index]);
    },
  };
}
