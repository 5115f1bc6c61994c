// Decides which pages share a sheet: pages of the same size whose headers and footers look the same.
import { TooExpensiveError } from "../cost/too-expensive.ts";
import { findAll, textOf } from "../dom.ts";
import type { PrintedPage, SheetSize } from "../prepared-page.ts";
import { isBlank, hasCounters, type Edge } from "./margin-hosts.ts";
import { isForBlankPages, pageKind, variantKeyOf, withVariant, type PageKind } from "./page-variants.ts";

export type Sheet = {
  size: SheetSize;
  sizeIndex: number;
  /** Sheets with the same key differ only in the text of their counters. */
  lookKey: string;
  kind: PageKind;
  /** Models for the header and the footer; null if nothing is displayed. */
  header: HTMLElement | null;
  footer: HTMLElement | null;
  /** The text of the page counters. */
  pageNumber: string;
  totalPages: string;
};

/** The same limit as for repeated elements in `cost/print-cost.ts`. */
const maxElements = 200_000;
const charsPerElement = 80;

/**
 * `hostAt` returns the header or footer of a page. The hosts must be in the document. `sheetOfPage` is null for a page without header and
 * footer.
 */
export function planSheets(
  pages: readonly PrintedPage[],
  hostAt: (edge: Edge, pageIndex: number) => HTMLElement | null,
): { sheets: Sheet[]; sheetOfPage: (number | null)[] } {
  const sheets: Sheet[] = [];
  const sheetOfPage: (number | null)[] = [];
  const looks: Looks = new Map();
  const sheetNumbers = new Map<string, number>();
  const sizeIndexes = new Map<string, number>();
  let elements = 0;
  for (const [index, size] of pages.entries()) {
    const kind = pageKind(index, pages);
    const header = lookOf(looks, hostAt("header", index), kind);
    const footer = lookOf(looks, hostAt("footer", index), kind);
    if (!header && !footer) {
      sheetOfPage.push(null);
      continue;
    }
    const sizeKey = `${size.width} ${size.height}`;
    const sizeIndex = sizeIndexes.get(sizeKey) ?? sizeIndexes.size;
    sizeIndexes.set(sizeKey, sizeIndex);
    const counted = header?.hasCounters || footer?.hasCounters ? index : "";
    const lookKey = `${sizeIndex} ${header?.id} ${footer?.id}`;
    const key = `${lookKey} ${counted}`;
    const sheetNumber = sheetNumbers.get(key);
    if (sheetNumber !== undefined) {
      sheetOfPage.push(sheetNumber);
      continue;
    }
    elements += (header?.cost ?? 0) + (footer?.cost ?? 0);
    if (elements > maxElements) throw new TooExpensiveError(tooManyElements);
    sheetNumbers.set(key, sheets.length);
    sheetOfPage.push(sheets.length);
    const [pageNumber, totalPages] = [String(index + 1), String(pages.length)];
    const hosts = { header: header?.host ?? null, footer: footer?.host ?? null };
    sheets.push({ size, sizeIndex, lookKey, kind, ...hosts, pageNumber, totalPages });
  }
  return { sheets, sheetOfPage };
}

const tooManyElements =
  `The headers and footers of all pages together have more than ${maxElements} elements. Use fewer elements in them, or ` +
  "split the document.";

/** The appearance of a header or footer on pages of one kind. Equal ids mean the same appearance. */
type Look = { id: string; host: HTMLElement; hasCounters: boolean; cost: number };

/** The looks of each host, by variant key; null if the host shows nothing. */
type Looks = Map<
  HTMLElement,
  { hostNumber: number; keyOf: (kind: PageKind) => string; variants: Map<string, Look | null> }
>;

/** Returns null if there is no header or footer, or if it shows nothing. */
function lookOf(looks: Looks, host: HTMLElement | null, kind: PageKind): Look | null {
  if (!host || (kind.isBlank && !isForBlankPages(host))) return null;
  const ofHost = looks.get(host) ?? { hostNumber: looks.size, keyOf: variantKeyOf(host), variants: new Map() };
  looks.set(host, ofHost);
  const { hostNumber, variants } = ofHost;
  const key = ofHost.keyOf(kind);
  const knownLook = variants.get(key);
  if (knownLook !== undefined) return knownLook;
  const look = withVariant(host, kind, () => (isBlank(host) ? null : newLook(`${hostNumber}:${key}`, host)));
  variants.set(key, look);
  return look;
}

function newLook(id: string, host: HTMLElement): Look {
  const cost = 1 + findAll(host, "*").length + textOf(host).length / charsPerElement;
  return { id, host, hasCounters: hasCounters(host), cost };
}
