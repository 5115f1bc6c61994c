// Finds tables whose later pages do not repeat their head or foot, repeat the wrong one, or repeat one whose columns do not match the
// columns of the rows below, as observed in Chromium 127 and 153.
import { boxOf, childrenOf, displayOf, findAll, findNamed, isInside, parentOf } from "../dom.ts";
import { fullNameOf } from "../overflow/hidden-content.ts";
import { measureOn, pageNameOf, type UnnamedWidths } from "../references/print-width.ts";
import { type Group, markIn } from "./kept-groups.ts";

/** Chromium repeats a head or a foot that takes at most this fraction of a page. */
const maxPart = 1 / 4;
const maxTables = 100;
/** Columns that are off by less than this look aligned. */
const minMovePx = 2;

/** `heightOf` returns the height between the margins of the page on which an element is printed. */
export function repeatedHeads(heightOf: (element: Element) => number, unnamed: UnnamedWidths): Group[] {
  const tables = new Set(findNamed("thead", "tfoot").flatMap((part) => parentOf(part) ?? []));
  const long = [...tables].filter((table) => boxOf(table).bottom > heightOf(table)).slice(0, maxTables);
  const moved = movedColumns(long, unnamed);
  return long.flatMap((table) => {
    const parts = childrenOf(table).filter((part) => /^table-(header|footer)-group$/.test(displayOf(part)));
    const rows = findAll(table, "tr").filter((row) => parts.every((part) => !isInside(part, row)));
    const [first, last] = [rows[0], rows.at(-1)];
    if (!first || !last) return [];
    const mark = (): [Element, Element] => [markIn(first, "start"), markIn(last, "start")];
    const heads = parts.filter(isHead);
    const lost = [heads[0], parts.find((part) => !isHead(part))].map((part) =>
      part ? whyLost(part, heightOf(table)) : null,
    );
    const several =
      heads.length > 1
        ? `${fullNameOf(table)} has ${heads.length} \`<thead>\`, and later pages repeat only the first, even above rows of the others. Make each group a separate table, or put all rows of its head into one \`<thead>\`.`
        : null;
    const messages = [...lost, several].filter((message) => message !== null);
    const groups: Group[] = messages.map((message) => ({ message, emptyPx: 0, mark }));
    if (!moved.has(table) || lost.some((message) => message !== null)) return groups;
    const message = `${fullNameOf(table)} is on pages of different widths, but its repeated ${heads.length > 0 ? "head" : "foot"} keeps the columns of its first page. Give it a width of at most ${unnamed.narrowestPx} px, or give all pages margins with the same sum.`;
    return [...groups, { message, emptyPx: 0, isOnFirst: unnamed.isFirstDifferent, mark }];
  });
}

function isHead(part: Element): boolean {
  return displayOf(part) === "table-header-group";
}

/** Returns why later pages do not repeat the head or the foot; null if they do. */
function whyLost(part: Element, pagePx: number): string | null {
  const [name, place] = isHead(part) ? ["head", "before"] : ["foot", "after"];
  const { height } = boxOf(part);
  if (height > pagePx * maxPart)
    return `${fullNameOf(part)} is ${Math.round(height)} px high, so later pages do not repeat it: a ${name} may take a quarter of a page (${Math.floor(pagePx * maxPart)} px). Make it lower, or put a part of it ${place} the table.`;
  return getComputedStyle(part).breakInside === "auto"
    ? `${fullNameOf(part)} has \`break-inside: auto\`, so later pages do not repeat it. Leave that out.`
    : null;
}

/** Returns the tables whose columns depend on the width of the page. */
function movedColumns(tables: readonly Element[], { widths }: UnnamedWidths): Set<Element> {
  const unnamed = widths.length > 1 ? tables.filter((table) => pageNameOf(table) === "") : [];
  const cells = unnamed.map((table) => findAll(table, "tr:first-child > *"));
  const offsets = () =>
    unnamed.map((table, index) => (cells[index] ?? []).map((cell) => boxOf(cell).left - boxOf(table).left));
  const [before = [], ...others] =
    unnamed.length > 0 ? widths.map((width) => measureOn({ width, elements: [], others: [] }, offsets)) : [];
  const isMoved = (index: number) =>
    others.some((after) => before[index]?.some((px, cell) => Math.abs(px - (after[index]?.[cell] ?? px)) > minMovePx));
  return new Set(unnamed.filter((_, index) => isMoved(index)));
}
