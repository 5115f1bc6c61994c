// Validates the files of a template folder and builds the content of a version from them. Every problem names its file
// and line. Validation has four steps and stops after the first step that finds problems. The first step checks the
// manifest, the JSON syntax and the kinds of files. The others check Liquid and the styles, then the sample data, and
// finally the HTML of a trial document.
import { checkImage } from "../../images/image-guard.ts";
import { documentHtml } from "../../rendering/document-html.ts";
import { compileTemplate } from "../compile-template.ts";
import { parseJsonFile, type JsonFile } from "./json-file.ts";
import { parseManifest } from "./manifest.ts";
import { validateData } from "../validate-data.ts";
import { isPlainObject } from "../template-data.ts";
import type { Asset, TemplateContent, TemplateManifest } from "../template.ts";

/** An entry of a folder; `content` is null when the entry is not a file. */
export type FolderEntry<T> = { name: string; content: T | null };

/** The files of a template folder; null stands for a missing file. Entries may be in any order. */
export type TemplateFiles = {
  manifest: string | null;
  sample: string | null;
  css: string | null;
  header: string | null;
  footer: string | null;
  pages: FolderEntry<string>[];
  assets: FolderEntry<Uint8Array>[];
};

/** A problem in a template folder. `file` is the path inside the folder, and `line` is counted from 1. */
export type FileProblem = { file: string; line: number; reason: string };

export type ValidationResult =
  | { status: "valid"; content: TemplateContent }
  | { status: "broken"; problems: FileProblem[] };

const assetTypes: Record<string, string> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".gif": "image/gif",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".ttf": "font/ttf",
};
/** The maximum size of a version's content as JSON. Each character counts as one byte. */
const maxContentBytes = 20_000_000;

export function validateTemplate(files: TemplateFiles): ValidationResult {
  const problems: FileProblem[] = [];
  const manifestJson = parsed("template.json", files.manifest, problems);
  const sample = parsed("sample.json", files.sample, problems);
  const pages = validPages(files.pages, problems);
  const assets = validAssets(files.assets, problems);
  const manifest = manifestJson && validManifest(manifestJson, problems);
  if (!manifest || !sample || problems.length > 0) return { status: "broken", problems };
  if (!isPlainObject(sample.value)) {
    return { status: "broken", problems: [{ file: "sample.json", line: 1, reason: "the file must contain a JSON object" }] };
  }
  const { header, footer } = files;
  const content = { manifest, pages, css: files.css ?? "", header, footer, assets, sampleData: sample.value };
  const wrong = contentProblems(content, sample);
  return wrong.length > 0 ? { status: "broken", problems: wrong } : { status: "valid", content };
}

function parsed(file: string, text: string | null, problems: FileProblem[]): JsonFile | null {
  if (text === null) {
    problems.push({ file, line: 1, reason: "the file is missing" });
    return null;
  }
  const result = parseJsonFile(text);
  if (result.status === "parsed") return result.json;
  problems.push(...result.problems.map((problem) => ({ file, ...problem })));
  return null;
}

function validPages(entries: FolderEntry<string>[], problems: FileProblem[]): TemplateContent["pages"] {
  const files = filesOf("pages", entries, problems);
  for (const { name } of files.filter((file) => extensionOf(file.name) !== ".liquid")) {
    problems.push({ file: `pages/${name}`, line: 1, reason: "page files must end in .liquid" });
  }
  const pages = files.filter(({ name }) => extensionOf(name) === ".liquid");
  if (pages.length === 0) problems.push({ file: "pages", line: 1, reason: "there is no page file; add pages/1.liquid" });
  return pages
    .map(({ name, content }) => ({ name, source: content }))
    .sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

/** Returns the assets sorted by name, so that the content of an unchanged folder is the same on every machine. */
function validAssets(entries: FolderEntry<Uint8Array>[], problems: FileProblem[]): Record<string, Asset> {
  const assets: Record<string, Asset> = {};
  const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
  for (const { name, content } of filesOf("assets", entries, problems).sort(byName)) {
    const refuse = (reason: string) => problems.push({ file: `assets/${name}`, line: 1, reason });
    const contentType = assetTypes[extensionOf(name).toLowerCase()];
    if (!contentType) {
      refuse(`assets must be files of these types: ${Object.keys(assetTypes).join(" ")}`);
      continue;
    }
    const check = contentType.startsWith("image/") ? checkImage(content) : null;
    if (check?.status === "refused") refuse(check.reason);
    const { buffer, byteOffset, byteLength } = content;
    assets[name] = { contentType, base64: Buffer.from(buffer, byteOffset, byteLength).toString("base64") };
  }
  return assets;
}

function filesOf<T>(folder: string, entries: FolderEntry<T>[], problems: FileProblem[]): { name: string; content: T }[] {
  return entries.flatMap(({ name, content }) => {
    if (content !== null) return [{ name, content }];
    problems.push({ file: `${folder}/${name}`, line: 1, reason: "this is not a file; subfolders are not read" });
    return [];
  });
}

function extensionOf(name: string): string {
  return /\.[^.]*$/.exec(name)?.[0] ?? "";
}

function validManifest(json: JsonFile, problems: FileProblem[]): TemplateManifest | null {
  const { manifest, problems: found } = parseManifest(json.value);
  for (const { path, reason } of found) problems.push({ file: "template.json", line: json.lineOf(path), reason });
  return manifest;
}

/**
 * Returns the problems found when the template is compiled, its sample data validated, and the HTML of one document
 * made from that data. No browser loads the HTML.
 */
function contentProblems(content: TemplateContent, sample: JsonFile): FileProblem[] {
  if (JSON.stringify(content).length > maxContentBytes) {
    return [{ file: "assets", line: 1, reason: `the template is larger than ${maxContentBytes / 1e6} MB` }];
  }
  const compiled = compileTemplate(content);
  if (compiled.status === "broken") return compiled.problems;
  const { data, missing, mistyped } = validateData(content.manifest.fields, content.sampleData);
  if (missing.length + mistyped.length > 0) {
    return [...missing, ...mistyped].map(({ path, message }) => ({
      file: "sample.json",
      line: sample.lineOf(path.split(".").slice(1)),
      reason: message,
    }));
  }
  const html = documentHtml({ ...trialDocument, compiled: compiled.template, data, page: content.manifest.page });
  return html.status === "problem" ? [html.problem] : [];
}

const trialDocument = {
  id: "00000000-0000-4000-8000-000000000000",
  createdAt: 0,
  format: "pdf",
  fixedHeight: false,
} as const;
