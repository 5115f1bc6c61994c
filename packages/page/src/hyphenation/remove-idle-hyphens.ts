// Removes the soft hyphens at which no line ends. This changes no line: the browser fills a line as far as it can, and the places that it
// chose remain. Only the widths of columns of tables and grids depend on places where words may be divided, so they are fixed before.
import { bodyElement, createRange, findAll, isInside, parentOf, setStyle } from "../dom.ts";
import { measureOn, type NarrowArea } from "../references/print-width.ts";
import { type HyphenatedText, withHyphens } from "./hyphenate.ts";

/** Each text is measured at the width of its page area. */
export function removeIdleHyphens(texts: readonly HyphenatedText[], narrow: readonly NarrowArea[]): void {
  if (texts.length === 0) return;
  const areaOf = ({ node }: HyphenatedText) =>
    narrow.find(
      ({ elements, others }) =>
        elements.some((each) => isInside(each, node)) && !others.some((each) => isInside(each, node)),
    );
  const byArea = Map.groupBy(texts, areaOf);
  removeIdle(byArea.get(undefined) ?? []);
  for (const area of narrow) measureOn(area, () => removeIdle(byArea.get(area) ?? []));
}

function removeIdle(texts: readonly HyphenatedText[]): void {
  const widths = columnWidths(texts);
  const range = createRange();
  const used = texts.map((text) => usedPlaces(text, range));
  range.selectNode(bodyElement());
  for (const [element, width] of widths) setStyle(element, width);
  for (const [index, { node, text }] of texts.entries()) node.data = withHyphens(text, used[index] ?? []);
}

/** A text with many rectangles takes long to measure, so it keeps its soft hyphens. */
const maxLines = 1_000;

/** Returns the places at which lines end. There, a soft hyphen also has the box of the hyphen, on the same line as the text before. */
function usedPlaces({ node, places }: HyphenatedText, range: Range): number[] {
  const indexOf = (place: number) => (places[place] ?? 0) + place;
  const boxesIn = (start: number, end: number) => {
    range.setStart(node, start);
    range.setEnd(node, end);
    return range.getClientRects();
  };
  const boxes = [...boxesIn(0, node.length)];
  if (boxes.length > maxLines) return places;
  const [highest = 0, lowest = 0] = [Math.max, Math.min].map((of) => of(...boxes.map(({ height }) => height)));
  /** Rotated and vertical lines differ in height, unless all are equally long. */
  const areHorizontal = highest - lowest < 1;
  const used: number[] = [];
  let first = 0;
  for (const [index, box] of boxes.entries()) {
    if (areHorizontal && box.top !== boxes[index - 1]?.top) continue;
    let last = places.length - 1;
    while (first < last) {
      const middle = (first + last) >> 1;
      if (boxesIn(0, indexOf(middle) + 1).length > index) last = middle;
      else first = middle + 1;
    }
    // There may be a new box for a different reason, such as `::first-letter`.
    const isUsed = first <= last && boxesIn(indexOf(first), indexOf(first) + 1).length > 1;
    if (isUsed) used.push(places[first++] ?? 0);
  }
  return used;
}

/** The widths of all columns of a table are known after this many of its elements. */
const maxCells = 500;

/** Returns styles that fix the widths of the columns of the tables and grids around the texts. */
function columnWidths(texts: readonly HyphenatedText[]): Map<Element, Record<string, string>> {
  const seen = new Set<Element>();
  const widths = new Map<Element, Record<string, string>>();
  for (const { node } of texts) {
    for (let element = parentOf(node); element && !seen.has(element); element = parentOf(element)) {
      seen.add(element);
      const { display, gridTemplateColumns } = getComputedStyle(element);
      const isGrid = display.endsWith("grid") && /^[\d. px]+$/.test(gridTemplateColumns);
      if (isGrid) widths.set(element, { "grid-template-columns": gridTemplateColumns });
      for (const cell of display.endsWith("table") ? findAll(element, "*").slice(0, maxCells) : []) {
        const style = getComputedStyle(cell);
        const isCell = style.display === "table-cell" && !((cell as HTMLTableCellElement).colSpan > 1);
        if (isCell) widths.set(cell, { width: style.width });
      }
    }
  }
  return widths;
}
