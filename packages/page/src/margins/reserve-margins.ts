// Makes the page margins at least as high as their headers and footers. This needs only `@page` rules with margins,
// which every Chromium supports.
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { createElement, headElement, linkTo } from "../dom.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { isRightToLeft } from "../side-breaks.ts";
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
  const reserveOf = (group: PageGroup) =>
    [
      header[group] > margin.top ? `margin-top:${header[group]}px;` : "",
      footer[group] > margin.bottom ? `margin-bottom:${footer[group]}px;` : "",
    ].join("");
  const groups = pageGroups.filter((group) => reserveOf(group) !== "");
  if (groups.length === 0) return;
  const selectors = pageSelectors();
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
export async function measureMargins(hosts: readonly MarginHost[], input: PrepareInput): Promise<boolean> {
  const reserved = { header: measureHeights(hosts, "header"), footer: measureHeights(hosts, "footer") };
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
