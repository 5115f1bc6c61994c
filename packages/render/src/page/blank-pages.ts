// Inserts the blank pages after which content starts on a left or a right page. The document is printed again
// only if pages of different sides have different styles, because everything else reads the numbers of pages from the file.
import { blankBoxPrefix, type PreparedPage, type SideBreak } from "colophon-page/prepared-page";
import { insertBlankPages } from "colophon-pdf/blank-pages";
import { destinationPages } from "colophon-pdf/destinations";
import { printedFile, type Impossible, type Printed, type PrintInput } from "./printed-file.ts";

/** If several breaks are in the same place, the last one decides. The pages of blank boxes become blank pages. */
export function withBlankPages(printed: Printed, breaks: readonly SideBreak[]): Printed {
  if (breaks.length === 0) return printed;
  const places = destinationPages(printed.file);
  const breakOf = new Map<number, SideBreak>();
  for (const each of breaks) {
    const page = places.get(each.name);
    if (page !== undefined) breakOf.set(page, each);
  }
  const boxes = new Set(Array.from(places).flatMap(([name, page]) => (name.startsWith(blankBoxPrefix) ? [page] : [])));
  const all = [...printed.pages.keys()];
  const blankBefore = missingBefore(
    all.filter((page) => !boxes.has(page)),
    breakOf,
  ).flatMap((page) => breakOf.get(page)?.name ?? []);
  const before = missingBefore(all, breakOf);
  if (before.length + boxes.size === 0) return printed;
  const { file, isBlank } = insertBlankPages(printed.file, { before, boxes });
  const pages = printedFile(file).pages.map((page, index) => ({ ...page, ...(isBlank[index] && { isBlank: true }) }));
  return { ...printed, file, pages, blankBefore };
}

/** Returns the pages, of the given ones in their order, that would start on the wrong side without a blank page before them. */
function missingBefore(pages: number[], breakOf: ReadonlyMap<number, SideBreak>): number[] {
  const missing: number[] = [];
  for (const [index, page] of pages.entries()) {
    const side = (index + missing.length) % 2 === 0 ? "odd" : "even";
    if ((breakOf.get(page)?.side ?? side) !== side) missing.push(page);
  }
  return missing;
}

/** The blank boxes that the page has. `changes` is how often they were changed. */
export type Boxes = { before: readonly string[]; changes: number };

/** If blank pages move content to pages of the other side, the document is printed with boxes, which can move content again. */
const maxChanges = 3;

/** Returns null if the boxes need not change. */
export async function updateBoxes(
  { functions, prepared }: PrintInput,
  { blankBefore: before, pages }: Printed,
  boxes: Boxes,
): Promise<({ status: "changed" } & Boxes) | Impossible | null> {
  if (!needsBoxes(prepared, pages[0]?.isBlank === true) || boxes.changes >= maxChanges) return null;
  if (before.join(" ") === boxes.before.join(" ")) return null;
  const outcome = await functions.setBlankBoxes({ before });
  return outcome.status === "impossible" ? outcome : { status: "changed", before, changes: boxes.changes + 1 };
}

function needsBoxes({ pageStyles }: PreparedPage, isFirstBlank: boolean): boolean {
  return pageStyles?.areSidesDifferent === true || (pageStyles?.isFirstDifferent === true && isFirstBlank);
}
