// Warns about characters that neither the template's nor the service's fonts contain. The fonts must be loaded first.
// Text is measured only if it contains uncommon characters.
import { counted, shortened } from "colophon-base/text";
import { missingGlyphFamily, missingGlyphWarning } from "./missing-glyph-font.ts";
import { containsText, shownTexts } from "./shown-texts.ts";

/**
 * The characters that all text fonts of the service contain. If a document contains only these characters, as most western
 * documents do, a single search of its text is enough.
 */
const common =
  "\\t-\\r\\x20-\\x7e\\xa0-\\u0131\\u2013\\u2014\\u2018-\\u201e\\u2020-\\u2022\\u2026\\u2030\\u2039\\u203a\\u20ac\\u2122\\u2212";
/** Control characters, fillers of Hangul, and a few others. Unlike most invisible characters, they are drawn only by a glyph of a font. */
const gaps = "\\0-\\x08\\v\\f\\x0e-\\x1f\\x7f-\\x9f\\u115f\\u1160\\u1680\\u3164\\uffa0\\u{1bca0}-\\u{1bca3}";
const uncommon = new RegExp(`[${gaps}]|[^${common}\\p{Default_Ignorable_Code_Point}\\p{White_Space}]`, "u");
const gap = new RegExp(`^[${gaps}]$`, "u");
/**
 * Matches a unit: a character together with its combining marks. The whole unit is checked, because some fonts have a
 * glyph only for the combination, and a browser always draws a unit in a single font.
 */
const units = /\P{Grapheme_Extend}\p{Grapheme_Extend}*/gu;
/**
 * The maximum number of units per font that are examined individually, although the warnings name only ten characters.
 */
const maxSuspects = 1_000;
const maxNamed = 10;

export async function findMissingGlyphs(roots: readonly Element[], fonts: FontFaceSet): Promise<string[]> {
  if (!containsText(roots, uncommon)) return [];
  const probe = await glyphProbe(fonts);
  const missing = new Set<string>();
  let isTruncated = false;
  for (const [font, units] of unitsByFont(roots)) {
    const suspects = suspectsOf(probe, font, units);
    isTruncated ||= suspects.isTruncated;
    for (const part of suspects.parts) missing.add(part);
  }
  return warningsFor([...missing], isTruncated);
}

/** Returns the distinct units of the visible text, by font. A font has the form of a canvas font value. */
function unitsByFont(roots: readonly Element[]): Map<string, Set<string>> {
  const unitsOf = new Map<string, Set<string>>();
  for (const { text, style } of shownTexts(roots, uncommon)) {
    const font = `${style.fontStyle} ${style.fontWeight} ${measuredPx}px ${style.fontFamily}`;
    const known = unitsOf.get(font) ?? new Set();
    unitsOf.set(font, known);
    for (const [unit] of text.matchAll(units)) known.add(unit);
  }
  return unitsOf;
}

/**
 * Returns the characters of `units` that none of the listed fonts contains. If the fonts contain all characters of a
 * unit but not the combination, returns the whole unit. If more than `maxSuspects` units are affected, the rest are
 * left out and `isTruncated` is true.
 */
function suspectsOf(probe: GlyphProbe, font: string, units: Set<string>): { parts: Set<string>; isTruncated: boolean } {
  const candidates = [...units].filter((unit) => uncommon.test(unit));
  probe.selectFonts(font);
  // Usually no glyph is missing, which a single measurement of all candidates shows.
  if (!probe.isUnlisted(candidates.join(" "))) return { parts: new Set(), isTruncated: false };
  const unlisted = candidates.filter(probe.isUnlisted);
  const parts = unlisted.slice(0, maxSuspects).flatMap((unit) => {
    const characters = Array.from(unit).filter((character) => uncommon.test(character) && probe.isUnlisted(character));
    return characters.length > 0 ? characters : unit;
  });
  return { parts: new Set(parts), isTruncated: unlisted.length > maxSuspects };
}

function warningsFor(missing: string[], isTruncated: boolean): string[] {
  const named = missing.slice(0, maxNamed).map((part) => {
    const shown = gap.test(part)
      ? `${codePoints(part)}, so it leaves a gap.`
      : `"${shortened(part)}" (${codePoints(part)}), so it is drawn as a box.`;
    return missingGlyphWarning + shown;
  });
  const more = missing.length - named.length;
  if (more === 0) return named;
  const others = `${isTruncated ? "at least " : ""}${counted(more, "other character")}`;
  return [...named, `${missingGlyphWarning}${others} either.`];
}

/** Returns the code points of the text, for example `U+0041 U+030A`. A character can have thousands of combining marks. */
function codePoints(text: string): string {
  const points = Array.from(text, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
    return `U+${code.padStart(4, "0")}`;
  });
  return points.slice(0, maxNamed).join(" ") + (points.length > maxNamed ? " …" : "");
}

/**
 * The font size for measuring. At 4 px, a character of 4096 em is 16,384 px wide, which is the largest width that the
 * browser supports for one character.
 */
const measuredPx = 4;

/** The font that draws a box for every character does not count as containing the character. */
const boxFamilies = new RegExp(`,\\s*"?${missingGlyphFamily}"?`, "g");

type GlyphProbe = Awaited<ReturnType<typeof glyphProbe>>;

/**
 * Appends the font of `every-character-font.ts` in the template model, in which every character is 4096 em wide. A string that is that
 * wide contains a character that no other font has.
 */
async function glyphProbe(fonts: FontFaceSet) {
  await fonts.load("4px colophon-every-character");
  const context = new OffscreenCanvas(1, 1).getContext("2d") as OffscreenCanvasRenderingContext2D;
  return {
    /** Selects the fonts that `isUnlisted` checks. `font` is a canvas font value whose size is `measuredPx`. */
    selectFonts(font: string): void {
      context.font = `${font.replace(boxFamilies, "")},colophon-every-character`;
    },
    /** Returns whether the string contains a character that none of the selected fonts has. A canvas measures `\v` and `\f` as spaces. */
    isUnlisted: (text: string) => context.measureText(text.replace(/[\v\f]/g, "\x01")).width > 4_000 * measuredPx,
  };
}
