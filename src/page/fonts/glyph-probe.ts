// Finds text that a list of fonts cannot set. It measures the text with one more font at the end of the list, which has
// every character at a width of 4096 em (`core/rendering/every-character-font.ts`): text that is this wide contains a
// character that no listed font has. A comparison of pictures then shows whether a font of the system has it.

/** Small, because the browser accepts no advance of more than 16,384 pixels. */
export const measuredPx = 4;
const pictureSizePx = 16;
/** No font has this noncharacter. */
const noncharacter = "\u{10ffff}";

export type GlyphProbe = {
  /** Selects the fonts for `isUnlisted`: a canvas font of `measuredPx`. */
  selectFonts(font: string): void;
  /**
   * Whether the text contains a character that none of the selected fonts has. After `isInSystem`, call `selectFonts`
   * first.
   */
  isUnlisted(text: string): boolean;
  /** Whether a font of the system has the text, without the page's fonts. */
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
  /** The width and the pixels of n missing-glyph boxes in a row, by n. */
  const boxes = new Map<number, { width: number; pixels: Uint8ClampedArray }>();
  const boxesOf = (length: number) => {
    const text = noncharacter.repeat(length);
    const box = boxes.get(length) ?? { width: context.measureText(text).width, pixels: draw(text) };
    boxes.set(length, box);
    return box;
  };
  return {
    selectFonts(font) {
      context.font = `${font},colophon-every-character`;
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
