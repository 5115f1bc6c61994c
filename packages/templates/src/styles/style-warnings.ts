// Warns about CSS in a template that not every Chromium supports, which a browser ignores silently.
import type { CssNode } from "css-tree";
import { lineCounter } from "colophon-base/line-counter";
import { hasMarks } from "colophon-liquid/marks";
import { repeatCounter } from "colophon-template-checks/findings";
import { markupStyles, type MarkupStyles } from "colophon-template-checks/markup-styles";
import { isImport, readStyles } from "colophon-template-model/read-styles";
import { referenceFunctions } from "colophon-template-model/reference-styles";
import type { FileWarning, TemplateContent } from "colophon-template-model/template";
import { marginSources, marginWarnings } from "./check-margins.ts";
import { type CheckScope, type FontNames, type StyleMessage, tagNames } from "./check-scope.ts";
import { checkStyles } from "./check-styles.ts";
import { readStyleNodes } from "./css-syntax.ts";
import { addFontNames } from "./missing-fonts.ts";

/** The number of warnings, repeated ones included, after which the check stops. A hostile template could have millions. */
const maxFound = 1_000;
/** The names of inline elements are shorter. */
const maxTagChars = 20;

/** `sheets` are the style sheets that `css` consists of. */
type StyledContent = Pick<TemplateContent, "header" | "footer" | "pages" | "parts"> & {
  manifest?: Pick<TemplateContent["manifest"], "page">;
  sheets: { file: string; css: string }[];
};
type StyledFile = { file: string; text: string; styles: MarkupStyles[] };
/** A style sheet, `<style>` element or `style` attribute. `root` is null if it has `problems`; it is then not read. */
type Piece = MarkupStyles & {
  file: string;
  firstLine: number;
  problems: StyleMessage[];
  root: CssNode | null;
  /** The name of the element that has the attribute. */
  element: string;
};
type Names = Pick<CheckScope, "fonts" | "tags" | "counters" | "margins" | "hasPageBoxes">;

/** The styles and the Liquid of `content` must have passed validation. Warnings are in the order of files and lines. */
export function styleWarnings(content: StyledContent): FileWarning[] {
  const files = styledFiles(content);
  const pieces = files.flatMap(piecesOf);
  // Any file can declare a font that a different file uses.
  const fonts: FontNames = { families: new Map(), isIncomplete: false };
  for (const { root, css } of pieces) if (root) addFontNames(root, css, fonts);
  const liquid = files.filter(({ file }) => !file.endsWith(".css"));
  const margins = marginSources(liquid);
  const css = pieces.map((piece) => piece.css).join("\n");
  const names = {
    fonts,
    tags: tagNames(liquid.map(({ text }) => text)),
    margins: margins.map(({ text }) => text).join("\n"),
    counters: elementCounters(css),
    hasPageBoxes: content.pages.length > 1 || content.manifest?.page.height === "auto",
  };
  const warnings: FileWarning[] = [];
  for (const piece of pieces) {
    if (warnings.length < maxFound) warnings.push(...warningsOf(piece, names, maxFound - warnings.length));
  }
  const isRepeated = repeatCounter();
  return [...warnings, ...marginWarnings(liquid, margins, css)]
    .slice(0, maxFound)
    .filter((warning) => !isRepeated(`${warning.file}:${warning.message}`, warning));
}

function styledFiles({ sheets, pages, parts = [], header, footer }: StyledContent): StyledFile[] {
  const liquid = [
    ...pages.map(({ name, source }) => ({ file: `pages/${name}`, text: source })),
    { file: "header.liquid", text: header ?? "" },
    { file: "footer.liquid", text: footer ?? "" },
    ...parts.map(({ file, source }) => ({ file, text: source })),
  ];
  return [
    ...sheets.map(({ file, css }): StyledFile => ({ file, text: css, styles: [{ kind: "rules", css, start: 0 }] })),
    ...liquid.map((source) => ({ ...source, styles: markupStyles(source.text) })),
  ];
}

/** Returns the counters that styles set at elements. Pages, in `@page`, do not count there. */
function elementCounters(css: string): Set<string> {
  const ofElements = css.replace(/@page[^{@]*\{(?:[^{}]|\{[^{}]*\})*\}/gi, "");
  const values = ofElements.matchAll(/\bcounter-(?:reset|increment|set)\s*:([^;}]*)/gi);
  return new Set(Array.from(values, ([, value = ""]) => value.toLowerCase().match(/[\w-]+/g) ?? []).flat());
}

function piecesOf({ file, text, styles }: StyledFile): Piece[] {
  const lineOf = lineCounter(text);
  return styles.map((piece) => {
    const { problems } = readStyles(piece.css);
    const root = problems.length > 0 ? null : readStyleNodes(piece.css, piece.kind);
    // Imports are mistakes, which stop a push.
    const messages = problems
      .filter((problem) => !isImport(problem))
      .map(({ index, reason }) => ({ index, message: reason }));
    if (!root && problems.length === 0) messages.push({ index: 0, message: "the styles have too many mistakes" });
    // Liquid may close a bracket in a branch, or print the closing bracket.
    const found = hasMarks(piece.css) ? [] : messages;
    const tagStart = text.lastIndexOf("<", piece.start);
    const [, element = ""] = /^<([a-z][a-z0-9]*)/i.exec(text.slice(tagStart, tagStart + maxTagChars)) ?? [];
    return { ...piece, file, firstLine: lineOf(piece.start), problems: found, root, element };
  });
}

function warningsOf(
  { file, css, kind, firstLine, problems, root, element: selectors }: Piece,
  names: Names,
  maxMessages: number,
): FileWarning[] {
  const references = file.endsWith(".css") ? supportedReferences(css) : null;
  const messages: StyleMessage[] = [];
  for (const message of root ? checkStyles(root, kind, { css, references, selectors, ...names }) : problems) {
    if (messages.push(message) >= maxMessages) break;
  }
  // A character reference in an attribute makes the styles shorter than their source, but contains no line break.
  const lineOf = lineCounter(css);
  return messages
    .toSorted((a, b) => a.index - b.index)
    .map(({ index, message }) => ({ file, line: firstLine + lineOf(index) - 1, message }));
}

function supportedReferences(css: string): ReadonlySet<number> {
  return new Set(referenceFunctions(css).flatMap(({ start, name }) => (name === null ? [] : [start])));
}
