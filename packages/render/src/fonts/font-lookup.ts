// Chooses the font files for the characters of a document, in the order of preference for the browser.
import {
  eachRange,
  type DocumentFace,
  hanFonts,
  type FontFamily,
  type FontFile,
  type FontIndex,
  type FontSlice,
  type HanFont,
} from "colophon-fonts/font-index";
import type { TextCharacters } from "colophon-template-model/text-characters";

export function fontLookup({ slices }: FontIndex) {
  const slicesIn = (wanted: FontFamily, ...fonts: (HanFont | undefined)[]) =>
    slices.filter(({ family, han }) => family === wanted && fonts.includes(han));
  const family = (wanted: FontFamily) => fontOf(slicesIn(wanted, undefined));
  const [sans, serif, mono] = [family("sans"), family("serif"), family("mono")];
  const math = slicesIn("math", undefined);
  const scripts = slicesIn("scripts", undefined);
  const sequences = emojiSlices(scripts).map(lazySlice);
  const letters = fontOf(scripts.filter((slice) => !slice.isForSequences));
  const hanIn = (wanted: FontFamily) => new Map(hanFonts.map((font) => [font, fontOf(slicesIn(wanted, font))]));
  const [hanScripts, hanSerif] = [hanIn("scripts"), hanIn("serif")];
  const allHan = fontOf(slicesIn("scripts", ...hanFonts));
  return {
    /** Returns the faces in order of preference. `locale` is the document's locale. */
    facesFor(characters: TextCharacters, locale: string): DocumentFace[] {
      const emoji = sequencesFor(characters.emoji, sequences);
      const points = allPoints(characters, emoji.unknown);
      const used = [sans, ...(characters.hasSerif ? [serif] : []), ...(characters.hasMono ? [mono] : [])];
      // The family of all scripts draws characters that these families lack.
      const missing = points.filter((point) => used.some(({ find }) => !find(point)));
      const hasHan = missing.some((point) => !letters.find(point) && allHan.find(point));
      const order = hasHan ? hanOrder(locale, characters) : [];
      const inOrder = (fonts: typeof hanSerif) => order.flatMap((font) => fonts.get(font) ?? []);
      // If no serif font has the forms of the document's language, a sans-serif font is better than a different language's
      // forms.
      const ownSerif = inOrder(hanSerif)[0]?.slices.length ? inOrder(hanSerif) : [];
      const chosen = [
        ...used.flatMap((font) => slicesFor(points, font === serif ? [serif, ...ownSerif] : [font])),
        ...(characters.hasMath ? math : []),
        ...emoji.slices,
        ...slicesFor(missing, [...inOrder(hanScripts), letters]),
      ];
      return facesOf(chosen, characters);
    },
  };
}

/** `find` returns the slice that draws a character. `slices` are in order of preference. */
type Font = { slices: readonly FontSlice[]; find: (point: number) => FontSlice | undefined };

/** A character is drawn by the first of `slices` that has it. */
function fontOf(slices: readonly FontSlice[]): Font {
  const lazy = slices.map(lazySlice);
  return { slices, find: (point) => lazy.find(({ has }) => has(point))?.slice };
}

type LazySlice = { slice: FontSlice; has: (point: number) => boolean };

/** Parses the ranges only if a character may be in them, because most documents need few slices. */
function lazySlice(slice: FontSlice): LazySlice {
  const { ranges } = slice;
  const lowest = Number.parseInt(ranges, 16);
  const highest = Number.parseInt(ranges.slice(Math.max(ranges.lastIndexOf(","), ranges.lastIndexOf("-")) + 1), 16);
  let ends: number[] | null = null;
  return {
    slice,
    has(point) {
      if (point < lowest || point > highest) return false;
      ends ??= endsOf(ranges);
      return isInRanges(ends, point);
    },
  };
}

/** Returns the first and last code point of each range, alternating. */
function endsOf(ranges: string): number[] {
  const ends: number[] = [];
  eachRange(ranges, (first, last) => ends.push(first, last));
  return ends;
}

function isInRanges(ends: readonly number[], point: number): boolean {
  let [low, high] = [0, ends.length / 2 - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (point < (ends[middle * 2] ?? 0)) high = middle - 1;
    else if (point > (ends[middle * 2 + 1] ?? 0)) low = middle + 1;
    else return true;
  }
  return false;
}

/** Returns the characters, and the characters into which styles may change them. Every document may contain Latin letters. */
function allPoints({ points, changesCase }: TextCharacters, others: string): number[] {
  const all = [...new Set([0x41, ...points, ...pointsOf(others)])];
  if (!changesCase) return all;
  const changed = Array.from(points, (point) => {
    const character = String.fromCodePoint(point);
    return character.toUpperCase() + character.toLowerCase();
  });
  return [...new Set([...all, ...pointsOf(changed.join(""))])];
}

function pointsOf(text: string): number[] {
  return Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

/**
 * Returns the slices for the characters. Each character is drawn by the first font that contains it. The slices are in the
 * order of the fonts, so that the browser makes the same choice.
 */
function slicesFor(points: readonly number[], fonts: readonly Font[]): FontSlice[] {
  const chosen = fonts.map(() => new Set<FontSlice>());
  for (const point of points) {
    for (const [index, font] of fonts.entries()) {
      const slice = font.find(point);
      if (!slice) continue;
      chosen[index]?.add(slice);
      break;
    }
  }
  return fonts.flatMap(({ slices }, index) => slices.filter((slice) => chosen[index]?.has(slice)));
}

/**
 * Returns the slices that draw emoji of several characters. The first slices lack symbols such as ✔, which are drawn in one colour
 * unless an emoji of the document needs the other slices.
 */
function emojiSlices(scripts: readonly FontSlice[]): FontSlice[] {
  const forSequences = scripts.filter((slice) => slice.isForSequences);
  const files = new Set(forSequences.flatMap((slice) => slice.files.map(placeOf)));
  const ordinary = scripts.filter(
    (slice) => !slice.isForSequences && slice.files.some((file) => files.has(placeOf(file))),
  );
  return [...ordinary, ...forSequences];
}

/** Selects a character's coloured form. Fonts do not list this selector as a character. */
const emojiSelector = 0xfe0f;

/**
 * A slice that contains all characters of an emoji sequence draws it. `unknown` contains the characters of sequences that no slice
 * contains completely.
 */
function sequencesFor(
  emoji: ReadonlySet<string>,
  slices: readonly LazySlice[],
): { slices: FontSlice[]; unknown: string } {
  const chosen = new Set<FontSlice>();
  let unknown = "";
  for (const sequence of emoji) {
    const wanted = pointsOf(sequence).filter((point) => point !== emojiSelector);
    const match = slices.find(({ has }) => wanted.every(has));
    if (match) chosen.add(match.slice);
    else unknown += sequence;
  }
  const rank = ({ isForSequences = false }: FontSlice) => (isForSequences ? 0 : 1);
  return { slices: [...chosen].toSorted((a, b) => rank(a) - rank(b)), unknown };
}

/**
 * Returns the faces of the slices. For text of a given weight and style, the browser considers only faces with that weight and
 * style if the family has any. Therefore all slices of a family have the same weights and styles, even if they share a file.
 */
function facesOf(slices: readonly FontSlice[], { hasBold, hasItalic }: TextCharacters): DocumentFace[] {
  const weights = hasBold ? (["400", "700"] as const) : (["400"] as const);
  const seenPlaces = new Set<string>();
  return slices.flatMap(({ family, files }) => {
    // A file that was chosen for emoji sequences is not chosen again for single emoji.
    const [first] = files;
    if (!first || seenPlaces.has(placeOf(first))) return [];
    seenPlaces.add(placeOf(first));
    const styles =
      hasItalic && (family === "sans" || family === "serif") ? (["normal", "italic"] as const) : (["normal"] as const);
    return styles.flatMap((style) =>
      weights.map((weight) => ({ id: bestFile(files, weight, style)?.id ?? first.id, weight, style })),
    );
  });
}

/** Several slices may have the same font, under different ids. */
function placeOf({ file, start }: FontFile): string {
  return `${file} ${start}`;
}

function bestFile(files: readonly FontFile[], weight: string, style: string): FontFile | undefined {
  return (
    files.find((file) => file.weight === weight && file.style === style) ?? files.find((file) => file.weight === weight)
  );
}

const kana = (point: number) => point >= 0x3041 && point <= 0x30ff;
const hangul = (point: number) => (point >= 0xac00 && point <= 0xd7a3) || (point >= 0x1100 && point <= 0x11ff);

/**
 * Returns the fonts for Chinese, Japanese and Korean in the order in which they draw a character. They draw many characters
 * differently, and a document can use only one of these forms: the form of the document's locale, otherwise of the first `lang`
 * in the markup, otherwise the one that the other characters suggest.
 */
function hanOrder(locale: string, { languages, points }: TextCharacters): HanFont[] {
  const named = [locale, ...languages].map(hanFontOf).find((font) => font !== null);
  const all = [...points];
  const suggested = all.some(kana) ? "jp" : all.some(hangul) ? "kr" : "sc";
  return [...new Set([named ?? suggested, ...hanFonts])];
}

function hanFontOf(language: string): HanFont | null {
  const tag = language.toLowerCase();
  if (/^ja\b/.test(tag)) return "jp";
  if (/^ko\b/.test(tag)) return "kr";
  if (!/^(zh|yue|cmn|nan|hak)\b/.test(tag)) return null;
  return /-hant\b|-(tw|hk|mo)\b|^yue/.test(tag) && !/-hans\b/.test(tag) ? "tc" : "sc";
}
