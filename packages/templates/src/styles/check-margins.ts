// Finds what headers and footers print for other programs but not here: the classes of their page numbers, page references, and
// numbers that a table of contents does not show.
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/quoted";
import { hasMarks } from "colophon-liquid/marks";
import { readMarkup, type Markup, type MarkupTag } from "colophon-template-checks/markup-styles";
import type { FileWarning } from "colophon-template-model/template";
import { areInline, type MarginFile } from "./check-scope.ts";
import { findForeign } from "./foreign-css.ts";

type Source = { file: string; text: string };

export function marginFiles(sources: readonly Source[]): MarginFile[] {
  const margins = sources.filter(({ file }) => /^(?:header|footer)\.liquid$/.test(file));
  const named = margins.flatMap(({ text }) => Array.from(text.matchAll(/["']([^"'\n]+)["']/g), ([, name]) => name));
  const parts = sources.filter(({ file }) => named.includes(/parts\/(.+)\.liquid$/.exec(file)?.[1]));
  return [...margins, ...parts].map((source) => ({ ...source, markup: readMarkup(source.text) }));
}

/** `css` is all CSS of the template. */
export function marginWarnings(files: readonly MarginFile[], css: string): FileWarning[] {
  const countsAll = /\btarget-counter\([^()]*\([^()]*\)\s*,\s*page\s*[,)]/i.test(css);
  const printsNumber = files.some(({ text }) => /\{\{-?\s*page\.number\s*(?:-?\}\}|\|\s*roman)|pageNumber/.test(text));
  return files.flatMap(({ file, text, markup }) => {
    const lineOf = lineCounter(text);
    const empty = [...emptyElements(markup, css)];
    const different = countsAll && !printsNumber ? differentNumbers(text) : [];
    return [...empty, ...different].map(({ index, message }) => ({ file, line: lineOf(index), message }));
  });
}

function* emptyElements({ text, pieces }: Markup, css: string) {
  for (const [index, tag] of pieces.entries()) {
    if (tag.kind !== "start") continue;
    const inside = pieces[index + 1];
    const isBlank = inside?.kind === "text" && text.slice(inside.start, inside.end).trim() === "";
    const end = isBlank ? pieces[index + 2] : inside;
    if (end?.kind !== "end" || end.name !== tag.name) continue;
    const valueOf = (name: string) => tag.attributes.find((attribute) => attribute.name === name)?.value ?? "";
    for (const name of valueOf("class").split(/\s+/)) {
      const foreign = findForeign("class", name.toLowerCase());
      if (!foreign || showsStyles(`.${name}{${valueOf("style")}}${css}`, name, tag.name)) continue;
      const shown = quoted(`<${tag.name} class="${name}">`);
      yield { index: tag.start, message: `${shown} prints nothing; ${foreign.instead}` };
    }
  }
}

/** Returns whether CSS shows something in an empty element. */
function showsStyles(css: string, name: string, tag: string): boolean {
  const sign = areInline(tag, new Map()) ? "::?(?:before|after)" : "\\{[^}]*\\b(?:background|border|height|content)";
  return new RegExp(`\\.${name}(?![\\w-])[^{}]*${sign}`, "i").test(css);
}

function differentNumbers(text: string) {
  return Array.from(text.matchAll(/\bpage\.number\s*\|\s*minus:\s*\d+/g), ({ index, 0: written }) => {
    const instead = `begin the numbered part with \`data-part\`, write \`{{ page.partNumber }}\`, and \`part-page\` instead of \`page\` in \`target-counter()\``;
    return { index, message: `page references count all pages, so they differ from ${quoted(written)}; ${instead}` };
  });
}

/** Returns whether a rule is for an element of a header or a footer that names a place of the document in `attribute`. */
export function isForMargins(files: readonly MarginFile[], selectors: string, attribute: string): boolean {
  const tags = files.flatMap(({ markup }) => markup.pieces.filter((piece) => piece.kind !== "text"));
  const allNames = new Set(tags.flatMap(namesOf));
  return selectors.split(",").some((selector) => {
    const [subject = ""] = /[^\s>+~]*$/.exec(selector.trim()) ?? [];
    const [tagName] = /^[a-z][\w-]*/i.exec(subject) ?? [];
    const isSubject = (tag: MarkupTag) => {
      const place = tag.attributes.find(({ name }) => name === attribute)?.value.trim() ?? "";
      const isNamed = tagName === undefined || tagName.toLowerCase() === tag.name;
      const isPlace = place.startsWith("#") || hasMarks(place.slice(0, 1));
      return isPlace && isNamed && namesIn(subject).every((name) => namesOf(tag).includes(name));
    };
    return namesIn(selector).every((name) => allNames.has(name)) && tags.some(isSubject);
  });
}

function namesIn(selector: string): string[] {
  return selector.match(/[.#][\w-]+/g) ?? [];
}

/** Returns the classes and the id of an element, as selectors. */
function namesOf({ attributes }: MarkupTag): string[] {
  return attributes.flatMap(({ name, value }) => {
    if (name === "class") return value.split(/\s+/).map((each) => `.${each}`);
    return name === "id" ? [`#${value}`] : [];
  });
}
