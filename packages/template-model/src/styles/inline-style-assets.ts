// Inserts the assets that a style sheet uses. Their positions were recorded when the template was pushed.
import type { StyleAsset } from "../template.ts";
import type { StyleEdit } from "./reference-styles.ts";

/**
 * Returns the styles with every `url(logo.svg)` replaced with the asset itself, and with the other `edits`. `uris` are the
 * assets' `data:` URIs.
 */
export function inlineStyleAssets(
  css: string,
  assets: StyleAsset[],
  uris: ReadonlyMap<string, string>,
  edits: StyleEdit[] = [],
): string {
  const files = assets.map(({ start, end, name }) => {
    const uri = `"${uris.get(name) ?? ""}"`;
    const isUnquoted = !/^["']/.test(css.slice(start, end));
    return { start, end, text: isUnquoted ? `url(${uri})` : uri };
  });
  return withEdits(
    css,
    [...files, ...edits].sort((a, b) => a.start - b.start),
  );
}

/** Returns the length of the result of `inlineStyleAssets` without building it. */
export function inlinedStyleChars(css: string, assets: StyleAsset[], uris: ReadonlyMap<string, string>): number {
  return assets.reduce((chars, { name }) => chars + (uris.get(name)?.length ?? 0), css.length);
}

/** Returns the text with the edits, which must be sorted. */
function withEdits(text: string, edits: readonly StyleEdit[]): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { start, end, text: inserted } of edits) {
    // Edits overlap only in a value that no browser supports, such as a file instead of a font family.
    if (start < copied) continue;
    parts.push(text.slice(copied, start), inserted);
    copied = end;
  }
  return [...parts, text.slice(copied)].join("");
}
