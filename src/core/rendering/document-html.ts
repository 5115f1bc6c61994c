// From template and data to the one HTML document that the browser is given: self-contained, closed by a policy, with
// the page's geometry as CSS. What a template may rely on (classes, variables) is listed in the README.
import { assetName, type CompiledTemplate } from "../templates/compile-template.ts";
import type { DocumentFormat } from "../documents/document.ts";
import { everyCharacterFace } from "./every-character-font.ts";
import {
  escapeHtml,
  liquidRender,
  markupTooLarge,
  maxMarkupChars,
  type LiquidProblem,
  type ParsedLiquid,
} from "../liquid/liquid.ts";
import type { Margin, PageGeometry } from "./page-geometry.ts";

export type DocumentInput = {
  compiled: CompiledTemplate;
  /** Checked data, images as `data:` URIs. */
  data: Record<string, unknown>;
  id: string;
  createdAt: number;
  format: DocumentFormat;
  page: PageGeometry;
  /** PNG only: every box is exactly as high as the page, instead of at least. */
  fixedHeight: boolean;
};

export type DocumentHtml =
  /** `headChars`: the beginning of `html` that documents of one template version and page geometry have in common. */
  | { status: "ok"; html: string; headChars: number; markupChars: number }
  | { status: "problem"; problem: LiquidProblem };

/** Elements of the head that are the same in all documents of a template version: the metas and styles it begins with. */
export const commonHeadElements = 4;

/** Inlined bytes (base64 characters count as three quarters of a byte) in one document. */
const maxInlinedBytes = 20_000_000;

/** Closes the document by itself, whatever else guards it: no source but `data:`, no script, no form, no frame. */
export const contentSecurityPolicy =
  "default-src 'none'; img-src data:; font-src data:; style-src 'unsafe-inline' data:; base-uri 'none'; form-action 'none'";

export function documentHtml(input: DocumentInput): DocumentHtml {
  const { compiled, data, format } = input;
  const { manifest } = compiled;
  const inlined = inlinedFiles(compiled);
  const variables = {
    document: { id: input.id, createdAt: new Date(input.createdAt).toISOString() },
    ...inlined.hide(data),
  };
  const { render } = liquidRender(variables, {
    locale: manifest.locale,
    timeZone: manifest.timeZone,
    createdAt: input.createdAt,
    assetReference: inlined.assetReference,
    formatters: compiled.formatters,
  });
  const parts: string[] = [];
  // Header and footer belong to paper; a PNG shows the page files alone.
  const margins: [string, ParsedLiquid | null][] =
    format === "pdf"
      ? [
          ["header", compiled.header],
          ["footer", compiled.footer],
        ]
      : [];
  for (const [name, parsed] of margins) {
    const outcome = parsed && render(parsed);
    if (outcome?.status === "problem") return outcome;
    if (outcome) parts.push(`<template id="colophon-${name}">${outcome.value}</template>`);
  }
  parts.push("</head><body>");
  const sections: string[] = [];
  for (const [index, page] of compiled.pages.entries()) {
    const outcome = render(page);
    if (outcome.status === "problem") return outcome;
    // A page file without output is a page that this document does not have.
    if (isBlank(outcome.value)) continue;
    sections.push(`<section class="page page-${index + 1}">${outcome.value}</section>`);
  }
  parts.push(...(sections.length > 0 ? sections : ['<section class="page page-1"></section>']));
  const body = parts.join("\n");
  const markupChars = body.length - dataUriChars(body);
  if (markupChars > maxMarkupChars) return tooLarge(markupTooLarge);
  if (inlined.bytesIn(body) > maxInlinedBytes) {
    return tooLarge(`images and fonts inlined in the document come to more than ${maxInlinedBytes / 1e6} MB`);
  }
  const head = [
    `<!doctype html><html lang="${escapeHtml(manifest.locale)}"><head><meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`,
    `<style>${everyCharacterFace}${baseStyles(input, manifest.margin)}</style><style>${compiled.css}</style>`,
  ].join("");
  const title = `<title>${escapeHtml(manifest.title)}</title>`;
  const html = `${head}${title}${inlined.reveal(body)}</body></html>`;
  return { status: "ok", html, headChars: head.length, markupChars };
}

/** White space and comments. Walked, because a pattern for it takes quadratic time on comments that never close. */
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

function baseStyles({ page, format, fixedHeight }: DocumentInput, margin: Margin): string {
  const { top, right, bottom, left } = margin;
  const edges = `${top}px ${right}px ${bottom}px ${left}px`;
  const variables = [
    `--page-width:${page.cssWidth};--page-height:${page.cssHeight}`,
    `--margin-top:${top}px;--margin-right:${right}px;--margin-bottom:${bottom}px;--margin-left:${left}px`,
  ].join(";");
  const box = fixedHeight ? `height:${page.height}px;overflow:clip` : `min-height:${page.height}px`;
  const layout =
    format === "pdf"
      ? `@page{size:${page.cssWidth} ${page.cssHeight};margin:${edges}}.page+.page{break-before:page}`
      : `.page{box-sizing:border-box;width:${page.width}px;${box};padding:${edges}}`;
  return [
    `:root{${variables};-webkit-print-color-adjust:exact;print-color-adjust:exact}`,
    "html,body{margin:0;padding:0}body{font:14px/1.5 'Open Sans',sans-serif}.page{position:relative}",
    `.page-header{box-sizing:border-box;width:${page.width}px;padding:24px ${right}px 12px ${left}px}`,
    `.page-footer{box-sizing:border-box;width:${page.width}px;padding:12px ${right}px 24px ${left}px}`,
    layout,
  ].join("");
}

/**
 * While Liquid runs, a file is a short reference: markup is then counted without its images, and megabytes of base64
 * are neither escaped nor copied on the way.
 */
function inlinedFiles(compiled: CompiledTemplate) {
  const uris: string[] = [];
  const numbers = new Map<string, number>();
  // Random, so that no text of a caller is taken for a reference.
  const mark = `colophon-file-${crypto.randomUUID()}`;
  const references = new RegExp(`${mark}:(\\d+);`, "g");
  const reference = (uri: string): string => {
    const number = numbers.get(uri) ?? uris.push(uri) - 1;
    numbers.set(uri, number);
    return `${mark}:${number};`;
  };
  const hide = (value: unknown): unknown => {
    // Only a caller's own can hold what HTML reads differently.
    if (typeof value === "string") return /^data:image\//i.test(value) ? reference(escapeHtml(value)) : value;
    if (Array.isArray(value)) return value.map(hide);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, hide(entry)]));
  };
  return {
    hide: (data: Record<string, unknown>) => hide(data) as Record<string, unknown>,
    assetReference: (name: string): string => {
      const uri = compiled.assetUris.get(assetName(name));
      if (uri === undefined) throw new Error(`there is no file assets/${name}`);
      return reference(uri);
    },
    reveal: (markup: string): string =>
      markup.replace(references, (whole, number: string) => uris[Number(number)] ?? whole),
    /** Before anything is copied: each mention of a file counts. */
    bytesIn: (markup: string): number => {
      let chars = compiled.css.length;
      for (const [, number] of markup.matchAll(references)) chars += uris[Number(number)]?.length ?? 0;
      return (chars * 3) / 4;
    },
  };
}

function dataUriChars(markup: string): number {
  let chars = 0;
  for (const [uri] of markup.matchAll(/data:[^"'()\s<>]*/gi)) chars += uri.length;
  return chars;
}
