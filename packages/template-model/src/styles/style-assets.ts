// Validates a style sheet when its template is pushed, and records where it uses files of `assets/`. The Worker that
// renders the template therefore inserts the files without reading the CSS again.
import { percentDecoded } from "colophon-base/percent-decoded";
import { checkImageUri } from "colophon-images/image-guard";
import { lineCounter } from "colophon-base/line-counter";
import { assetName } from "../asset-names.ts";
import type { StyleAsset } from "../template.ts";
import { maxStyleProblems, readStyles, type StyleReference } from "./read-styles.ts";
import { shortened } from "colophon-base/text";

export type StyleAssets = { assets: StyleAsset[]; problems: { line: number; reason: string }[] };

/** `names` are the names of the template's assets. */
export function styleAssets(css: string, names: ReadonlySet<string>): StyleAssets {
  const { references, problems } = readStyles(css);
  const assets: StyleAsset[] = [];
  for (const reference of references) {
    if (problems.length >= maxStyleProblems) break;
    const { start, end } = reference;
    const found = findAsset(reference, names);
    if (found.status === "asset") assets.push({ start, end, name: found.name });
    if (found.status === "refused") problems.push({ index: start, reason: found.reason });
  }
  const lineOf = lineCounter(css);
  const lines = problems.map(({ index, reason }) => ({ line: lineOf(index), reason }));
  return { assets, problems: lines.sort((a, b) => a.line - b.line) };
}

type FoundAsset =
  | { status: "asset"; name: string }
  /** The reference needs no file: it is a fragment of the document, or a `data:` URI. */
  | { status: "unchanged" }
  | { status: "refused"; reason: string };

function findAsset({ target: written }: StyleReference, names: ReadonlySet<string>): FoundAsset {
  const target = written.trim();
  if (target.startsWith("#")) return { status: "unchanged" };
  if (/^data:/i.test(target)) return checkedUri(target);
  if (target === "") return { status: "refused", reason: "`url()` does not name a file" };
  // A URL writes a space in a file's name as `%20`.
  const name = [assetName(target), assetName(percentDecoded(target))].find((candidate) => names.has(candidate));
  if (name !== undefined) return { status: "asset", name };
  const missing = `there is no file assets/${shortened(assetName(target))}`;
  return { status: "refused", reason: `${missing}; style.css can use only files in assets/` };
}

function checkedUri(uri: string): FoundAsset {
  const check = /^data:image\//i.test(uri) ? checkImageUri(uri) : null;
  if (check?.status !== "refused") return { status: "unchanged" };
  return { status: "refused", reason: `the image in the \`data:\` URI cannot be used: ${check.reason}` };
}
