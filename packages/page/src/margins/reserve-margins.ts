// Makes the page margins at least as high as their headers and footers. This needs only `@page` rules with margins,
// which every Chromium supports.
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { createElement, headElement, linkTo } from "../dom.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { sidesOf } from "../references/print-width.ts";
import { isRightToLeft } from "../side-breaks.ts";
import { documentRules } from "../style-rules.ts";
import { detachMargins, isBlank, type Edge, type MarginHost, innerFragments } from "./margin-hosts.ts";
import { pageKinds, variantKeyOf, withVariant, type PageKind } from "./page-variants.ts";
import { showSharedImages } from "./share-images.ts";

/** The pages that `@page` rules can distinguish: the first page, and the other odd and even pages. */
const pageGroups = ["first", "odd", "even"] as const;
type PageGroup = (typeof pageGroups)[number];

/** The heights of the headers or footers on the pages of each group, in CSS pixels. */
export type MarginHeights = Record<PageGroup, number>;

/** Returns the height of the highest header or footer of this edge. The hosts must be in the document. */
export function measureHeights(hosts: readonly MarginHost[], edge: Edge): MarginHeights {
  const heights = { first: 0, odd: 0, even: 0 };
  for (const { host } of hosts.filter((margin) => margin.edge === edge)) {
    const keyOf = variantKeyOf(host);
    const heightByKey = new Map<string, number>();
    for (const kind of pageKinds) {
      const key = keyOf(kind);
      const height = heightByKey.get(key) ?? heightOn(host, kind);
      heightByKey.set(key, height);
      const group = groupOf(kind);
      heights[group] = Math.max(heights[group], height);
    }
  }
  return heights;
}

/** Returns the height on pages of this kind, or zero if nothing is displayed there. */
export function heightOn(host: HTMLElement, kind: PageKind): number {
  return withVariant(host, kind, () => (isBlank(host) ? 0 : Math.ceil(host.getBoundingClientRect().height)));
}

export function groupOf({ isFirst, isOdd }: Pick<PageKind, "isFirst" | "isOdd">): PageGroup {
  if (isFirst) return "first";
  return isOdd ? "odd" : "even";
}

/**
 * Adds `@page` rules for margins that are lower than the headers and footers. Throws an error if no space remains for
 * the content, because Chromium would then also ignore the page size.
 */
export function reserveMargins(
  { margin, pageHeight }: PrepareInput,
  { header, footer }: Record<Edge, MarginHeights>,
): void {
  for (const group of pageGroups) {
    const isHigher = header[group] > margin.top || footer[group] > margin.bottom;
    const total = Math.max(header[group], margin.top) + Math.max(footer[group], margin.bottom);
    if (isHigher && total >= pageHeight)
      throw new TooExpensiveError(noSpaceLeft(header[group], footer[group], pageHeight));
  }
  const selectors = pageSelectors();
  const own = (name: string) => sidesOf(name, { page: pageHeight, ...margin }, documentRules());
  const all = own("");
  // Of rules in two style sheets, the later ones have priority over more specific ones.
  const reserveIn = (group: PageGroup, side: "top" | "bottom", heights: MarginHeights) => {
    const least = own(selectors[group])[side];
    const isOverridden = group === "first" && least !== all[side] && heights.odd > margin[side];
    const isReserved = isOverridden || heights[group] > margin[side];
    return isReserved ? `margin-${side}:${Math.max(heights[group], least)}px;` : "";
  };
  const reserveOf = (group: PageGroup) => reserveIn(group, "top", header) + reserveIn(group, "bottom", footer);
  const groups = pageGroups.filter((group) => reserveOf(group) !== "");
  if (groups.length === 0) return;
  const style = createElement("style");
  style.textContent = groups.map((group) => `@page ${selectors[group]}{${reserveOf(group)}}`).join("");
  headElement().append(style);
}

function noSpaceLeft(header: number, footer: number, pageHeight: number): string {
  const heights = `header ${header} px, footer ${footer} px, page ${Math.round(pageHeight)} px`;
  return `The header and the footer leave no space for the content (heights: ${heights}). Make them lower.`;
}

function pageSelectors(): Record<PageGroup, string> {
  const [odd, even] = isRightToLeft() ? [":left", ":right"] : [":right", ":left"];
  return { first: ":first", odd, even };
}

/** The headers and footers of the loaded document, which is printed between its preparation and the layout of the sheets. */
export type CurrentMargins = {
  input: PrepareInput;
  /** These hosts are no longer in the document. */
  hosts: readonly MarginHost[];
  /** The heights reserved in the margins. A margin may be higher. */
  reserved: Record<Edge, MarginHeights>;
};

let current: CurrentMargins | null = null;

export function keepMargins(margins: CurrentMargins): void {
  current = margins;
}

export function currentMargins(): CurrentMargins {
  if (!current) throw new Error("no document is prepared");
  return current;
}

/**
 * Measures the headers and footers, reserves their space, and removes them from the document until the sheets are laid out. Returns whether
 * there are any.
 */
export async function measureMargins(
  hosts: readonly MarginHost[],
  input: PrepareInput,
  rules: readonly CSSRule[],
): Promise<boolean> {
  const reserved = { header: measureHeights(hosts, "header"), footer: measureHeights(hosts, "footer") };
  const [all, first] = ["", ":first"].map((name) => sidesOf(name, { page: input.pageHeight, ...input.margin }, rules));
  for (const edge of ["header", "footer"] as const) {
    const side = edge === "header" ? "top" : "bottom";
    const readsPage = hosts.some((margin) => margin.edge === edge && margin.readsPage);
    // The examples do not show whether the header is blank on a cover. If it is not, the margin grows after the print.
    if (all && first && first[side] < all[side] && readsPage) reserved[edge].first = 0;
  }
  reserveMargins(input, reserved);
  // The inner links are repeated in the head, because headers and footers are not in the document when it is printed.
  for (const fragment of new Set(hosts.flatMap(({ host }) => innerFragments(host)))) linkTo(fragment);
  await showSharedImages(
    hosts.map(({ host }) => host),
    "document",
  );
  detachMargins(hosts);
  keepMargins({ input, hosts, reserved });
  return hosts.length > 0;
}
