// Finds the characters that markup and styles can show. The result may contain more than is shown, but never less: everything that looks
// like text counts, even in tags, attributes and comments, and so do entities and CSS escapes.
import { decodeHTML } from "entities/decode";
import type { SlicedWork } from "colophon-liquid/liquid";
import { generatedCharacters } from "./generated-characters.ts";

/** The characters and styles that markup can show. */
export type TextCharacters = ReturnType<typeof noCharacters>;

export function noCharacters() {
  return {
    /** The code points above U+007F. */
    points: new Set<number>(),
    /** The emoji sequences of several characters, such as a flag or a family. */
    emoji: new Set<string>(),
    /** Whether there may be bold, italic, serif or monospace text. */
    hasBold: false,
    hasItalic: false,
    hasSerif: false,
    hasMono: false,
    /** Whether there may be formulas, in which the browser replaces letters with mathematical ones. */
    hasMath: false,
    /** Whether styles may change the case of letters. */
    changesCase: false,
    /** Whether styles may divide words. */
    hasHyphens: false,
    /** The values of `lang` attributes. */
    languages: new Set<string>(),
  };
}

const bold = /<(?:b|strong|th|h[1-6]|optgroup)\b|bold|\b[6-9]\d\d\b/i;
const italic = /<(?:i|em|cite|dfn|var|address)\b|italic|oblique/i;
const namesFamily = /font|face\s*=|--/i;
const serif =
  /colophon serif|(?<!sans[- ])\bserif|baskerville|batang|bodoni|antiqua|bookman|cambria|century|charter|cochin|constantia|didot|fangsong|garamond|georgia|mincho|hoefler|iowan|lucida bright|minion|roman|palatino|perpetua|rockwell|simsun|sitka|song|times|tinos|palladio/i;
const mono = /mono|\bcode\b|consolas|courier|cousine|inconsolata|console|typewriter|menlo/i;
/** The elements whose text is always monospace. */
const monoElements =
  /<(?:pre|code|kbd|samp|tt|textarea|listing|plaintext|xmp)\b|\btype\s*=\s*["']?(?:date|month|time|week)/i;
const math = /<math\b|\bmath-auto\b|(?:font(?:-family)?|face)\s{0,9}[:=][^;{}<>]{0,100}\bmath\b/i;
const caseChange = /text-transform|small-caps|petite-caps|unicase/i;
const hyphens = /hyphens/i;
/** Entities, except common ones whose characters every document has. */
const entity = /&(?!(?:amp|lt|gt|quot|nbsp|#39);)(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});?/gi;
const cssEscape = /\\([\da-f]{1,6})/gi;
const language = /\blang\s*=\s*["']?([a-z]{2,3}(?:-[a-z\d]+)*)/gi;
const nonAscii = /[^\0-\x7f]/;
/** Marks that may form a single character with the preceding letter, which a different slice may contain. */
const composing = /[\u0300-\u036f]|[\u1100-\u11ff]|\u3099|\u309a/;
/** The characters that continue an emoji sequence. */
const continuing = /\ufe0f|\u20e3|\u200d|\p{RI}|\p{EMod}/u;
const emojiSequences =
  /\p{RI}{2}|(?!\p{RI})\p{Emoji}(?:\p{EMod}|\ufe0f?\u20e3|\ufe0f)?(?:[\u{e0020}-\u{e007f}]+|(?:\u200d\p{Emoji}(?:\p{EMod}|\ufe0f)?)*)/gu;

/**
 * Adds the characters of the strings to a copy of `known`. Other requests may run before each part of a long string is read.
 */
export function* charactersOf(texts: readonly string[], known = noCharacters()): SlicedWork<TextCharacters> {
  const { points, emoji, languages, ...flags } = known;
  const characters = { ...flags, points: new Set(points), emoji: new Set(emoji), languages: new Set(languages) };
  for (const text of texts) {
    let isFirst = true;
    for (const part of textParts(text)) {
      if (!isFirst) yield { isLarge: false };
      addCharacters(characters, part);
      isFirst = false;
    }
  }
  return characters;
}

/** The minimum length of a part, except the last. */
const textPartChars = 400_000;

/** Splits a long string where a tag begins, so that no tag, entity or emoji is split. */
export function* textParts(text: string): Generator<string> {
  for (let start = 0; start < text.length;) {
    const tag = text.indexOf("<", start + textPartChars);
    const end = tag < 0 ? text.length : tag;
    yield text.slice(start, end);
    start = end;
  }
}

/** Adds the characters of a string. Takes time in proportion to its length. */
export function addCharacters(characters: TextCharacters, text: string): void {
  characters.hasBold ||= bold.test(text);
  characters.hasItalic ||= italic.test(text);
  const mayNameFamily = namesFamily.test(text);
  characters.hasSerif ||= mayNameFamily && serif.test(text);
  characters.hasMono ||= monoElements.test(text) || (mayNameFamily && mono.test(text));
  characters.hasMath ||= math.test(text);
  characters.changesCase ||= caseChange.test(text);
  characters.hasHyphens ||= hyphens.test(text);
  for (const [, tag = ""] of text.matchAll(language)) characters.languages.add(tag.toLowerCase());
  addShown(characters, text);
  addShown(characters, generatedCharacters(text));
  const escapes = new Set(Array.from(text.matchAll(cssEscape), ([, hex = ""]) => Number.parseInt(hex, 16)));
  addShown(characters, Array.from(escapes, characterOf).join(""));
  const entities = new Set(Array.from(text.matchAll(entity), ([written]) => written));
  const decoded = Array.from(entities, (written) => decodeHTML(written)).join("");
  // Emoji sequences are found only in the text as it is displayed.
  addShown(characters, continuing.test(decoded) ? decodeHTML(text) : decoded);
}

function characterOf(point: number): string {
  return point > 0x10ffff ? "" : String.fromCodePoint(point);
}

function addShown({ points, emoji }: TextCharacters, text: string): void {
  if (!nonAscii.test(text)) return;
  // Normalization sorts the marks of a letter, which takes time in proportion to the square of their number.
  if (composing.test(text)) addPoints(points, text.replace(/(?<!\p{M})(\p{M}{30})\p{M}+/gu, "$1").normalize("NFC"));
  addPoints(points, continuing.test(text) ? withoutSequences(text, emoji) : text);
}

/** Adds emoji sequences to `emoji`, and returns the text without them. */
function withoutSequences(text: string, emoji: Set<string>): string {
  return text.replace(emojiSequences, (sequence) => {
    if (!/^.[^]/u.test(sequence)) return sequence;
    emoji.add(sequence);
    return "";
  });
}

function addPoints(points: Set<number>, text: string): void {
  let last = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    // Adding to the set takes most of the time.
    if (unit < 0x80 || unit === last) continue;
    last = unit;
    if (unit < 0xd800 || unit > 0xdbff) {
      points.add(unit);
      continue;
    }
    points.add(text.codePointAt(index) ?? unit);
    index++;
    last = 0;
  }
}
