// Names the characters that no font of the machine or the template has, in sentences for the document's warnings. Sent to
// the browser as text, like `preparePage`: it may use nothing but its argument and the DOM. Called once fonts are loaded.
// How: text is measured with one more font behind the page's own, which has every character at a width of 4096 em
// (`core/every-character-font.ts`). What is that wide is in none of the fonts that the style lists; whether the system has
// it shows in a comparison of pictures.

export async function findMissingGlyphs(root: Element, fonts: FontFaceSet): Promise<string[]> {
  // Every system font has these: a document in a western language costs one search in its text.
  const common =
    "\\t-\\r\\x20-\\x7e\\xa0-\\u0131\\u2013\\u2014\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u2030\\u2039\\u203a\\u20ac\\u2122\\u2212";
  const drawn = new RegExp(`[^${common}\\p{Default_Ignorable_Code_Point}\\p{White_Space}\\p{Cc}\\p{Cf}]`, "u");
  const textOf = Object.getOwnPropertyDescriptor(Node.prototype, "textContent")?.get as (this: Node) => string;
  if (!drawn.test(textOf.call(root))) return [];

  await fonts.load("4px colophon-every-character");
  // A letter with its marks is one unit: a font may have it only as a whole, and the parts of it are not split over fonts.
  const units = /\P{Grapheme_Extend}\p{Grapheme_Extend}*/gu;
  /** Of one font: a text in Chinese without a font for it has thousands, and ten are named. */
  const maxSuspects = 1_000;
  // So small because the browser takes no advance of more than 16,384 pixels.
  const measuredPx = 4;
  const isWide = (text: string) => context.measureText(text).width > 4_000 * measuredPx;

  /** Font to the distinct units that are set in it. */
  const collect = (): Map<string, Set<string>> => {
    const unitsOf = new Map<string, Set<string>>();
    const walker = Document.prototype.createTreeWalker.call(document, root, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.nodeValue ?? "";
      if (!parent || !drawn.test(text) || parent.closest("style,script,title,template")) continue;
      const { fontStyle, fontWeight, fontFamily, visibility } = getComputedStyle(parent);
      if (visibility !== "visible" || !parent.checkVisibility()) continue;
      const font = `${fontStyle} ${fontWeight} ${measuredPx}px ${fontFamily}`;
      const known = unitsOf.get(font) ?? new Set();
      unitsOf.set(font, known);
      for (const [unit] of text.matchAll(units)) known.add(unit);
    }
    return unitsOf;
  };

  const sizePx = 16;
  const canvas = new OffscreenCanvas(3 * sizePx, 1.5 * sizePx);
  const context = canvas.getContext("2d", { willReadFrequently: true }) as OffscreenCanvasRenderingContext2D;
  const picture = (text: string): Uint8ClampedArray => {
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.fillText(text, 0, sizePx);
    return context.getImageData(0, 0, canvas.width, canvas.height).data;
  };

  /** By number of characters: what a noncharacter looks like, which no font has. */
  const boxes = new Map<number, { width: number; pixels: Uint8ClampedArray }>();
  const boxesOf = (length: number) => {
    const text = "\u{10ffff}".repeat(length);
    const box = boxes.get(length) ?? { width: context.measureText(text).width, pixels: picture(text) };
    boxes.set(length, box);
    return box;
  };

  /** Without the page's fonts, as the system sets it. */
  const isInSystem = (unit: string): boolean => {
    context.font = `${sizePx}px colophon-no-font`;
    const box = boxesOf(Array.from(unit).length);
    if (context.measureText(unit).width !== box.width) return true;
    return picture(unit).some((value, index) => value !== box.pixels[index]);
  };

  let isCut = false;
  const missing = new Set<string>();
  const examine = (font: string, found: Set<string>): void => {
    const candidates = [...found].filter((unit) => drawn.test(unit));
    context.font = `${font},colophon-every-character`;
    if (!isWide(candidates.join(" "))) return;
    const wideUnits = candidates.filter(isWide);
    const suspects = wideUnits.slice(0, maxSuspects);
    isCut ||= wideUnits.length > maxSuspects;
    const parts = suspects.flatMap((unit) => {
      const wide = Array.from(unit).filter((character) => drawn.test(character) && isWide(character));
      return wide.length > 0 ? wide : unit;
    });
    for (const part of new Set(parts)) if (!missing.has(part) && !isInSystem(part)) missing.add(part);
  };

  for (const [font, found] of collect()) examine(font, found);

  const named = [...missing].slice(0, 10).map((part) => {
    const codes = Array.from(part, (character) => {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
      return `U+${code.padStart(4, "0")}`;
    });
    return `No font has a glyph for "${part}" (${codes.join(" ")}); it is drawn as a box.`;
  });
  if (missing.size > named.length) {
    const count = `${isCut ? "at least " : ""}${missing.size - named.length}`;
    named.push(`No font has a glyph for ${count} more characters; they are drawn as boxes.`);
  }
  return named;
}
