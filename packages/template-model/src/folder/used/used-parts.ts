// Finds the parts that a template uses. A template's own part hides a shared part with the same name.
import { documentFilters } from "colophon-liquid-filters/filters";
import { parseLiquid } from "colophon-liquid/liquid";
import { isPartName, maxMistakes, partUses } from "colophon-liquid/syntax";
import { partName } from "../../compile-template.ts";
import type { PartFile } from "../../template.ts";
import { namedAssets } from "./named-assets.ts";
import type { OpenedFolder } from "./opened-folder.ts";

/** `otherNames` are the names of unused parts. `assets` are the names of the assets that the files name. */
export type UsedParts = { parts: PartFile[]; assets: string[]; otherNames: string[] };

/** The folders of parts, in search order. */
const partFolders = ["parts", "shared/parts"];

/**
 * `sources` are the pages, the header and the footer. Reports file names in `parts/` that no template could use, and files that
 * are not text. A file whose Liquid cannot be parsed counts as using no parts or assets.
 */
export function usedParts(folder: OpenedFolder, sources: string[]): UsedParts {
  reportNames(folder);
  const used = new Map<string, PartFile>();
  const assets: string[] = [];
  const pending = [...sources];
  let mistakes = 0;
  for (let source = pending.pop(); source !== undefined; source = pending.pop()) {
    const { parsed, problems } = parseLiquid("", source, {
      filters: documentFilters,
      limit: maxMistakes - mistakes,
    });
    mistakes += problems.length;
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
