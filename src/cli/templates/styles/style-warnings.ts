// Names the CSS in a template that not every Chromium honours. A browser ignores such CSS without a word.
import { counted } from "../../../core/counted.ts";
import { lineCounter } from "../../../core/line-counter.ts";
import { maxProblems } from "../../../core/templates/folder/template-files.ts";
import type { FileWarning, TemplateContent } from "../../../core/templates/template.ts";
import { markupStyles, type MarkupStyles } from "../../../core/templates/checks/markup/markup-styles.ts";
import type { StyleMessage } from "./check-scope.ts";
import { checkStyles, type CheckedStyles } from "./check-styles.ts";
import { missingFonts, type FontNames } from "./missing-fonts.ts";

/** The number of warnings that are named. The others are only counted. */
const maxWarnings = 100;
/** The number of warnings that a document carries. The others are counted in one more. */
const maxDocumentWarnings = 10;
/** The number of warnings after which the check stops. A hostile template could have millions. */
const maxFound = 1_000;

/** `more` is the number of warnings that are not in `warnings`. */
export type StyleWarnings = { warnings: FileWarning[]; more: number };

/** `sheets` are the style sheets of which `css` consists. */
type StyledContent = Pick<TemplateContent, "header" | "footer" | "pages" | "parts"> & {
  sheets: { file: string; css: string }[];
};
type StyledFile = { file: string; text: string; styles: MarkupStyles[] };
type Validated = { content: TemplateContent; sheets: StyledContent["sheets"]; warnings: FileWarning[] };
type Warned = { content: TemplateContent; warnings: FileWarning[]; moreWarnings: number };
type CheckedFile = StyledFile & { pieces: { checked: CheckedStyles; styles: MarkupStyles }[] };

/** Adds the warnings about the styles of a valid template. `moreWarnings` counts those that are not named. */
export function withStyleWarnings({ content, sheets, warnings }: Validated): Warned {
  const found = styleWarnings({ ...content, sheets });
  const forDocuments = documentWarnings(found);
  const all = [...warnings, ...found.warnings];
  return {
    content: forDocuments.length > 0 ? { ...content, styleWarnings: forDocuments } : content,
    warnings: all.slice(0, maxProblems),
    moreWarnings: found.more + Math.max(0, all.length - maxProblems),
  };
}

/** The styles and the Liquid of `content` must have passed validation. Warnings are in the order of the files and lines. */
export function styleWarnings(content: StyledContent): StyleWarnings {
  const fonts: FontNames = { families: new Map(), isIncomplete: false };
  let left = maxFound;
  const files = styledFiles(content).map((file): CheckedFile => {
    const pieces = file.styles.map((styles) => {
      const found = checkStyles({ ...styles, isStyleSheetFile: file.file.endsWith(".css") }, fonts, left);
      left -= found.messages.length;
      return { checked: found, styles };
    });
    return { ...file, pieces };
  });
  // The fonts are checked only now, because any file can declare them.
  const found = files.flatMap((file) => {
    return warningsOf(file, ({ messages, fontUses }) => [...messages, ...missingFonts(fontUses, fonts, left)]);
  });
  return { warnings: found.slice(0, maxWarnings), more: Math.max(0, found.length - maxWarnings) };
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

function warningsOf(
  { file, text, pieces }: CheckedFile,
  messagesOf: (checked: CheckedStyles) => StyleMessage[],
): FileWarning[] {
  const lineOf = lineCounter(text);
  return pieces.flatMap(({ checked, styles }) => {
    const all = messagesOf(checked);
    if (all.length === 0) return [];
    // A character reference in an attribute makes the styles shorter than their source, but contains no line end.
    const lineInStyles = lineCounter(styles.css);
    const firstLine = lineOf(styles.start);
    return all
      .toSorted((a, b) => a.index - b.index)
      .map(({ index, message }) => ({ file, line: firstLine + lineInStyles(index) - 1, message }));
  });
}

/** Returns the warnings that every document of the version carries. */
export function documentWarnings({ warnings, more }: StyleWarnings): string[] {
  const named = warnings.slice(0, maxDocumentWarnings).map(({ file, line, message }) => {
    return `${file}, line ${line}: ${message}${message.endsWith("?") ? "" : "."}`;
  });
  const rest = warnings.length - named.length + more;
  if (rest === 0) return named;
  return [...named, `The template's styles have ${counted(rest, "more warning")}; a push of the template names them.`];
}
