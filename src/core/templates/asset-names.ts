// The names by which templates refer to the files of their `assets/` folder.
import { lineCounter } from "../line-counter.ts";
import { closestName } from "./checks/closest-name.ts";

/**
 * Returns the asset's name in `assets/`. A template may write it as `logo.svg`, `./logo.svg` or `assets/logo.svg`. The
 * name is in Unicode's composed form (NFC), as are the names of stored assets, because some systems decompose the
 * letters of file names.
 */
export function assetName(name: string): string {
  return name
    .normalize("NFC")
    .replace(/^\.\//, "")
    .replace(/^assets\//, "");
}

/**
 * Returns a problem for each asset that a Liquid file names and the template does not contain. Only literal names are
 * checked, because a computed name is known only when the template is rendered.
 */
export function unknownAssets(source: string, names: ReadonlySet<string>): { line: number; reason: string }[] {
  const lineOf = lineCounter(source);
  const problems: { line: number; reason: string }[] = [];
  for (const { name, index } of literalAssets(source)) {
    if (names.has(name)) continue;
    const similar = closestName(name, names);
    const hint = similar === null ? "" : `; did you mean \`${similar}\`?`;
    problems.push({ line: lineOf(index), reason: `there is no file assets/${shortened(name)}${hint}` });
    if (problems.length === maxProblems) break;
  }
  return problems;
}

/** Returns the names of assets that a Liquid file writes out, with their positions. */
export function literalAssets(source: string): { name: string; index: number }[] {
  return [...withoutUnusedText(source).matchAll(literalAsset)].map(({ 1: double, 2: single, index }) => ({
    name: assetName(double ?? single ?? ""),
    index,
  }));
}

const maxProblems = 100;

function shortened(name: string): string {
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

/** A quoted name whose first filter is `asset`, in an output or an assignment. */
const literalAsset = /(?:\{\{-?|=|\becho\b)\s*(?:"([^"]*)"|'([^']*)')\s*\|\s*asset\b/g;

/** Replaces comments and raw text with spaces of the same length, so that the positions of the rest stay the same. */
function withoutUnusedText(source: string): string {
  const parts: string[] = [];
  let copied = 0;
  for (const opening = /\{%-?\s*(?:(comment|raw)\s*-?%\}|#)/g; ; ) {
    opening.lastIndex = copied;
    const found = opening.exec(source);
    if (!found) return parts.join("") + source.slice(copied);
    const closing = found[1] ? new RegExp(`\\{%-?\\s*end${found[1]}\\s*-?%\\}`, "g") : /%\}/g;
    closing.lastIndex = opening.lastIndex;
    // The parser reports a comment that never ends.
    const end = closing.exec(source) ? closing.lastIndex : source.length;
    parts.push(source.slice(copied, found.index), " ".repeat(end - found.index));
    copied = end;
  }
}
