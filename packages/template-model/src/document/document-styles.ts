// The styles at the beginning of every document: the page's geometry, and the classes and variables that a template may use.
import type { DocumentFormat } from "colophon-page/document-format";
import type { Margin, PageGeometry } from "colophon-page/page-geometry";
import { familyList, monospaceScale } from "colophon-page/service-families";

export type StylesInput = {
  page: PageGeometry;
  margin: Margin;
  format: DocumentFormat;
  /** Only for an image. If true, every page box is exactly as high as the page; if false, a box may be higher. */
  fixedHeight: boolean;
  /** Whether the body is the box of the only page file. By default, each page file has a box. */
  isBodyPage?: boolean;
};

/**
 * The font size of `html` unless the template sets it. Its difference from 16 px is so small that `1rem` is 16 px in every
 * output, but large enough for `body` to distinguish it from any size that a template sets, even 16 px.
 */
const rootSizePx = 16.0001;
/** A length below zero if `html` has the default size; otherwise a length above zero. */
const rootSizeDeviation = `(max(1rem - ${rootSizePx}px,${rootSizePx}px - 1rem) - .00005px)`;
/** 14 px if `html` has the default size; otherwise the size of `html`. */
const bodySize = `max(min(1rem,1e6*${rootSizeDeviation}),min(14px,-1e6*${rootSizeDeviation}))`;
/**
 * The default font. `:where` has no specificity, so every rule of a template for `html` or `body` overrides it. The selector is
 * `:root`, because pictures of headers and footers have no `html` element.
 */
const defaultFont = `:where(:root){font:${rootSizePx}px/1.5 ${familyList("sans")}}:where(body){font-size:${bodySize}}`;

const code = "pre,code,kbd,samp,tt,listing,xmp,plaintext";
const dateInputs = ["date", "datetime-local", "month", "time", "week"].map((type) => `input[type=${type} i]`).join();
/**
 * The fonts of the elements for which Chromium's own styles use a system font. Code is 13/16 as large as the text around it, as in
 * every browser, unless a style sets a font other than `monospace`.
 */
const elementFonts = [
  `:where(button,input,select){font-family:${familyList("sans")}}::file-selector-button{font-family:inherit}`,
  `:where(math){font-family:${familyList("math")}}`,
  `:where(${code},textarea,${dateInputs}){font-family:${familyList("mono")}}`,
  `:where(${code}){font-size:calc(var(${monospaceScale})*1em)}:where(${code}) :where(${code}){font-size:1em}`,
].join("");
const scaleProperty = `@property ${monospaceScale}{syntax:"<number>";inherits:false;initial-value:.8125}`;

/**
 * Whether Chromium rounds glyph widths depends on its mode and on the machine; this value prevents rounding. Newer versions
 * remove the space around Chinese and Japanese punctuation, and older ones do not. Form controls inherit neither value. Older
 * versions make an `h1` smaller for each enclosing `section`. Newer versions do not.
 */
const sameOnEveryBrowser =
  ":where(:root,input,textarea,select,button){text-rendering:geometricPrecision;text-spacing-trim:space-all}:where(h1){font-size:2em;margin-block:.67em}";

/** A heading must not be at the foot of a page without the text that follows it. */
const keptHeadings = ":where(h1,h2,h3,h4,h5,h6){break-after:avoid}";

/** The parents of headers and footers. Content may have elements of the same classes. */
const hosts = ":where(body+body,colophon-sheet)";

export function documentStyles({ page, margin, format, fixedHeight, isBodyPage = false }: StylesInput): string {
  const { top, right, bottom, left } = margin;
  const edges = `${top}px ${right}px ${bottom}px ${left}px`;
  const variables = [
    `--page-width:${page.cssWidth};--page-height:${page.cssHeight}`,
    `--margin-top:${top}px;--margin-right:${right}px;--margin-bottom:${bottom}px;--margin-left:${left}px`,
  ].join(";");
  // As specific as a class, so that a rule for `.page` overrides it, but a rule for `body` does not.
  const box = isBodyPage ? ":root>:where(body)" : ".page";
  return [
    `:root{${variables};-webkit-print-color-adjust:exact;print-color-adjust:exact}`,
    // The first layer is also overridden by the template's layers.
    `${scaleProperty}@layer colophon{:where(html,body){margin:0;padding:0}${defaultFont}${elementFonts}${sameOnEveryBrowser}${keptHeadings}}`,
    // Every page is as high as its paper, so a height or a scroll box of the body could only cut its text or add a blank page.
    "html,body{max-height:none!important;overflow:visible!important}",
    // The page script limits the height of a body that is the page of a PDF.
    isBodyPage && format === "pdf" ? "" : "html,body{height:auto!important;min-height:0!important}",
    // Without a position, positions inside the body are relative to the first page.
    isBodyPage && format === "pdf" ? "" : `${box}{position:relative}`,
    `${hosts}>.page-header{box-sizing:border-box;width:${page.width}px;padding:24px ${right}px 12px ${left}px}`,
    `${hosts}>.page-footer{box-sizing:border-box;width:${page.width}px;padding:12px ${right}px 24px ${left}px}`,
    format === "pdf" ? pdfLayout(page, edges, isBodyPage) : `${box}{${imageLayout(page, edges, fixedHeight)}}`,
    isBodyPage && format !== "pdf" ? bodyOfImage(page, fixedHeight) : "",
  ].join("");
}

/** The page script adds the size of pages with the height "auto", which contain their floats and margins. */
function pdfLayout({ cssWidth, cssHeight, height }: PageGeometry, edges: string, isBodyPage: boolean): string {
  if (height === "auto") return `@page{margin:${edges}}.page{display:flow-root}`;
  const breaks = isBodyPage ? "" : ":where(.page+.page){break-before:page}";
  return `@page{size:${cssWidth} ${cssHeight};margin:${edges}}${breaks}`;
}

function imageLayout({ width, height }: PageGeometry, edges: string, fixedHeight: boolean): string {
  const exact = `height:${height}px;overflow:clip`;
  const atLeast = height === "auto" ? "display:flow-root" : `min-height:${height}px`;
  return `box-sizing:border-box;width:${width}px;${fixedHeight ? exact : atLeast};padding:${edges}`;
}

/** The size of a body that is the page of an image is the page's, and its margins are the padding of `.page`. */
function bodyOfImage({ height }: PageGeometry, fixedHeight: boolean): string {
  const heights = fixedHeight ? `height:${height}px!important` : `min-height:${height}px!important`;
  return `body{margin:0!important;max-width:none!important;${heights}}`;
}
