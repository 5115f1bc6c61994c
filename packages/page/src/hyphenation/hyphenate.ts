// Divides words in text with `hyphens: auto`, because the browser has no patterns. Soft hyphens are inserted into all words before the
// layout. When the lines of a PDF are final, all soft hyphens are removed except those at the end of a line, so that all other words are
// whole in its text.
import { quoted } from "colophon-base/text";
import { attributeOf, bodyElement, descendantsOf, displayOf, nextOf, parentOf, previousOf, textOf } from "../dom.ts";
import { type DivideWord, type WordLimits, wordLimits } from "./divide-words.ts";
import { patternsFor } from "./pattern-names.ts";
import { dividerFor } from "./received-patterns.ts";

/** A text with soft hyphens before the characters of `text` at `places`. */
export type HyphenatedText = { node: Text; text: string; places: number[] };

const softHyphen = "\u00ad";
const allSoftHyphens = /\u00ad/g;

/** `names` are the names of the document's patterns; null if no style divides words. */
export function hyphenate(names: readonly string[] | null): { texts: HyphenatedText[]; warnings: string[] } {
  if (!names) return { texts: [], warnings: [] };
  const styleOf = styleReader(names);
  const unknown = new Set<string>();
  const texts: HyphenatedText[] = [];
  for (const node of descendantsOf(bodyElement(), NodeFilter.SHOW_TEXT) as Generator<Text>) {
    const parent = dividable.test(node.data) ? parentOf(node) : null;
    const style = parent && styleOf(parent);
    if (style && "unknown" in style) unknown.add(style.unknown);
    else if (style) {
      const text = hyphenatedText(node, style.divide);
      if (text.places.length > 0) texts.push(text);
    }
  }
  for (const { node, text, places } of texts) node.data = withHyphens(text, places);
  return { texts, warnings: unknownWarning([...unknown]) };
}

/** Returns the text with soft hyphens at the places. */
export function withHyphens(text: string, places: readonly number[]): string {
  return (
    places.map((place, index) => text.slice(places[index - 1] ?? 0, place) + softHyphen).join("") +
    text.slice(places.at(-1))
  );
}

const longWord = /\p{L}{4}/u;
const dividable = /\p{L}{4}|\u00ad/u;
/** Words in these scripts are divided by hyphens. */
const hyphenatedScripts = /^(Latn|Cyrl|Grek|Armn|Geor)$/;
const verbatim = "code,kbd,samp,pre,tt,textarea,select,script,style,svg,math";

/** Words of the style's language, or its unknown language. */
type TextStyle = { divide: DivideWord } | { unknown: string };

/** Returns a function that returns null for an element whose text stays as it is. */
function styleReader(names: readonly string[]): (element: Element) => TextStyle | null {
  const styles = new Map<Element, TextStyle | null>();
  const dividers = new Map<string, DivideWord>();
  const read = (element: Element): TextStyle | null => {
    const style = getComputedStyle(element);
    if (style.hyphens !== "auto" || closest(element, verbatim)) return null;
    const language = attributeOf(closest(element, "[lang]") ?? element, "lang") ?? "";
    const name = patternsFor(language);
    const divide = name !== null && names.includes(name) ? dividerFor(name) : null;
    if (!name || !divide) return isHyphenated(language) ? { unknown: language } : null;
    const limit = style.getPropertyValue("hyphenate-limit-chars");
    const key = `${name} ${limit}`;
    const limited = dividers.get(key) ?? textDivider(divide, name, wordLimits(limit, name));
    dividers.set(key, limited);
    return { divide: limited };
  };
  return (element) => {
    const known = styles.get(element);
    const style = known === undefined ? read(element) : known;
    styles.set(element, style);
    return style;
  };
}

function closest(element: Element, selector: string): Element | null {
  return Element.prototype.closest.call(element, selector);
}

function isHyphenated(language: string): boolean {
  try {
    return hyphenatedScripts.test(new Intl.Locale(language).maximize().script ?? "");
  } catch {
    return false;
  }
}

/** Longer strings of letters are not words. */
const maxLetters = 100;

/**
 * Returns a function that divides the words between two spaces, and caches the results. `name` is the name of the patterns, a valid tag.
 */
function textDivider(divide: DivideWord, name: string, { word: letters, before, after }: WordLimits): DivideWord {
  const known = new Map<string, readonly number[]>();
  const placesIn = (text: string) => {
    if (!longWord.test(text) || technical.test(text)) return [];
    return Array.from(text.matchAll(words)).flatMap(({ 0: word, index }) => {
      const lower = word.toLocaleLowerCase(name);
      if (word.length < letters || word.length > maxLetters || lower.length !== word.length) return [];
      const places = divide(lower).filter((place) => place >= before && place <= word.length - after);
      return places.map((place) => index + place);
    });
  };
  return (text) => {
    const places = known.get(text) ?? placesIn(text);
    known.set(text, places);
    return places;
  };
}

const words = /[\p{L}\p{M}]+/gu;
/** URLs, e-mail addresses, paths, and words with digits. */
const technical = /[\d@_\\]|:\/\/|\p{L}[.:]\p{L}|^[/~]/u;

/** Returns the text without the author's soft hyphens, which take the place of the patterns, and the places of all soft hyphens. */
function hyphenatedText(node: Text, divide: DivideWord): HyphenatedText {
  const text = node.data.replaceAll(softHyphen, "");
  const places: number[] = [];
  let removed = 0;
  for (const { 0: token, index: start } of node.data.matchAll(/\S+/g)) {
    if (token.includes(softHyphen)) {
      for (const { index } of token.matchAll(allSoftHyphens)) places.push(start + index - removed++);
    } else {
      const found = divide(token);
      if (found.length === 0) continue;
      // A part of a word could be divided in the wrong places.
      const isPart =
        (start === 0 && isGlued(node, previousOf)) ||
        (start + token.length === node.data.length && isGlued(node, nextOf));
      if (!isPart) for (const place of found) places.push(start - removed + place);
    }
  }
  return { node, text, places: places.filter((place) => place > 0 && place < text.length) };
}

/** Characters that belong to words and URLs, unlike punctuation. */
const glue = /[\p{L}\p{M}\p{N}@_/\\#&=-]/u;

/** Returns whether the text continues, without a space, in a different element. */
function isGlued(node: Text, siblingOf: typeof nextOf): boolean {
  let inner: Node = node;
  let neighbor = siblingOf(inner);
  while (!neighbor) {
    const parent = parentOf(inner);
    if (!parent || displayOf(parent) !== "inline") return false;
    inner = parent;
    neighbor = siblingOf(inner);
  }
  if (neighbor instanceof Element && displayOf(neighbor) !== "inline") return false;
  const isBreak = neighbor instanceof HTMLElement && neighbor.localName === "wbr";
  const text = textOf(neighbor);
  return isBreak || glue.test((siblingOf === nextOf ? text[0] : text.at(-1)) ?? "");
}

function unknownWarning(languages: string[]): string[] {
  if (languages.length === 0) return [];
  const named = languages.slice(0, 5).map((language) => quoted(language));
  return [
    `\`hyphens: auto\` has no effect on text in ${named.join(", ")}: there are no hyphenation patterns for ${named.length === 1 ? "this language" : "these languages"}. Write \`&shy;\` where a word may be divided.`,
  ];
}
