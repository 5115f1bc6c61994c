// Takes the tags of an HTML page one after the other. A tag that becomes a style sheet, an asset or a property of the template is cut from
// the markup, and so is a tag that would have no effect in a document or prevent a push.
import { quoted } from "colophon-base/text";
import { canonicalLocale, isKnownLanguage } from "colophon-liquid/locale";
import { markupPieces, type Attribute, type MarkupPiece, type MarkupTag } from "colophon-template-checks/markup-styles";
import type { StyleEdit } from "colophon-template-model/reference-styles";
import { findAsset } from "./found-assets.ts";
import {
  inMedia,
  isForScreens,
  preparedStyles,
  styleFile,
  type ImportedStyles,
  type StylePlace,
} from "./page-styles.ts";

/** A page that is being imported. */
export type OpenPage = {
  /** The page's name in warnings. */
  file: string;
  text: string;
  pieces: readonly MarkupPiece[];
  lineAt(index: number): number;
  styles: ImportedStyles;
  edits: StyleEdit[];
  /** Pieces before this position have been cut. */
  cutUntil: number;
  /** The elements of `html`, `head` and `body` whose tags stay, because they have attributes. */
  kept: Set<string>;
  /** The styles so far. */
  sheets: string[];
  title: string | null;
  locale: string | null;
};

export async function takeTag(page: OpenPage, index: number): Promise<void> {
  const tag = page.pieces[index];
  if (!tag || tag.kind === "text" || tag.start < page.cutUntil) return;
  if (tag.kind === "end") return takeEnd(page, tag);
  const take = tag.isForeign ? undefined : takers.get(tag.name);
  if (take) await take(page, tag, index);
  if (tag.start >= page.cutUntil) await takeAttributes(page, tag);
}

function takeEnd(page: OpenPage, { name, start, end }: MarkupTag): void {
  if (/^(?:html|head|body)$/.test(name) && !page.kept.has(name)) cut(page, start, end);
}

type Take = (page: OpenPage, tag: MarkupTag, index: number) => Promise<void> | void;

const takers = new Map<string, Take>([
  ["html", takeRoot],
  ["head", cutTag],
  ["body", takeRoot],
  ["title", takeTitle],
  ["meta", takeMeta],
  ["base", (page, tag) => leaveOut(page, tag, "has no effect in a document")],
  ["link", takeLink],
  ["style", takeStyle],
  ["script", (page, tag, index) => leaveOut(page, tag, "never runs", endOf(page, index))],
  ["source", cutTag],
  ["img", takeImage],
]);

/** The document has the tags without attributes, and the template has the language. */
function takeRoot(page: OpenPage, { name, start, end, attributes }: MarkupTag): void {
  const useless = attributes.filter((each) => name === "html" && /^(?:xmlns.*|version|(?:xml:)?lang)$/.test(each.name));
  for (const attribute of useless) {
    const { value } = attribute;
    const locale = attribute.name.endsWith("lang") ? canonicalLocale(value.trim()) : null;
    if (locale !== null && isKnownLanguage(locale)) page.locale ??= locale;
    else if (attribute.name === "lang") warn(page, attribute.start, `the language ${quoted(value)} was left out`);
    cutAttribute(page, attribute);
  }
  if (attributes.length > useless.length) page.kept.add(name);
  else cut(page, start, end);
}

/** Character references are decoded in attributes. */
function takeTitle(page: OpenPage, { start, end }: MarkupTag, index: number): void {
  const next = page.pieces[index + 1];
  const content = next?.kind === "text" ? page.text.slice(end, next.end) : "";
  if (hasLiquid(content)) return;
  const [tag] = markupPieces(`<i title="${content.replaceAll('"', "&quot;")}">`).pieces;
  const title = tag?.kind === "start" ? (valueOf(tag, "title") ?? "").replace(/[\s\p{Cc}]+/gu, " ").trim() : "";
  if (title !== "") page.title ??= title;
  cut(page, start, endOf(page, index));
}

/** The PDF has these as metadata. */
const keptMetas = /^(?:author|description|keywords)$/i;

function takeMeta(page: OpenPage, tag: MarkupTag): void {
  if (!keptMetas.test(valueOf(tag, "name") ?? "")) cutTag(page, tag);
}

async function takeLink(page: OpenPage, tag: MarkupTag): Promise<void> {
  const relations = (valueOf(tag, "rel") ?? "").toLowerCase().split(/\s+/);
  const href = valueOf(tag, "href") ?? "";
  if (!relations.includes("stylesheet")) return leaveOut(page, tag, "has no effect in a document");
  if (relations.includes("alternate") || !isCss(tag)) return leaveOut(page, tag, "is not a style sheet for prints");
  if (hasCode(href)) return;
  page.sheets.push(await styleFile(page.styles, href, placeOf(page, tag.start), valueOf(tag, "media") ?? ""));
  cut(page, tag.start, tag.end);
}

async function takeStyle(page: OpenPage, tag: MarkupTag, index: number): Promise<void> {
  const content = page.pieces[index + 1];
  // Old pages hide their styles in a comment of HTML, which CSS ignores.
  const css =
    content?.kind === "text" ? page.text.slice(content.start, content.end).replace(/^\s*<!--|-->\s*$/g, "") : "";
  const media = valueOf(tag, "media") ?? "";
  if (hasLiquid(css)) return;
  if (!isCss(tag) || isForScreens(media))
    return leaveOut(page, tag, "is not a style sheet for prints", endOf(page, index));
  page.sheets.push(inMedia(await preparedStyles(page.styles, css, placeOf(page, tag.end)), media));
  cut(page, tag.start, endOf(page, index));
}

function isCss(tag: MarkupTag): boolean {
  return /^\s*(?:text\/css\s*)?$/i.test(valueOf(tag, "type") ?? "");
}

/** A document shows one file, at its full size. */
async function takeImage(page: OpenPage, { attributes }: MarkupTag): Promise<void> {
  const [src, srcset, sizes] = ["src", "srcset", "sizes"].map((name) => attributes.find((each) => each.name === name));
  const shown = src ?? srcset;
  if (!shown || hasCode(shown.value)) return;
  const [reference = ""] = src ? [src.value.trim()] : shown.value.trim().split(/,?\s+/);
  await takeReference(page, shown, "src", reference);
  for (const each of [srcset, sizes]) if (each && each !== shown) cutAttribute(page, each);
}

/** Writes the asset into the attribute, or cuts it if there is none. */
async function takeReference(page: OpenPage, attribute: Attribute, name: string, reference: string): Promise<void> {
  const { start, end } = attribute;
  const found = await findAsset(page.styles.assets, reference, "", "image");
  if (found.status === "refused") {
    warn(page, start, `${quoted(reference)} cannot be used (${found.reason}), and was left out`);
    return cutAttribute(page, attribute);
  }
  const value = found.name === null ? escaped(reference) : `{{ '${found.name}' | asset }}`;
  page.edits.push({ start, end, text: `${name}="${value}"` });
}

/** The attributes that name an image, with their elements. An `<img>` has been taken before. */
const imageAttributes = new Map([
  ["src", /^input$/],
  ["href", /^(?:image|feimage|use)$/],
  ["xlink:href", /^(?:image|feimage|use)$/],
  ["background", /^(?:body|table|thead|tbody|tfoot|tr|td|th)$/],
]);

async function takeAttributes(page: OpenPage, tag: MarkupTag): Promise<void> {
  for (const attribute of tag.attributes) {
    const { name, value, start, end } = attribute;
    if (hasCode(value)) continue;
    if (name === "style" && /url|image/i.test(value)) {
      const css = await preparedStyles(page.styles, value, placeOf(page, start), "style");
      if (css !== value.trim()) page.edits.push({ start, end, text: `style="${escaped(css)}"` });
    }
    if (!imageAttributes.get(name)?.test(tag.name) || value.trim().startsWith("#")) continue;
    if (tag.name !== "use") await takeReference(page, attribute, name, value.trim());
    else {
      warn(page, start, `the shape ${quoted(value)} of a different file was left out`);
      cutAttribute(page, attribute);
    }
  }
}

function valueOf({ attributes }: MarkupTag, name: string): string | null {
  return attributes.find((each) => each.name === name)?.value ?? null;
}

function hasLiquid(text: string): boolean {
  return /\{[{%]/.test(text);
}

/** Returns whether an attribute has Liquid, or code of a different engine, which a check names. */
function hasCode(value: string): boolean {
  return hasLiquid(value) || /^\s*(?:\{[#$!]|<[?%]|\$[A-Za-z])/.test(value);
}

function escaped(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

function placeOf({ file, lineAt }: OpenPage, index: number): StylePlace {
  return { file, folder: "", line: lineAt(index) };
}

/** Returns the end of an element whose content is text. */
function endOf({ pieces, text }: OpenPage, index: number): number {
  const start = pieces[index];
  const end = pieces.slice(index + 1, index + 3).find((piece) => piece.kind === "end");
  return start?.kind === "start" && end?.kind === "end" && end.name === start.name ? end.end : text.length;
}

function warn(page: OpenPage, index: number, message: string): void {
  page.styles.warnings.push({ file: page.file, line: page.lineAt(index), message });
}

function leaveOut(page: OpenPage, { start, end }: MarkupTag, reason: string, elementEnd = end): void {
  const tag = page.text.slice(start, end).replace(/\s+/g, " ");
  warn(page, start, `${quoted(tag)} ${reason}, and was left out`);
  cut(page, start, elementEnd);
}

/** Cuts a range, and its line if nothing else is in it. */
function cut(page: OpenPage, start: number, end: number): void {
  page.cutUntil = Math.max(page.cutUntil, end);
  const before = /(?:^|\n)[ \t]*$/.exec(page.text.slice(Math.max(0, start - 200), start))?.[0];
  const after = /^[ \t]*\r?\n/.exec(page.text.slice(end, end + 200))?.[0];
  const isLine = before !== undefined && after !== undefined;
  const indent = isLine ? before.replace("\n", "").length : 0;
  page.edits.push({ start: start - indent, end: end + (isLine ? after.length : 0), text: "" });
}

function cutTag(page: OpenPage, { start, end }: MarkupTag): void {
  cut(page, start, end);
}

function cutAttribute(page: OpenPage, { start, end }: Attribute): void {
  const space = /\s*$/.exec(page.text.slice(Math.max(0, start - 50), start))?.[0] ?? "";
  page.edits.push({ start: start - space.length, end, text: "" });
}
