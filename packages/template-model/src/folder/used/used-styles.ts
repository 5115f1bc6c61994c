import { percentDecoded } from "colophon-base/encoding";
// Joins the shared style sheets that `template.json` names and the template's own style sheet, validates them, and records where they use
// files in `assets/`, so that the Worker that renders the template can insert the files without parsing the CSS again.
import { lineCounter } from "colophon-base/line-counter";
import { similarName } from "colophon-base/similar-name";
import { printable, quoted, shortened } from "colophon-base/text";
import { assetName } from "../../asset-names.ts";
import { imageUriProblem } from "../../document-images.ts";
import { maxStyleProblems, readStyles, type StyleReference } from "../../styles/read-styles.ts";
import type { StyleAsset } from "../../template.ts";
import type { FileProblem } from "../template-files.ts";
import type { OpenedFolder } from "./opened-folder.ts";

export type StyleSheet = { file: string; css: string };

/** All styles in one string. `problems` are the styles' problems, in the order of the sheets. */
type JoinedStyles = { css: string; assets: StyleAsset[]; problems: FileProblem[] };

/** Shared sheets come first, so that the template's own styles override them. */
export function styleSheets(folder: OpenedFolder, names: string[], lineOf: (index: number) => number): StyleSheet[] {
  const shared = names.flatMap((name, index): StyleSheet[] => {
    const file = `shared/styles/${name}`;
    const css = folder.text(file);
    if (css !== null) return [{ file, css }];
    if (folder.isMissing(file)) {
      const known = folder.inside("shared/styles").map(({ path }) => path);
      const similar = similarName(name, known);
      const reason = `styles.${index}: there is no file ${file}${similar === null ? "" : `; did you mean "${similar}"?`}`;
      folder.problems.push({ file: "template.json", line: lineOf(index), reason });
    }
    return [];
  });
  return [...shared, { file: "style.css", css: folder.text("style.css") ?? "" }];
}

/** `names` are the names of the assets that the styles can use. */
export function joinedStyles(sheets: StyleSheet[], names: ReadonlySet<string>): JoinedStyles {
  const joined: JoinedStyles = { css: "", assets: [], problems: [] };
  for (const [index, { file, css }] of sheets.entries()) {
    if (index > 0) joined.css += "\n";
    const offset = joined.css.length;
    joined.css += css;
    const { assets, problems } = styleAssets(css, names);
    for (const { start, end, name } of assets) joined.assets.push({ start: start + offset, end: end + offset, name });
    for (const problem of problems) joined.problems.push({ file, ...problem });
  }
  return joined;
}

/** `names` are the names of the template's assets. */
export function styleAssets(css: string, names: ReadonlySet<string>) {
  const { references, problems } = readStyles(css);
  const assets: StyleAsset[] = [];
  for (const reference of references) {
    if (problems.length >= maxStyleProblems) break;
    const { start, end } = reference;
    if (oldFormat.test(css.slice(end, end + 60))) continue;
    const asset = findAsset(reference, names);
    if (asset.status === "asset") assets.push({ start, end, name: asset.name });
    if (asset.status === "refused") problems.push({ index: start, reason: asset.reason });
  }
  const lineOf = lineCounter(css);
  const lines = problems.map(({ index, reason }) => ({ line: lineOf(index), reason }));
  return { assets, problems: lines.sort((a, b) => a.line - b.line) };
}

/** Chromium skips the fonts of these formats, which styles name for old browsers. */
const oldFormat = /^\s*\)?\s*format\(\s*["']?(?:svg|embedded-opentype)\b/i;

type FoundAsset =
  | { status: "asset"; name: string }
  /** The reference needs no file: it is a fragment of the document, a `data:` URI, or a file that no browser loads. */
  | { status: "unchanged" }
  | { status: "refused"; reason: string };

function findAsset({ target: written }: StyleReference, names: ReadonlySet<string>): FoundAsset {
  const target = written.trim();
  if (target.startsWith("#")) return { status: "unchanged" };
  if (/^data:/i.test(target)) return checkedUri(target);
  if (target === "") return { status: "refused", reason: "`url()` does not name a file" };
  // In a URL, a space in a file name is written as `%20`, and a query or a fragment after a name is for caches and old browsers. Styles
  // that were in a folder refer to the folders beside it.
  const path = target.replace(/[?#].*/s, "").replace(/^(?:\.\.\/)+/, "");
  const found = [target, path].flatMap((each) => [assetName(each), assetName(percentDecoded(each))]);
  const name = found.find((candidate) => names.has(candidate));
  // Chromium skips EOT fonts. Styles for old browsers name such a font before the other files of the font.
  if (name === undefined && /\.eot$/i.test(path)) return { status: "unchanged" };
  if (name === undefined) return { status: "refused", reason: missingFile(target, path, names) };
  if (!/\.svg$/i.test(name) || !target.includes("#") || name === assetName(target)) return { status: "asset", name };
  return {
    status: "refused",
    reason: `styles can show only all of ${shortened(name)}; put the part into a separate file`,
  };
}

function missingFile(target: string, path: string, names: ReadonlySet<string>): string {
  if (/^(?:https?:)?\/\//i.test(target))
    return `${quoted(target)} is not loaded by documents; put the file into assets/`;
  const asset = assetName(path);
  const file = asset.split("/").at(-1) ?? "";
  const onlyAssets = "style.css can use only files in assets/";
  const noFolders = names.has(file) ? `write ${quoted(`url(${file})`)}, because assets/` : `${onlyAssets}, which`;
  const advice = file === asset ? onlyAssets : `${noFolders} has no folders`;
  return `there is no file assets/${printable(shortened(asset))}; ${advice}`;
}

function checkedUri(uri: string): FoundAsset {
  const reason = imageUriProblem(uri, false);
  return reason === null ? { status: "unchanged" } : { status: "refused", reason };
}
