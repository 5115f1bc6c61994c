// Validates the files of a template folder and builds the content of a version from them. Every problem names its file
// and line. Validation has four steps and stops after the first step that finds problems. The first step checks the
// names, kinds and syntax of the files, and the manifest. The others check Liquid and the styles, then the sample data,
// and finally the HTML of a trial document.
import { runAtOnce } from "../../liquid/liquid.ts";
import { documentHtml } from "../../rendering/document/document-html.ts";
import { compileTemplate, urisOf } from "../compile-template.ts";
import { styleAssets } from "../styles/style-assets.ts";
import { inlinedStyleChars } from "../styles/inline-style-assets.ts";
import { documentSentences, styleWarnings } from "../styles/support/style-warnings.ts";
import { isPlainObject, maxDataDepth } from "../template-data.ts";
import type { FileWarning, TemplateContent, TemplateManifest } from "../template.ts";
import { validAssets } from "./assets/asset-files.ts";
import { composed, fileNameProblems } from "./file-names.ts";
import { parseJsonFile, type JsonFile } from "./json-file.ts";
import { parseManifest } from "./manifest.ts";
import { checkSample } from "./sample-data.ts";
import { subfolders, type FileProblem, type SingleFile, type TemplateFile, type TemplateFiles } from "./template-files.ts";
import { decodeText } from "./text-file.ts";

export type ValidationResult =
  /** `warnings` name styles that some or all browsers ignore; `moreWarnings` counts those that are not named. */
  | { status: "valid"; content: TemplateContent; warnings: FileWarning[]; moreWarnings: number }
  | { status: "broken"; problems: FileProblem[] };

/** The maximum size of a version's content as JSON. Each character counts as one byte. */
const maxContentBytes = 20_000_000;
/** The maximum nesting of `template.json`. A field takes two levels, so fields can be nested as deeply as the data. */
const maxManifestDepth = 2 * maxDataDepth;
/** The maximum size of the styles with their files, as in a document. A file that is used twice counts twice. */
const maxStyleChars = 26_000_000;

export function validateTemplate(files: TemplateFiles): ValidationResult {
  const folder = openFolder(files);
  const { problems } = folder;
  for (const name of subfolders) {
    problems.push(...fileNameProblems(name, folder.inside(name).map(({ path }) => path)));
  }
  const manifestJson = parsed(folder, "template.json", maxManifestDepth);
  const sample = parsed(folder, "sample.json", maxDataDepth);
  const pages = validPages(folder);
  const assets = validAssets(folder.inside("assets"), problems);
  const css = folder.text("style.css") ?? "";
  const [header, footer] = [folder.text("header.liquid"), folder.text("footer.liquid")];
  const manifest = manifestJson && validManifest(manifestJson, problems);
  if (!manifest || !sample || problems.length > 0) return { status: "broken", problems };
  if (!isPlainObject(sample.value)) {
    return { status: "broken", problems: [{ file: "sample.json", line: 1, reason: "the file must contain a JSON object" }] };
  }
  const styles = styleAssets(css, new Set(Object.keys(assets)));
  const content: TemplateContent = {
    manifest,
    pages,
    css,
    styleAssets: styles.assets,
    header,
    footer,
    assets,
    sampleData: sample.value,
  };
  const wrong = contentProblems(content, sample, styles.problems);
  return wrong.length > 0 ? { status: "broken", problems: wrong } : withWarnings(content);
}

function withWarnings(content: TemplateContent): ValidationResult {
  const found = styleWarnings(content);
  const sentences = documentSentences(found);
  return {
    status: "valid",
    content: sentences.length > 0 ? { ...content, styleWarnings: sentences } : content,
    warnings: found.warnings,
    moreWarnings: found.more,
  };
}

type Folder = {
  problems: FileProblem[];
  /** The files of a subfolder, with their names as paths. */
  inside(subfolder: string): TemplateFile[];
  /**
   * The text of a file; null when there is no such file. Null also when the file is not text, which is reported as a
   * problem.
   */
  text(path: string): string | null;
  /** Whether the path is missing from the folder, rather than just unreadable. */
  isMissing(path: string): boolean;
};

function openFolder({ files, problems: unread }: TemplateFiles): Folder {
  const problems = [...unread];
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return {
    problems,
    inside: (subfolder) =>
      files
        .filter(({ path }) => path.startsWith(`${subfolder}/`))
        .map(({ path, bytes }) => ({ path: path.slice(subfolder.length + 1), bytes })),
    text(path) {
      const bytes = byPath.get(path);
      if (!bytes) return null;
      const decoded = decodeText(bytes);
      if (decoded.status === "text") return decoded.text;
      problems.push({ file: path, line: decoded.line, reason: decoded.reason });
      return null;
    },
    isMissing: (path) => !byPath.has(path) && !unread.some(({ file }) => file === path),
  };
}

function parsed(folder: Folder, file: SingleFile, maxDepth: number): JsonFile | null {
  if (folder.isMissing(file)) folder.problems.push({ file, line: 1, reason: "the file is missing" });
  const text = folder.text(file);
  if (text === null) return null;
  const result = parseJsonFile(text, maxDepth);
  if (result.status === "parsed") return result.json;
  folder.problems.push(...result.problems.map((problem) => ({ file, ...problem })));
  return null;
}

function validPages(folder: Folder): TemplateContent["pages"] {
  const files = folder.inside("pages");
  const isPage = (name: string) => name.endsWith(".liquid");
  for (const { path } of files.filter((file) => !isPage(file.path))) {
    folder.problems.push({ file: `pages/${path}`, line: 1, reason: "page files must end in .liquid" });
  }
  const pages = files.filter(({ path }) => isPage(path));
  const isUnread = folder.problems.some(({ file }) => file === "pages" || file.startsWith("pages/"));
  if (pages.length === 0 && !isUnread) {
    folder.problems.push({ file: "pages", line: 1, reason: "there is no page file; add pages/1.liquid" });
  }
  return pages
    .map(({ path }) => ({ name: composed(path), source: folder.text(`pages/${path}`) ?? "" }))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }) || (a.name < b.name ? -1 : 1));
}

function validManifest(json: JsonFile, problems: FileProblem[]): TemplateManifest | null {
  const { manifest, problems: found } = parseManifest(json.value);
  for (const { path, reason } of found) problems.push({ file: "template.json", line: json.lineOf(path), reason });
  return manifest;
}

/**
 * Compiles the template, validates its sample data, and makes the HTML of one document from that data. Returns the
 * problems found. No browser loads the HTML.
 */
function contentProblems(
  content: TemplateContent,
  sample: JsonFile,
  styleProblems: { line: number; reason: string }[],
): FileProblem[] {
  if (JSON.stringify(content).length > maxContentBytes) {
    return [{ file: "assets", line: 1, reason: `the template is larger than ${maxContentBytes / 1e6} MB` }];
  }
  if (inlinedStyleChars(content.css, content.styleAssets, urisOf(content)) > maxStyleChars) {
    const reason = `the styles and the files that they use are larger than ${maxStyleChars / 1e6} MB in total`;
    return [{ file: "style.css", line: 1, reason: `${reason}; use each large file once` }];
  }
  const compiled = compileTemplate(content);
  const inStyles = styleProblems.map((problem) => ({ file: "style.css", ...problem }));
  if (compiled.status === "broken") return [...compiled.problems, ...inStyles];
  if (inStyles.length > 0) return inStyles;
  const { problems, data } = checkSample(content.manifest.fields, content.sampleData, sample);
  if (problems.length > 0) return problems;
  const html = runAtOnce(documentHtml({ ...trialDocument, compiled: compiled.template, data, page: content.manifest.page }));
  return html.status === "problem" ? [html.problem] : [];
}

const trialDocument = {
  id: "00000000-0000-4000-8000-000000000000",
  createdAt: 0,
  format: "pdf",
  fixedHeight: false,
} as const;
