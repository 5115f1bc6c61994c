// Turns a template and data into the single HTML document that the browser loads. The document is self-contained, is
// restricted by a content security policy, and contains the page's geometry as CSS.
import {
  liquidRender,
  type LiquidProblem,
  type LiquidRender,
  type Outcome,
  type ParsedLiquid,
  type SlicedWork,
} from "../liquid/liquid.ts";
import { markupTooLarge, maxMarkupChars } from "../liquid/meter.ts";
import { escapeHtml } from "../liquid/values/text.ts";
import { WithProperties } from "../liquid/values/value.ts";
import type { CompiledTemplate } from "../templates/compile-template.ts";
import type { TemplateData } from "../templates/template-data.ts";
import { documentStyles, type StylesInput } from "./document-styles.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { everyCharacterFace } from "./every-character-font.ts";
import { inlinedFiles, type InlinedFiles } from "./inlined-files.ts";

export type DocumentInput = Omit<StylesInput, "margin"> & {
  compiled: CompiledTemplate;
  /**
   * The images must already be inlined as `data:` URIs. Any other image URL stays in the HTML, but the browser does not
   * load it.
   */
  data: TemplateData;
  id: string;
  createdAt: number;
};

export type DocumentHtml =
  /**
   * `headChars` is the number of characters at the beginning of `html` that are the same in all documents with the same
   * template version and `StylesInput`.
   */
  | { status: "ok"; html: string; headChars: number; markupChars: number }
  | { status: "problem"; problem: LiquidProblem };

/** The number of elements in the first `headChars` characters of a document: two `meta` and two `style` elements. */
export const commonHeadElements = 4;

/** The maximum number of inlined bytes in one document; each base64 character counts as three quarters of a byte. */
const maxInlinedBytes = 20_000_000;

/** The length of markup above which inserting the files takes more than a few milliseconds. */
const longBodyChars = 200_000;

export function* documentHtml(input: DocumentInput): SlicedWork<DocumentHtml> {
  const inlined = inlinedFiles(input.compiled.assetUris);
  const rendered = yield* renderBody(input, inlined);
  if (rendered.status === "problem") return rendered;
  const body = rendered.value;
  // Other requests may run before the files are copied into a long text.
  if (body.length > longBodyChars) yield body.length;
  const markupChars = body.length - dataUriChars(body);
  if (markupChars > maxMarkupChars) return tooLarge(markupTooLarge);
  // The size is checked before the files are copied into the markup.
  if (((input.compiled.css.length + inlined.charsIn(body)) * 3) / 4 > maxInlinedBytes) {
    return tooLarge(`the images and fonts inlined in the document exceed ${maxInlinedBytes / 1e6} MB in total`);
  }
  const head = commonHead(input);
  const title = `<title>${escapeHtml(input.compiled.manifest.title)}</title>`;
  const html = `${head}${title}${inlined.resolvePlaceholders(body)}</body></html>`;
  return { status: "ok", html, headChars: head.length, markupChars };
}

/**
 * Renders the header, the footer and the pages, with placeholders for files. The result begins with the `template`
 * elements at the end of the head and ends with the last page.
 */
function* renderBody(input: DocumentInput, inlined: InlinedFiles): SlicedWork<Outcome<string>> {
  const { compiled, format } = input;
  const { render } = startLiquid(input, inlined);
  // Only a PDF has headers and footers; a PNG shows only the page files.
  const margins: [string, ParsedLiquid | null][] =
    format === "pdf"
      ? [
          ["header", compiled.header],
          ["footer", compiled.footer],
        ]
      : [];
  const parts: string[] = [];
  for (const [name, parsed] of margins) {
    const outcome = parsed && (yield* render(parsed));
    if (outcome?.status === "problem") return outcome;
    if (outcome) parts.push(`<template id="colophon-${name}">${outcome.value}</template>`);
  }
  parts.push("</head><body>");
  const sections: string[] = [];
  for (const [index, page] of compiled.pages.entries()) {
    const outcome = yield* render(page);
    if (outcome.status === "problem") return outcome;
    // A page file whose output is blank adds no page to the document.
    if (isBlank(outcome.value)) continue;
    sections.push(`<section class="page page-${index + 1}">${outcome.value}</section>`);
  }
  parts.push(...(sections.length > 0 ? sections : ['<section class="page page-1"></section>']));
  return { status: "ok", value: parts.join("\n") };
}

function startLiquid({ compiled, data, id, createdAt }: DocumentInput, inlined: InlinedFiles): LiquidRender {
  const { manifest, formatters } = compiled;
  const values = inlined.insertPlaceholders(data);
  // A field may be called `document` too; its properties are then available in addition to those of the document
  // itself.
  const properties = { id, createdAt: new Date(createdAt).toISOString() };
  return liquidRender(
    { ...values, document: new WithProperties(properties, values["document"]) },
    {
      locale: manifest.locale,
      timeZone: manifest.timeZone,
      createdAt,
      assetReference: inlined.assetReference,
      formatters,
    },
  );
}

function commonHead(input: DocumentInput): string {
  const { manifest, css } = input.compiled;
  const styles = documentStyles({ ...input, margin: manifest.margin });
  return [
    `<!doctype html><html lang="${escapeHtml(manifest.locale)}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`,
    `<style>${everyCharacterFace}${styles}</style><style>${css}</style>`,
  ].join("");
}

/**
 * Whether the markup consists only of white space and comments. Uses a loop, because a regular expression would take
 * quadratic time on comments without an end.
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

function dataUriChars(markup: string): number {
  let chars = 0;
  for (const [uri] of markup.matchAll(/data:[^"'()\s<>]*/gi)) chars += uri.length;
  return chars;
}
