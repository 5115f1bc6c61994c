// Validates the files of a template folder and builds the content of a version from them. Every problem has a file and a line.
// Validation has four steps, and stops after the first step with problems: the names, types and syntax of the files and the
// manifest; Liquid and the styles; the sample data; and the HTML of a trial document. Whether browsers support the styles is
// not checked here.
import { documentFilters } from "colophon-liquid-filters/filters";
import { parseLiquid } from "colophon-liquid/liquid";
import { isPartName, mistakeLimit, partUses } from "colophon-liquid/syntax";
import { partName } from "../compile-template.ts";
import { isPlainObject, maxDataDepth } from "../template-data.ts";
import type { FileWarning, TemplateContent, PartFile } from "../template.ts";
import { assetNames, fontWarnings, usedAssets } from "./assets/asset-files.ts";
import { checkContent, type ValidationOptions } from "./check-content.ts";
import { composed, fileNameProblems } from "./file-names.ts";
import { parseJsonFile, type JsonFile } from "./json-file.ts";
import { parseManifest, type ParsedManifest } from "./manifest.ts";
import { subfolders, type FileProblem, type SingleFile, type TemplateFiles } from "./template-files.ts";
import { namedAssets } from "./used/named-assets.ts";
import { openFolder, type OpenedFolder } from "./used/opened-folder.ts";
import { ownLocaleProblem, usedLocales } from "./used/used-locales.ts";
import { joinedStyles, styleSheets, type StyleSheet } from "./used/used-styles.ts";

/**
 * `warnings` are about parts that are valid but probably mistakes. `sheets` are the style sheets that `content.css` consists of.
 */
export type ValidationResult =
  | { status: "valid"; content: TemplateContent; sheets: StyleSheet[]; warnings: FileWarning[] }
  | { status: "broken"; problems: FileProblem[]; warnings: FileWarning[] };

const noManifest: ParsedManifest = { manifest: null, styles: [], problems: [] };

/** The maximum nesting of `template.json`. A field takes two levels, so fields can be nested as deeply as the data. */
const maxManifestDepth = 2 * maxDataDepth;

/** `files` may contain files of the shared folder. */
export function validateTemplate(files: TemplateFiles, options: ValidationOptions = {}): ValidationResult {
  const folder = openFolder(files);
  const result = validateFolder(folder, options);
  const shared = folder.sharedProblems();
  if (shared.length === 0) return result;
  const ownProblems = result.status === "broken" ? result.problems : [];
  return { status: "broken", problems: [...ownProblems, ...shared], warnings: result.warnings };
}

function validateFolder(folder: OpenedFolder, options: ValidationOptions): ValidationResult {
  const { problems } = folder;
  for (const name of subfolders) {
    const names = folder.inside(name).map(({ path }) => path);
    problems.push(...fileNameProblems(name, names));
  }
  const manifestJson = parsed(folder, "template.json", maxManifestDepth);
  const sample = parsed(folder, "sample.json", maxDataDepth);
  const pages = validPages(folder);
  const [header, footer] = [folder.text("header.liquid"), folder.text("footer.liquid")];
  const sources = [...pages.map(({ source }) => source), header ?? "", footer ?? ""];
  const { parts, assets: named, otherNames } = usedParts(folder, sources);
  const { manifest, styles, problems: wrong } = manifestJson ? parseManifest(manifestJson.value) : noManifest;
  for (const { path, reason } of wrong)
    problems.push({ file: "template.json", line: manifestJson?.lineOf(path) ?? 1, reason });
  const sheets = styleSheets(folder, styles, (index) => manifestJson?.lineOf(["styles", index]) ?? 1);
  const joined = joinedStyles(sheets, assetNames(folder));
  const locales = usedLocales(folder);
  if (manifest && manifestJson) problems.push(...ownLocaleProblem(manifest, locales, manifestJson));
  const assets = usedAssets(folder, [...named, ...joined.assets.map(({ name }) => name)]);
  if (!manifest || !manifestJson || !sample || problems.length > 0) return { status: "broken", problems, warnings: [] };
  if (!isPlainObject(sample.value)) {
    const reason = "the file must contain a JSON object";
    return { status: "broken", problems: [{ file: "sample.json", line: 1, reason }], warnings: [] };
  }
  const content: TemplateContent = {
    manifest: locales.length > 0 ? { ...manifest, locales: locales.map(({ locale }) => locale) } : manifest,
    pages,
    ...(parts.length > 0 ? { parts } : {}),
    ...(locales.length > 0 ? { locales: locales.map(({ locale, source }) => ({ locale, source })) } : {}),
    css: joined.css,
    styleAssets: joined.assets,
    header,
    footer,
    assets,
    sampleData: sample.value,
  };
  const checked = checkContent({
    content,
    sample,
    options,
    styleProblems: joined.problems,
    otherNames,
    assets: assetNames(folder),
    languages: locales,
    sheets,
  });
  const { problems: found } = checked;
  const warnings = [...checked.warnings, ...fontWarnings(folder, assets)];
  return found.length > 0
    ? { status: "broken", problems: found, warnings }
    : { status: "valid", content, sheets, warnings };
}

function parsed(folder: OpenedFolder, file: SingleFile, maxDepth: number): JsonFile | null {
  if (folder.isMissing(file)) folder.problems.push({ file, line: 1, reason: "the file is missing" });
  const text = folder.text(file);
  if (text === null) return null;
  const result = parseJsonFile(text, maxDepth);
  if (result.status === "parsed") return result.json;
  folder.problems.push(...result.problems.map((problem) => ({ file, ...problem })));
  return null;
}

function validPages(folder: OpenedFolder): TemplateContent["pages"] {
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

/** `otherNames` are the names of unused parts. `assets` are the names of the assets that the files name. */
type UsedParts = { parts: PartFile[]; assets: string[]; otherNames: string[] };

/** The folders of parts, in search order. */
const partFolders = ["parts", "shared/parts"];

/**
 * Finds the parts that a template uses; its own part hides a shared part with the same name. `sources` are the pages, the header and the
 * footer. Reports file names in `parts/` that no template could use, and files that
 * are not text. A file whose Liquid cannot be parsed counts as using no parts or assets.
 */
function usedParts(folder: OpenedFolder, sources: string[]): UsedParts {
  reportNames(folder);
  const used = new Map<string, PartFile>();
  const assets: string[] = [];
  const pending = [...sources];
  const limit = mistakeLimit();
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const { parsed } = parseLiquid("", source, { filters: documentFilters, limit });
    if (!parsed) continue;
    assets.push(...namedAssets(parsed).map(({ name }) => name));
    for (const { part } of partUses(parsed)) {
      const file = partFolders.map((place) => `${place}/${part}.liquid`).find((path) => folder.has(path));
      if (file === undefined || used.has(part)) continue;
      const text = folder.text(file) ?? "";
      used.set(part, { file, source: text });
      pending.push(text);
    }
  }
  const all = partFolders.flatMap((place) => folder.inside(place).map(({ path }) => path));
  const otherNames = all.map(partName).filter((name) => !used.has(name));
  return { parts: sortedParts(used), assets, otherNames };
}

function reportNames({ problems, inside }: OpenedFolder): void {
  for (const { path } of inside("parts")) {
    const isUsable = path.endsWith(".liquid") && isPartName(partName(path));
    const reason =
      "the name of a part must consist of letters without accents, digits, `_` and `-`, and end in .liquid";
    if (!isUsable) problems.push({ file: `parts/${path}`, line: 1, reason });
  }
}

function sortedParts(parts: ReadonlyMap<string, PartFile>): PartFile[] {
  return [...parts.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
}
