// The names by which templates refer to the files of their `assets/` folder.
import { lineCounter } from "../line-counter.ts";

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
  return [...withoutUnusedText(source).matchAll(literalAsset)].flatMap(({ 1: double, 2: single, index }) => {
    const name = assetName(double ?? single ?? "");
    return names.has(name) ? [] : [{ line: lineOf(index), reason: `there is no file assets/${name}` }];
  });
}

/** A quoted name whose first filter is `asset`, in an output or an assignment. */
const literalAsset = /(?:\{\{-?|=|\becho\b)\s*(?:"([^"]*)"|'([^']*)')\s*\|\s*asset\b/g;

/** Replaces comments and raw text by spaces of the same length, so that the positions of the rest stay the same. */
function withoutUnusedText(source: string): string {
  const unused = /\{%-?\s*(comment|raw)\s*-?%\}[^]*?\{%-?\s*end\1\s*-?%\}|\{%-?\s*#[^]*?%\}/g;
  return source.replace(unused, (text) => " ".repeat(text.length));
}
