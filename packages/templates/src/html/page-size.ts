// Moves the size and the margins of all pages from `@page` to `template.json`, where headers, footers and images read them too. Sizes and
// margins that `template.json` cannot express stay in the styles.
import type { Declaration } from "css-tree";
import { lengthPx, maxPagePx, minPagePx, pageSizeNames } from "colophon-page/page-geometry";
import { withEdits, type StyleEdit } from "colophon-template-model/reference-styles";
import { textOf } from "../styles/css-syntax.ts";
import { replacement, styleNodes } from "./page-styles.ts";

/** The members of `template.json`. */
export type PageSettings = {
  pageSize?: string;
  orientation?: string;
  width?: number;
  height?: number;
  margin?: object;
};

export function withoutPageSize(css: string): { css: string; settings: PageSettings } {
  const root = styleNodes(css, "rules");
  const settings: PageSettings = { pageSize: "A4" };
  const edits: StyleEdit[] = [];
  for (const rule of root?.type === "StyleSheet" ? root.children : []) {
    if (rule.type !== "Atrule" || rule.name.toLowerCase() !== "page" || rule.prelude || !rule.block) continue;
    const items = [...rule.block.children];
    const moved = items.filter((item) => item.type === "Declaration" && !item.important && apply(settings, item, css));
    for (const node of moved.length === items.length ? [rule] : moved) edits.push(replacement(node, ""));
  }
  return { css: withEdits(css, edits).trim(), settings };
}

/** Returns whether the settings now have what the declaration says. */
function apply(settings: PageSettings, { property, value }: Declaration, css: string): boolean {
  const words = textOf(css, value).toLowerCase().split(/\s+/);
  if (property.toLowerCase() === "size") return applySize(settings, words);
  const margin = /^margin(?:-(top|right|bottom|left))?$/.exec(property.toLowerCase());
  const lengths = words.map((word) => (Number(word) === 0 ? "0px" : word));
  if (!margin || lengths.some((length) => lengthPx(length) === null)) return false;
  const [top, right = top, bottom = top, left = right] = lengths;
  const [, side] = margin;
  settings.margin = { ...settings.margin, ...(side ? { [side]: top } : { top, right, bottom, left }) };
  return true;
}

function applySize(settings: PageSettings, words: string[]): boolean {
  const orientation = words.find((word) => /^(?:portrait|landscape)$/.test(word)) ?? "portrait";
  const [first, second = first, ...others] = words.filter((word) => word !== orientation);
  // The paper that CSS calls `ledger` is the portrait one.
  const pageSize = pageSizeNames.find((name) => name.toLowerCase() === (first ?? "a4").replace("ledger", "tabloid"));
  const [width = 0, height = 0] = [first, second].map((word) => Math.round(lengthPx(word ?? "") ?? 0));
  const isSize = [width, height].every((side) => side >= minPagePx && side <= maxPagePx);
  if (others.length > 0 || !(isSize || (pageSize && first === second))) return false;
  for (const name of ["pageSize", "orientation", "width", "height"] as const) delete settings[name];
  Object.assign(settings, pageSize ? { pageSize, orientation } : { width, height });
  return true;
}
