// Builds the single HTML document that the browser loads from a template and data. The document is self-contained, is restricted by
// a content security policy, and contains the page's geometry as CSS.
import { isRightToLeft } from "colophon-base/text-direction";
import type { DocumentScope } from "colophon-liquid-filters/filters";
import { messagesFor } from "colophon-liquid-filters/messages";
import {
  liquidRender,
  type LiquidProblem,
  type LiquidRender,
  type Outcome,
  type SlicedWork,
} from "colophon-liquid/liquid";
import { formattingLocale } from "colophon-liquid/locale";
import { markupTooLarge, maxMarkupChars } from "colophon-liquid/meter";
import { escapeHtml, WithProperties } from "colophon-liquid/values";
import type { MarginContent } from "colophon-page/margin-markups";
import { missingGlyphFace } from "colophon-page/missing-glyph-font";
import { bodyPageMark } from "colophon-page/prepared-page";
import type { InlinedFile } from "colophon-page/resolve-files";
import type { CompiledTemplate } from "../compile-template.ts";
import type { TemplateData } from "../template-data.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { documentStyles, type StylesInput } from "./document-styles.ts";
import { everyCharacterFace } from "./every-character-font.ts";
import { dataUriChars, inlinedFiles, maxInlinedBytes, type InlinedFiles } from "./inlined-files.ts";
import { probePages, type PageInfo, exampleValues } from "./margins/page-info.ts";
import { marginRenderer, pageVariable, type MarginFile, type MarginRenderer } from "./margins/page-margins.ts";
import { charactersOf, type TextCharacters } from "./text-characters.ts";

export type DocumentInput = Omit<StylesInput, "margin" | "isBodyPage"> & {
  compiled: CompiledTemplate;
  /**
   * Images must already be inlined as `data:` URIs. Any other image URL stays in the HTML, but the browser does not load it.
   */
  data: TemplateData;
  id: string;
  createdAt: number;
  /**
   * The language of the document: its tag, its messages, and the format of its numbers and dates. The default is the template's
   * language.
   */
  locale?: string | undefined;
};

/** The parts of a job that come from the template and the data. */
export type JobMarkup = {
  /** HTML with a placeholder for each file in `files`. The last `style` element of its head is empty; see `css`. */
  html: string;
  /**
   * The number of characters at the beginning of `html` that all documents with the same template version, page size and format
   * share.
   */
  headChars: number;
  /** The template's styles, with a placeholder for each file in `styleFiles`. */
  css: string;
  /** Each file that `css` shows. */
  styleFiles: readonly InlinedFile[];
  /** The headers and footers of a PDF. There may be several for an edge that reads `page`; see `page-margins.ts`. */
  marginContents: MarginContent[];
  /** The names of the page values that the headers and footers read. */
  valueNames: string[];
  /** Each file that `html` and `marginContents` show. */
  files: InlinedFile[];
  /** The length of the markup in characters for the log, excluding inlined files. */
  markupChars: number;
};

export type DocumentHtml =
  /**
   * `margins` is null unless the header or the footer reads `page`. `characters` are the document's characters. The other properties
   * belong to a job of the renderer.
   */
  | ({ status: "ok"; margins: MarginRenderer | null; characters: TextCharacters } & JobMarkup)
  | { status: "problem"; problem: LiquidProblem };

/** The number of elements in the first `headChars` characters of a document: two `meta` and two `style` elements. */
export const commonHeadElements = 4;

/** The length of markup above which inserting the files takes more than a few milliseconds. */
const longBodyChars = 200_000;

export function* documentHtml(input: DocumentInput): SlicedWork<DocumentHtml> {
  const rendering = startLiquid(input);
  const { inlined } = rendering;
  const rendered = yield* renderBody(input, rendering);
  if (rendered.status === "problem") return rendered;
  const { pages, marginContents } = rendered.value;
  // The limits apply to all markup together.
  const markup = [...pages, ...marginContents.map((content) => content.markup)].join("\n");
  // Other requests may run before the files are copied into long markup. Memory for a large document was already requested while Liquid
  // ran.
  if (markup.length > longBodyChars) yield { isLarge: false };
  const markupChars = markup.length - dataUriChars(markup);
  if (markupChars > maxMarkupChars) return tooLarge(markupTooLarge);
  // The size is checked before the files are copied into the markup.
  const { css, styleFiles, styleChars } = input.compiled;
  const inlinedChars = styleChars + inlined.charsIn(markup);
  if ((inlinedChars * 3) / 4 > maxInlinedBytes) {
    return tooLarge(`the images and fonts inlined in the document exceed ${maxInlinedBytes / 1e6} MB in total`);
  }
  const head = commonHead(input);
  const title = `<title>${escapeHtml(input.compiled.manifest.title)}</title>`;
  const mark = isBodyPage(input) ? `<!--${bodyPageMark}-->` : "";
  const body = pages.length === 0 ? '<div class="page page-1"></div>' : mark + pages.join("\n");
  const html = `${head}${title}</head><body>${body}</body></html>`;
  const files = inlined.filesIn([markup]);
  const margins = marginRenderer({ ...rendering, inlinedChars, margins: marginFiles(input), known: files });
  const { valueNames } = input.compiled;
  const parts = { html, headChars: head.length, css, styleFiles, marginContents, valueNames, files, markupChars };
  const texts = [title, ...pages, ...marginContents.map((content) => content.markup)];
  return { status: "ok", ...parts, margins, characters: yield* charactersOf(texts, input.compiled.styleCharacters) };
}

/** `pageField` is the value of the template's own field `page`; undefined if it has none. */
type Rendering = { liquid: LiquidRender; inlined: InlinedFiles; pageField: unknown };

function startLiquid(input: DocumentInput): Rendering {
  const { compiled, data, id, createdAt } = input;
  const { manifest, assetUris, formatters, parts, messages } = compiled;
  const locale = input.locale ?? manifest.locale;
  const inlined = inlinedFiles(assetUris);
  const values = inlined.insertPlaceholders(data);
  // A field may also be named `document`; its properties are then available in addition to the document's own.
  const properties = { id, createdAt: new Date(createdAt).toISOString(), locale };
  // The complete data, so that it can be passed to a part. A field named `data` replaces it, even if the field is absent.
  const whole = manifest.fields.some(({ key }) => key === "data") ? {} : { data: values };
  const scope: DocumentScope = {
    locale: formattingLocale(locale),
    // A tag with a region would be parsed in each call, which takes 2 to 8 µs.
    language: locale.split("-")[0] ?? locale,
    timeZone: manifest.timeZone,
    createdAt,
    assetReference: inlined.assetReference,
    formatters,
    messages: messages ? messagesFor(messages, locale, manifest.locale) : undefined,
  };
  const liquid = liquidRender(
    { ...whole, ...values, document: new WithProperties(properties, values["document"]) },
    scope,
    { parts, globals: ["document"] },
  );
  return { liquid, inlined, pageField: values["page"] };
}

type RenderedBody = { pages: string[]; marginContents: MarginContent[] };

/**
 * Renders the header, the footer and the pages, with placeholders for files. Each of several page files becomes a `div`, because
 * templates frequently have rules for `section` that are not meant for the page.
 */
function* renderBody(input: DocumentInput, rendering: Rendering): SlicedWork<Outcome<RenderedBody>> {
  const pages: string[] = [];
  for (const [index, parsed] of input.compiled.pages.entries()) {
    const outcome = yield* rendering.liquid.render(parsed);
    if (outcome.status === "problem") return outcome;
    // A page file whose output is blank adds no page to the document.
    if (isBlank(outcome.value)) continue;
    const page = outcome.value;
    pages.push(isBodyPage(input) ? page : `<div class="page page-${index + 1}">${page}</div>`);
  }
  const { manifest, valueNames } = input.compiled;
  // The template's title is probably in the same script as the section titles, and about as long.
  const probes = probePages(manifest.title, exampleValues(pages, valueNames));
  const marginContents: MarginContent[] = [];
  for (const margin of marginFiles(input)) {
    const markups = yield* renderMargin(rendering, margin, probes);
    if (markups.status === "problem") return markups;
    for (const markup of markups.value) marginContents.push({ edge: margin.edge, markup, readsPage: margin.readsPage });
  }
  return { status: "ok", value: { pages, marginContents } };
}

/** Whether the body is the box of the only page file. Automatic height measures a box inside the body. */
function isBodyPage({ compiled, page }: DocumentInput): boolean {
  return compiled.pages.length === 1 && page.height !== "auto";
}

function marginFiles({ compiled, format }: DocumentInput): MarginFile[] {
  // Only a PDF has headers and footers; an image shows only the page files.
  if (format !== "pdf") return [];
  const { header, footer, readsPage } = compiled;
  const files: MarginFile[] = [];
  if (header) files.push({ edge: "header", parsed: header, readsPage: readsPage.header });
  if (footer) files.push({ edge: "footer", parsed: footer, readsPage: readsPage.footer });
  return files;
}

/**
 * Returns the markup of a header or footer. If the file reads `page`, the result is the distinct markups for a few imaginary
 * pages, because the pages of the document are known only after it is printed.
 */
function* renderMargin(
  { liquid, pageField }: Rendering,
  { parsed, readsPage }: MarginFile,
  probes: PageInfo[],
): SlicedWork<Outcome<Iterable<string>>> {
  const markups = new Set<string>();
  const variables = readsPage ? probes.map((page) => pageVariable(page, pageField)) : [{}];
  for (const own of variables) {
    const outcome = yield* liquid.render(parsed, own);
    if (outcome.status === "problem") return outcome;
    markups.add(outcome.value);
  }
  return { status: "ok", value: markups };
}

/** Returns the head up to the second `style` element, which the page script fills with the template's styles. */
function commonHead(input: DocumentInput): string {
  const { manifest } = input.compiled;
  const locale = input.locale ?? manifest.locale;
  const styles = documentStyles({ ...input, margin: manifest.margin, isBodyPage: isBodyPage(input) });
  const direction = isRightToLeft(locale) ? ' dir="rtl"' : "";
  return [
    `<!doctype html><html lang="${escapeHtml(locale)}"${direction}><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`,
    `<style>${everyCharacterFace}${missingGlyphFace}${styles}</style><style></style>`,
  ].join("");
}

/**
 * Returns whether the markup consists only of white space and comments. Uses a loop, because a regular expression would take
 * quadratic time on unclosed comments.
 */
function isBlank(markup: string): boolean {
  let rest = markup.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    if (end < 0) return true;
    rest = rest.slice(end + 3).trimStart();
  }
  return rest === "";
}

function tooLarge(reason: string): DocumentHtml {
  return { status: "problem", problem: { file: "pages", line: 1, reason } };
}
