// Inserts the blank pages after which content starts on a left or a right page. The document is not printed again: everything else reads
// the numbers of pages from the file.
import type { PageSide, SideBreak } from "colophon-page/prepared-page";
import { insertBlankPages } from "colophon-pdf/blank-pages";
import { destinationPages } from "colophon-pdf/destinations";
import { printedFile, type Printed } from "./printed-file.ts";

/** If several breaks are in the same place, the last one decides. */
export function withBlankPages(printed: Printed, breaks: readonly SideBreak[]): Printed {
  if (breaks.length === 0) return printed;
  const places = destinationPages(printed.file);
  const sides = new Map<number, PageSide>();
  for (const { name, side } of breaks) {
    const page = places.get(name);
    if (page !== undefined) sides.set(page, side);
  }
  const before: number[] = [];
  for (const index of printed.pages.keys()) {
    const side = (index + before.length) % 2 === 0 ? "odd" : "even";
    if ((sides.get(index) ?? side) !== side) before.push(index);
  }
  if (before.length === 0) return printed;
  const blanks = new Set(before.map((index, blanksBefore) => index + blanksBefore));
  const { pages, ...inserted } = printedFile(insertBlankPages(printed.file, before));
  return { ...inserted, pages: pages.map((page, index) => ({ ...page, ...(blanks.has(index) && { isBlank: true }) })) };
}
