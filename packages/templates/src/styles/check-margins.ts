// Finds what other programs print in headers and footers, but documents do not: the elements into which wkhtmltopdf and Chromium write
// page numbers, page references, and numbers that a table of contents does not show.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { withMarks } from "colophon-liquid/marks";
import type { FileWarning } from "colophon-template-model/template";
import { areInline, tagNames } from "./check-scope.ts";
import { findForeign } from "./foreign-css.ts";

type Source = { file: string; text: string };

/** Returns the header, the footer, and the parts that one of them names. */
export function marginSources(sources: readonly Source[]): Source[] {
  const margins = sources.filter(({ file }) => /^(?:header|footer)\.liquid$/.test(file));
  const named = margins.flatMap(({ text }) => Array.from(text.matchAll(/["']([^"'\n]+)["']/g), ([, name]) => name));
  return [...margins, ...sources.filter(({ file }) => named.includes(/parts\/(.+)\.liquid$/.exec(file)?.[1]))];
}

/** `sources` are all Liquid files, `margins` are the files of headers and footers, and `css` is all CSS. */
export function marginWarnings(sources: readonly Source[], margins: readonly Source[], css: string): FileWarning[] {
  return sources.flatMap(({ file, text }) => {
    const isMargin = margins.some((margin) => margin.file === file);
    const empty = [...emptyElements(text, css, isMargin)];
    const different = isMargin ? differentNumbers(text, margins, css) : [];
    const lineOf = lineCounter(text);
    return [...empty, ...different].map(({ index, message }) => ({ file, line: lineOf(index), message }));
  });
}

const emptyElement = /<([a-z][a-z0-9]*)\s([^<>]*)>\s*<\/\1\s*>/gi;
const comment = /<!--(?:(?!<!--|-->)[^])*-->/g;
const filledClass = /\.([a-z]+)(?![\w-])(?=[^{}]{0,200}::?(?:before|after))/gi;
/** The classes that headers and footers print, each with the similar class in the table. */
const printedClasses = new Map(Object.entries({ pageNumber: "page", totalPages: "topage" }));

function* emptyElements(source: string, css: string, isMargin: boolean) {
  // Reading Liquid takes longer than this search.
  if (source.search(emptyElement) < 0) return;
  const filled = new Set(Array.from(css.matchAll(filledClass), ([, name]) => name));
  const text = withMarks(source).replace(comment, (written) => " ".repeat(written.length));
  for (const { index, 1: tag = "", 2: attributes = "" } of text.matchAll(emptyElement)) {
    const isForText = areInline(tag, new Map()) || /^t[dh]$/i.test(tag);
    const [, classes = ""] = /\bclass\s*=\s*["']?([^"'>]*)/i.exec(attributes) ?? [];
    for (const name of classes.split(/\s+/)) {
      const foreign = findForeign("class", printedClasses.get(name) ?? name.toLowerCase());
      // Other names are ordinary ones, and so are boxes outside of headers and footers.
      const isNumber = /page/i.test(name) ? isForText || isMargin : isForText && isMargin;
      if (!foreign || !isNumber || filled.has(name) || (isMargin && printedClasses.has(name))) continue;
      const place = isMargin ? "" : " in header.liquid or footer.liquid";
      yield { index, message: `${quoted(`<${tag} class="${name}">`)} prints nothing; ${foreign.instead}${place}` };
    }
  }
}

function differentNumbers(text: string, margins: readonly Source[], css: string) {
  const countsAll = /\btarget-counter\([^()]*\([^()]*\)\s*,\s*page\s*[,)]/i.test(css);
  const isPrinted = /\{\{-?\s*page\.number\s*(?:-?\}\}|\|\s*roman)|pageNumber/;
  if (!countsAll || margins.some((margin) => isPrinted.test(margin.text))) return [];
  return Array.from(text.matchAll(/\bpage\.number\s*\|\s*minus:\s*\d+/g), ({ index, 0: written }) => {
    const instead = `begin the numbered part with \`data-part\`, write \`{{ page.partNumber }}\`, and \`part-page\` instead of \`page\` in \`target-counter()\``;
    return { index, message: `page references count all pages, so they differ from ${quoted(written)}; ${instead}` };
  });
}

/** Returns whether a rule is for an element in `text` that names a place of the document in `attribute`. */
export function isForPlaceIn(text: string, selectors: string, attribute: string): boolean {
  const known = tagNames([text]);
  return selectors.split(",").some((selector) => {
    const [, tag = "[a-z][\\w-]*"] = /(?:^|[\s>+~])([a-z][\w-]*)[^\s>+~]*$/i.exec(selector) ?? [];
    const element = new RegExp(`<${tag}\\s(?:[^<>]*\\s)?${attribute}\\s*=\\s*["']?(?:#|\\{\\{)`, "i");
    return (selector.match(/[.#][\w-]+/g) ?? []).every((name) => known.has(name)) && element.test(text);
  });
}
