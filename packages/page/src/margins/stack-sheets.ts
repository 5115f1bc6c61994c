// Decides which sheets are printed on the same page. The browser takes about as long for a high page with many sheets as
// for a page with one sheet, so a long document's sheets are stacked vertically on high pages.
import type { SheetPlace } from "colophon-pdf/unstack-sheets";
import { findAll } from "../dom.ts";
import { maxAutoHeightPx } from "../page-geometry.ts";
import type { SheetSize } from "../prepared-page.ts";
import type { Sheet } from "./plan-sheets.ts";

/** A printed page. Its sheets have the same size, and begin at multiples of `pitch`, in CSS pixels. */
export type Stack = { sheets: Sheet[]; size: SheetSize; pitch: number };

/** Below this number, printing is so fast that taking a page apart is not worthwhile. */
const minSheets = 20;
/** Keeps the sheets separate despite rounding errors. */
const gapPx = 8;

/**
 * The first page has a single sheet, because lengths such as `10vh` are relative to its height. Sheets with links are not
 * stacked, because the file does not show which sheet a link belongs to.
 */
export function stackSheets(sheets: readonly Sheet[]): Stack[] {
  const [first, ...others] = sheets;
  if (!first || sheets.length < minSheets || haveLinks(sheets)) return sheets.map(singleSheet);
  const stacks = [singleSheet(first)];
  const open = new Map<number, Stack>();
  for (const sheet of others) {
    // The pitch is a whole number of pixels, so that all sheets have the same pixel alignment.
    const pitch = Math.ceil(sheet.size.height) + gapPx;
    const stack = open.get(sheet.sizeIndex);
    if (stack && (stack.sheets.length + 1) * pitch <= maxAutoHeightPx) {
      stack.sheets.push(sheet);
      stack.size = { width: sheet.size.width, height: stack.sheets.length * pitch };
      continue;
    }
    const next = { ...singleSheet(sheet), pitch };
    stacks.push(next);
    open.set(sheet.sizeIndex, next);
  }
  return stacks;
}

/** Returns a page with the size of its only sheet. */
export function singleSheet(sheet: Sheet): Stack {
  return { sheets: [sheet], size: sheet.size, pitch: 0 };
}

function haveLinks(sheets: readonly Sheet[]): boolean {
  const hosts = new Set(sheets.flatMap(({ header, footer }) => [header, footer]));
  return [...hosts].some((host) => host && findAll(host, "a, area").length > 0);
}

/** Returns where each sheet is printed. */
export function sheetPlaces(sheets: readonly Sheet[], stacks: readonly Stack[]): SheetPlace[] {
  const places = new Map<Sheet, SheetPlace>();
  for (const [page, stack] of stacks.entries()) {
    const isWholePage = stack.sheets.length === 1;
    for (const [index, sheet] of stack.sheets.entries()) {
      places.set(sheet, {
        page,
        area: isWholePage ? null : { topPx: index * stack.pitch, heightPx: sheet.size.height },
      });
    }
  }
  return sheets.flatMap((sheet) => places.get(sheet) ?? []);
}
