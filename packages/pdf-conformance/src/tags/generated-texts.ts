// Tags the texts that styles add before and after elements, such as the numbers of chapters, and on older versions of Chromium the markers of
// lists. Chromium prints them without a tag. The page says which text an element has, so no other text is tagged.
import type { PdfFile } from "colophon-pdf/open-pdf";
import { readContent, type Operation } from "colophon-pdf/read-content";
import { dictionaryOf, isDictionary, isString, textString, type PdfDictionary } from "colophon-pdf/values";
import { textOf } from "../validation/file.ts";
import { decodedContent, type Place } from "./decoded-content.ts";
import type { FontsOf, FontTexts } from "./font-texts.ts";
import {
  boxTypes,
  isContent,
  isTag,
  newTag,
  tagsIn,
  type MarkedContent,
  type Tag,
  type TagKid,
} from "./structure-tree.ts";
import { generatedParts } from "./tag-marks.ts";
import type { TagMarks } from "./take-marks.ts";

/** By page or form, the numbers of marked content that texts get, by the positions at which the texts begin in its content. */
export type GeneratedTexts = Map<number, Map<number, number>>;

type Input = TextInput & { marks: TagMarks };
/** `places` are the pages and forms, and `contents` are the numbers of their marked content in the tree. */
type TextInput = {
  file: PdfFile;
  places: ReadonlyMap<number, Place>;
  contents: ReadonlyMap<number, ReadonlyMap<number, unknown>>;
  fontsOf: FontsOf;
};
type Edge = "before" | "after";

/** Adds the texts to the tags. */
export function tagGeneratedTexts({ marks, ...input }: Input): GeneratedTexts {
  const generated: GeneratedTexts = new Map();
  const numbered = [...marks].filter(([, { kind, text }]) => kind === "list" && !bullets.test(text));
  if (numbered.length === 0 && ![...marks.values()].some(({ before, after }) => before || after)) return generated;
  const textsOf = textReader(input);
  const repeated = new Set([...marks].flatMap(([tag, { isRepeated }]) => (isRepeated ? [...tagsIn(tag)] : [])));
  const tagText = (tag: Tag, edge: Edge, pattern: RegExp): Tagged => {
    const inside = Array.from(tagsIn(tag), ({ kids }) => kids.filter(isContent)).flat();
    const content = edge === "before" ? inside[0] : inside.at(-1);
    if (!content || repeated.has(tag)) return noText;
    const number = content.stream ?? content.page;
    const texts = textsOf(number);
    const found = findTexts(texts, content.mcid, { edge, pattern });
    const contents = found.map((text) => {
      const mcid = texts.nextMcid++;
      texts.items.splice(texts.items.indexOf(text), 1);
      generated.set(number, (generated.get(number) ?? new Map<number, number>()).set(text.from, mcid));
      return { ...content, mcid };
    });
    return { contents, text: found.map(({ text }) => text).join("") };
  };
  const addText = (tag: Tag, edge: Edge, expected: string): void => {
    const { contents, text } = tagText(tag, edge, patternOf(expected));
    const isLeader = contents.length > 0 && expected.includes(generatedParts.leader);
    insert(tag, edge, isLeader ? [newTag("Span", contents, spokenWithoutLeader(text))] : contents);
  };
  // The texts of an inner element are nearer to its content.
  for (const [tag, { before, after }] of [...marks].toReversed()) {
    if (before) addText(tag, "before", before);
    if (after) addText(tag, "after", after);
  }
  for (const [list] of numbered.toReversed()) {
    for (const item of list.kids.filter(isTag)) {
      const isBare = item.type === "LI" && !item.kids.some((kid) => isTag(kid) && kid.type === "Lbl");
      const { contents } = isBare ? tagText(item, "before", marker) : noText;
      if (contents.length > 0) item.kids.unshift(newTag("Lbl", contents));
    }
  }
  return generated;
}

type Tagged = { contents: MarkedContent[]; text: string };
const noText: Tagged = { contents: [], text: "" };

/** Returns the entries of a tag whose text has no dots that lead to it. */
function spokenWithoutLeader(text: string): PdfDictionary {
  return dictionaryOf({ ActualText: textString(text.replace(/[^\p{L}\p{N}]{3,}/gu, " ")) });
}

/** How the marker of a numbered list looks, without spaces. */
const marker = /^\p{P}?[\p{L}\p{N}]{1,8}\p{P}{0,2}$/u;
/** These markers are drawings. */
const bullets = /^(?:Disc|Circle|Square)?$/;

const parts: Record<string, string> = {
  [generatedParts.leader]: "[^\\p{L}\\p{N}]*",
  [generatedParts.number]: "[\\p{L}\\p{N}]{1,12}(?:\\p{P}[\\p{L}\\p{N}]{1,12})*",
  [generatedParts.quote]: "[^\\p{L}\\p{N}]{1,3}",
};

/** Spaces are not compared, because lines can end between words, nor is case, because styles can change it. */
function patternOf(text: string): RegExp {
  const source = Array.from(
    withoutSpaces(text),
    (letter) => parts[letter] ?? letter.replace(/[\\^$.*+?()[\]{}|/-]/u, "\\$&"),
  ).join("");
  return new RegExp(`^${source}$`, "iu");
}

function withoutSpaces(text: string): string {
  return text.replace(/[\s\u00ad\u200b]+/g, "");
}

/** Puts content into a tag, but not into a box that can only have other tags. */
function insert(tag: Tag, edge: Edge, contents: TagKid[]): void {
  let into = tag;
  while (boxTypes.has(into.type)) {
    const inner = into.kids.filter(isTag).filter(({ type }) => type !== "Lbl");
    const next = edge === "before" ? inner[0] : inner.at(-1);
    if (!next) break;
    into = next;
  }
  if (edge === "before") into.kids.unshift(...contents);
  else into.kids.push(...contents);
}

/** A text object outside marked content, and where it begins. */
type Text = { from: number; text: string };
/** `items` are texts that have no tag yet and the numbers of marked content, in the order of the content. */
type PlaceTexts = { items: (Text | number)[]; nextMcid: number };

const isText = (item: Text | number): item is Text => typeof item !== "number";

/** A text with its own font for each letter has as many text objects. */
const maxTexts = 100;

/** Returns the texts next to marked content that together match. Styles can also move a text away, so then all other texts are searched. */
function findTexts({ items }: PlaceTexts, mcid: number, { edge, pattern }: { edge: Edge; pattern: RegExp }): Text[] {
  const at = edge === "before" ? items.indexOf(mcid) : items.lastIndexOf(mcid);
  const nearer = edge === "before" ? items.slice(0, at).toReversed() : items.slice(at + 1);
  const end = nearer.findIndex((item) => !isText(item));
  let found = matching(nearer.slice(0, end < 0 ? undefined : end).filter(isText), pattern, edge);
  const others = items.filter(isText);
  for (let from = 0; found.length === 0 && from < others.length; from++)
    found = matching(others.slice(from), pattern, "after");
  return found;
}

/** Returns the texts, in the order of the content, of which the first ones match; `texts` is in reverse order for "before". */
function matching(texts: readonly Text[], pattern: RegExp, edge: Edge): Text[] {
  let joined = "";
  for (const [index, { text }] of texts.slice(0, maxTexts).entries()) {
    joined = edge === "before" ? text + joined : joined + text;
    if (!pattern.test(joined)) continue;
    const found = texts.slice(0, index + 1);
    return edge === "before" ? found.toReversed() : found;
  }
  return [];
}

/** Returns a function that reads the content of a page or a form, at most once. */
function textReader({ file, places, contents, fontsOf }: TextInput) {
  const known = new Map<number, PlaceTexts>();
  const read = (number: number): PlaceTexts => {
    const place = places.get(number);
    if (!place) return { items: [], nextMcid: 0 };
    const texts = readTexts(decodedContent(file, place.stream).bytes, fontsOf(place.resources));
    // Chromium 127 also tags content that it has not painted.
    for (const mcid of contents.get(number)?.keys() ?? []) texts.nextMcid = Math.max(texts.nextMcid, mcid + 1);
    return texts;
  };
  return (number: number): PlaceTexts => {
    const texts = known.get(number) ?? read(number);
    known.set(number, texts);
    return texts;
  };
}

function readTexts(bytes: Uint8Array, fontOf: (key: string) => FontTexts | null): PlaceTexts {
  const texts: PlaceTexts = { items: [], nextMcid: 0 };
  let depth = 0;
  let font: FontTexts | null = null;
  let current: Text | null = null;
  const show = ({ operands }: Operation) => {
    if (current && font) for (const { text } of operands().flat().filter(isString)) current.text += font.decode(text);
  };
  const begin = ({ operator, operands }: Operation) => {
    depth++;
    const [tag, properties] = operands();
    const mcid = operator === "BDC" && isDictionary(properties) ? properties.get("MCID") : null;
    if (typeof mcid !== "number" && textOf(tag) !== "Artifact") return;
    current = null;
    if (typeof mcid !== "number") return;
    texts.items.push(mcid);
    texts.nextMcid = Math.max(texts.nextMcid, mcid + 1);
  };
  readContent(bytes, {
    BT: ({ from }) => (current = depth === 0 ? { from, text: "" } : null),
    Tf: ({ operands }) => (font = fontOf(textOf(operands()[0]))),
    Tj: show,
    TJ: show,
    ET() {
      if (current) current.text = withoutSpaces(current.text);
      if (current && current.text !== "") texts.items.push(current);
      current = null;
    },
    BMC: begin,
    BDC: begin,
    EMC: () => depth--,
  });
  return texts;
}
