// Keeps browsers from making glyphs with colours bold. Chromium 127 leaves such glyphs out of a PDF, and later versions draw them
// as they are.
import { TokenType, type CSSToken } from "@csstools/css-tokenizer";
import { base64Bytes } from "../../encoding.ts";
import type { Asset, StyleAsset } from "../template.ts";
import type { StyleEdit } from "./page-references.ts";
import { hasColours } from "./font-tables.ts";
import { readRules, type Declaration } from "./support/read-rules.ts";

type Styles = { css: string; styleAssets: readonly StyleAsset[]; assets: Readonly<Record<string, Asset>> };

/** An `@font-face` rule. `end` is where its last declaration ends. */
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

function facesIn(css: string, coloured: readonly StyleAsset[]): Face[] {
  const faces: Face[] = [];
  readRules(css, "rules", {
    atRule: ({ name }) => (name === "font-face" ? "font-face" : groupRules.has(name) ? "rules" : "skipped"),
    declarations: (kind, declarations) => {
      const face = kind === "font-face" ? faceOf(declarations, coloured) : null;
      if (face) faces.push(face);
    },
    rule: () => {},
    stray: () => {},
    unclosed: () => {},
  });
  return faces;
}

const groupRules = new Set(["media", "supports", "layer", "container"]);

function faceOf(declarations: Declaration[], coloured: readonly StyleAsset[]): Face | null {
  const valueOf = (wanted: string) => declarations.findLast(({ name }) => name === wanted)?.value ?? [];
  const last = declarations.at(-1)?.value.at(-1);
  const source = valueOf("src");
  const [from, to] = [source.at(0)?.[2] ?? 0, source.at(-1)?.[3] ?? -1];
  const isColoured = coloured.some(({ start }) => start >= from && start <= to);
  return last ? { family: nameOf(valueOf("font-family")), weight: textOf(valueOf("font-weight")), isColoured, end: last[3] + 1 } : null;
}

function nameOf(value: readonly CSSToken[]): string {
  const words = value.flatMap((token) => (token[0] === TokenType.Ident || token[0] === TokenType.String ? [token[4].value] : []));
  return words.join(" ").toLowerCase();
}

function textOf(value: readonly CSSToken[]): string {
  return value.map(([, text]) => text).join("") || "normal";
}
