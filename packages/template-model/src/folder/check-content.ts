// Checks the content of a version once its files have been read: Liquid, styles and HTML, then the sample data, and finally the HTML of a
// trial document. Stops after the first step with problems. If the only problems are filter mistakes, the fields that the template reads
// and its markup are still checked.
import { shortened } from "colophon-base/text";
import { runAtOnce } from "colophon-liquid/liquid";
import { compileTemplate, urisOf, type CompiledTemplate } from "../compile-template.ts";
import { imageProblems } from "../document-images.ts";
import { documentHtml } from "../document/document-html.ts";
import { missingParts, partProblems } from "../parts/check-parts.ts";
import { inlinedStyleChars } from "../styles/reference-styles.ts";
import type { TemplateData } from "../template-data.ts";
import type { FileWarning, TemplateContent, Field } from "../template.ts";
import { validateData } from "../validate-data.ts";
import type { JsonFile } from "./json-file.ts";
import { type FileProblem, maxProblems } from "./template-files.ts";
import { unknownAssets } from "./used/named-assets.ts";
import type { MessageLanguage } from "./used/used-locales.ts";
import type { StyleSheet } from "./used/used-styles.ts";

/** `advise` finds mistakes in a template whose files could be parsed, apart from filter mistakes. */
export type ValidationOptions = { advise?: Advise };

export type Advise = (compiled: CompiledContent) => CheckedContent;

/**
 * `assets` are the names of all assets, used or not. `languages` are the files in `locales/`, and `sheets` the style sheets of the content.
 */
export type CompiledContent = {
  content: TemplateContent;
  template: CompiledTemplate;
  assets: ReadonlySet<string>;
  languages: readonly MessageLanguage[];
  sheets: readonly StyleSheet[];
};

/** `otherNames` are the names of parts that no file uses. */
type ContentInput = Omit<CompiledContent, "template"> & {
  sample: JsonFile;
  styleProblems: FileProblem[];
  otherNames: string[];
  options: ValidationOptions;
};

/** The maximum size of a version's content as JSON. Each character counts as one byte. */
const maxContentBytes = 20_000_000;
/** The maximum size of the styles including their files, as in a document. A file that is used twice counts twice. */
const maxStyleChars = 26_000_000;

export type CheckedContent = { problems: FileProblem[]; warnings: FileWarning[] };

const nothingFound: CheckedContent = { problems: [], warnings: [] };

export function checkContent({ content, styleProblems, ...input }: ContentInput): CheckedContent {
  const tooLarge = sizeProblems(content);
  if (tooLarge.length > 0) return { problems: tooLarge, warnings: [] };
  const compiled = compileTemplate(content);
  const { template } = compiled;
  const broken = compiled.status === "broken" ? compiled.problems : [];
  const missing = template ? referenceProblems(template, input.otherNames) : [];
  if (!template || missing.length > 0) return { problems: [...broken, ...missing, ...styleProblems], warnings: [] };
  const { assets, languages, sheets, options } = input;
  const advice = options.advise?.({ content, template, assets, languages, sheets }) ?? nothingFound;
  const all = [...inOrder([...broken, ...advice.problems]), ...styleProblems];
  if (all.length > 0) return { ...advice, problems: all };
  const { problems, data } = checkSample(content.manifest.fields, content.sampleData, input.sample);
  if (problems.length > 0) return { ...advice, problems };
  // No browser loads the HTML.
  const html = runAtOnce(documentHtml({ ...trialDocument, compiled: template, data, page: content.manifest.page }));
  return html.status === "problem" ? { ...advice, problems: [html.problem] } : advice;
}

/** Sorts problems by line, with the files in the order of their first problems. */
function inOrder(problems: FileProblem[]): FileProblem[] {
  const byFile = Map.groupBy(problems, ({ file }) => file);
  return [...byFile.values()].flatMap((each) => each.sort((a, b) => a.line - b.line));
}

/** Returns the problems of the parts and assets that the files name. */
function referenceProblems(
  { pages, header, footer, parts, assetUris }: CompiledTemplate,
  otherParts: string[],
): FileProblem[] {
  const roots = [...pages, header, footer].filter((file) => file !== null);
  const files = [...roots, ...parts.values()];
  const problems = [...unknownAssets(files, new Set(assetUris.keys())), ...missingParts(files, parts, otherParts)];
  return problems.length > 0 ? problems : partProblems(roots, parts);
}

function sizeProblems(content: TemplateContent): FileProblem[] {
  if (JSON.stringify(content).length > maxContentBytes) {
    return [{ file: "assets", line: 1, reason: `the template is larger than ${maxContentBytes / 1e6} MB` }];
  }
  if (inlinedStyleChars(content.css, content.styleAssets, urisOf(content)) > maxStyleChars) {
    const reason = `the styles and the files that they use are larger than ${maxStyleChars / 1e6} MB in total`;
    return [{ file: "style.css", line: 1, reason: `${reason}; use each large file once` }];
  }
  return [];
}

const trialDocument = {
  id: "00000000-0000-4000-8000-000000000000",
  createdAt: 0,
  format: "pdf",
  fixedHeight: false,
} as const;

/**
 * The sample must be data that the API accepts in one request without a warning. Returns its problems, and the data as a render would see
 * it. Use that data only if there are no problems.
 */
export function checkSample(
  fields: Field[],
  sample: Record<string, unknown>,
  { lineOf }: JsonFile,
): { problems: FileProblem[]; data: TemplateData } {
  const { data, missing, mistyped, unknownKeys } = validateData(fields, sample);
  const wrong = [...missing, ...mistyped].map(({ path, message }) => {
    return { path: path.split(".").slice(1), reason: message };
  });
  const unknown = unknownKeys.map((path) => {
    return { path, reason: `\`${shortened(path.join("."))}\` is not a field of the template` };
  });
  const images = imageProblems(wrong.length > 0 ? [] : data.images).map(({ path, reason }) => {
    return { path: path.split("."), reason };
  });
  const problems = [...wrong, ...unknown, ...images].slice(0, maxProblems);
  return { data, problems: problems.map(({ path, reason }) => ({ file: "sample.json", line: lineOf(path), reason })) };
}
