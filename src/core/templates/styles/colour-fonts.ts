// Keeps browsers from making glyphs with colours bold. Chromium 127 leaves such glyphs out of a PDF, and later versions draw them
// as they are.
import { base64Bytes } from "../../encoding.ts";
import type { Asset, StyleAsset } from "../template.ts";
import type { StyleEdit } from "./page-references.ts";
import { hasColours } from "./font-tables.ts";

type Styles = { css: string; styleAssets: readonly StyleAsset[]; assets: Readonly<Record<string, Asset>> };

/** An `@font-face` rule. `end` is where its block ends. */
type Face = { family: string; weight: string; isColoured: boolean; end: number };

/**
 * Returns edits that give fonts with colours every weight, so that a browser never makes bold ones of them. A family that also
 * has other fonts, or several weights, is left as it is: a browser chooses among its faces by their weights.
 */
export function colourFontEdits(styles: Styles): StyleEdit[] {
  const coloured = colouredAssets(styles);
  if (coloured.length === 0) return [];
  const families = Map.groupBy(facesIn(styles.css, coloured), ({ family }) => family);
  return [...families.values()].flatMap((faces) => {
    const isUniform = faces.every(({ weight, isColoured }) => isColoured && weight === faces[0]?.weight);
    return isUniform ? faces.map(({ end }) => ({ start: end, end, text: ";font-weight:1 1000" })) : [];
  });
}

function colouredAssets({ styleAssets, assets }: Styles): StyleAsset[] {
  const isColoured = (name: string) => {
    const asset = assets[name];
    return asset?.contentType.startsWith("font/") && hasColours(base64Bytes(asset.base64.slice(0, directoryChars)));
  };
  const names = new Set([...new Set(styleAssets.map(({ name }) => name))].filter(isColoured));
  return styleAssets.filter(({ name }) => names.has(name));
}

/** Enough of a file for the names of 200 tables. */
const directoryChars = 6_000;

/** Such a rule contains no other rule. One in a comment is found too, where an edit changes nothing. */
function facesIn(css: string, coloured: readonly StyleAsset[]): Face[] {
  return [...css.matchAll(/@font-face\s*\{([^{}]*)\}/gi)].map(({ 0: rule, 1: block = "", index }) => {
    const end = index + rule.length - 1;
    const family = valueOf(block, "font-family").replace(/["']/g, "").toLowerCase();
    const isColoured = coloured.some(({ start }) => start > index && start < end);
    return { family, weight: valueOf(block, "font-weight") || "normal", isColoured, end };
  });
}

/** Returns the last value of a descriptor; an empty text if there is none. */
function valueOf(block: string, descriptor: string): string {
  const pattern = new RegExp(`(?:^|[;\\s])${descriptor}\\s*:([^;]*)`, "gi");
  return [...block.matchAll(pattern)].at(-1)?.[1]?.trim() ?? "";
}
