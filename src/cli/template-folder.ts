// Reads and checks a template folder. Every problem is collected with its file and line, so that one push names them all.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join, resolve } from "node:path";
import { parseTree, findNodeAtLocation, printParseErrorCode, type Node, type ParseError } from "jsonc-parser";
import { compileTemplate } from "../core/templates/compile-template.ts";
import { documentHtml } from "../core/rendering/document-html.ts";
import { checkImage } from "../core/images/image-guard.ts";
import { prepareData } from "../core/templates/prepare-data.ts";
import { isPlainObject } from "../core/templates/template-data.ts";
import type { Asset, TemplateContent } from "../core/templates/template.ts";
import { parseManifest } from "../core/templates/manifest.ts";

export type FolderProblem = { file: string; line: number; reason: string };
export type FolderResult =
  | { status: "ok"; folder: string; content: TemplateContent }
  | { status: "broken"; problems: FolderProblem[] };

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
/** The size of a version's content as stored, bytes. */
const maxContentBytes = 20_000_000;

export async function readTemplateFolder(directory: string): Promise<FolderResult> {
  if (!existsSync(directory)) {
    return { status: "broken", problems: [{ file: directory, line: 1, reason: "there is no such folder" }] };
  }
  const problems: FolderProblem[] = [];
  const manifest = await readJson(directory, "template.json", problems);
  const sample = await readJson(directory, "sample.json", problems);
  const pages = await readPages(directory, problems);
  const assets = await readAssets(directory, problems);
  const parsed = manifest && parseManifest(manifest.value);
  for (const { path, reason } of parsed?.problems ?? []) {
    problems.push({ file: "template.json", line: manifest?.lineOf(path) ?? 1, reason });
  }
  if (!parsed?.manifest || !manifest || !sample || problems.length > 0) return { status: "broken", problems };
  if (!isPlainObject(sample.value)) {
    return { status: "broken", problems: [{ file: "sample.json", line: 1, reason: "it must be a JSON object" }] };
  }
  const content: TemplateContent = {
    manifest: parsed.manifest,
    pages,
    css: (await readOptional(directory, "style.css")) ?? "",
    header: await readOptional(directory, "header.liquid"),
    footer: await readOptional(directory, "footer.liquid"),
    assets,
    sampleData: sample.value,
  };
  problems.push(...checkContent(content, sample));
  return problems.length > 0
    ? { status: "broken", problems }
    : { status: "ok", folder: basename(resolve(directory)), content };
}

function checkContent(content: TemplateContent, sample: JsonFile): FolderProblem[] {
  if (JSON.stringify(content).length > maxContentBytes) {
    return [{ file: "assets", line: 1, reason: `the template is larger than ${maxContentBytes / 1e6} MB` }];
  }
  const compiled = compileTemplate(content);
  if (compiled.status === "broken") return compiled.problems;
  const check = prepareData(content.manifest.fields, content.sampleData);
  const wrong = [...check.missing, ...check.mistyped].map(({ path, message }) => ({
    file: "sample.json",
    line: sample.lineOf(path.split(".").slice(1)),
    reason: message,
  }));
  if (wrong.length > 0) return wrong;
  const { page } = content.manifest;
  const identity = {
    id: "00000000-0000-4000-8000-000000000000",
    createdAt: 0,
    format: "pdf",
    fixedHeight: false,
  } as const;
  const html = documentHtml({ ...identity, compiled: compiled.template, data: check.data, page });
  return html.status === "problem" ? [html.problem] : [];
}

type JsonFile = { value: unknown; lineOf(path: (string | number)[]): number };

async function readJson(directory: string, file: string, problems: FolderProblem[]): Promise<JsonFile | null> {
  const text = await readOptional(directory, file);
  if (text === null) {
    problems.push({ file, line: 1, reason: "the file is missing" });
    return null;
  }
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  const lineAt = (offset: number) => text.slice(0, offset).split("\n").length;
  for (const { error, offset } of errors)
    problems.push({ file, line: lineAt(offset), reason: `it is not JSON: ${printParseErrorCode(error)}` });
  if (!tree || errors.length > 0) return null;
  return { value: JSON.parse(text), lineOf: (path) => lineAt(nearestNode(tree, path)?.offset ?? 0) };
}

/** The node at `path`, or of its closest ancestor that exists: a missing key is reported where it belongs. */
function nearestNode(tree: Node, path: (string | number)[]): Node | undefined {
  const segments = path.map((segment) => (/^\d+$/.test(String(segment)) ? Number(segment) : segment));
  for (let length = segments.length; length > 0; length--) {
    const node = findNodeAtLocation(tree, segments.slice(0, length));
    if (node) return node;
  }
  return tree;
}

async function readPages(directory: string, problems: FolderProblem[]): Promise<TemplateContent["pages"]> {
  const files = await listFiles(directory, "pages", problems);
  for (const name of files.filter((file) => extname(file) !== ".liquid")) {
    problems.push({ file: `pages/${name}`, line: 1, reason: "page files end with .liquid" });
  }
  const names = files.filter((name) => extname(name) === ".liquid");
  if (names.length === 0)
    problems.push({ file: "pages", line: 1, reason: "there is no page file; add pages/1.liquid" });
  names.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return Promise.all(
    names.map(async (name) => ({ name, source: await readFile(join(directory, "pages", name), "utf8") })),
  );
}

async function readAssets(directory: string, problems: FolderProblem[]): Promise<Record<string, Asset>> {
  const assets: Record<string, Asset> = {};
  for (const name of (await listFiles(directory, "assets", problems)).sort()) {
    const refuse = (reason: string) => problems.push({ file: `assets/${name}`, line: 1, reason });
    const contentType = assetTypes[extname(name).toLowerCase()];
    if (!contentType) {
      refuse(`assets are ${Object.keys(assetTypes).join(" ")}`);
      continue;
    }
    const bytes = await readFile(join(directory, "assets", name));
    const check = contentType.startsWith("image/") ? checkImage(bytes) : null;
    if (check?.status === "refused") refuse(check.reason);
    assets[name] = { contentType, base64: bytes.toString("base64") };
  }
  return assets;
}

/** Names of the files in a folder; a folder in there is a problem. */
async function listFiles(directory: string, folder: string, problems: FolderProblem[]): Promise<string[]> {
  const found = (await missingAsNull(readdir(join(directory, folder), { withFileTypes: true }))) ?? [];
  const entries = found.filter(({ name }) => !name.startsWith("."));
  for (const entry of entries.filter((candidate) => !candidate.isFile())) {
    problems.push({
      file: `${folder}/${entry.name}`,
      line: 1,
      reason: "it is not a file; folders are not looked into",
    });
  }
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function readOptional(directory: string, file: string): Promise<string | null> {
  return missingAsNull(readFile(join(directory, file), "utf8"));
}

async function missingAsNull<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}
