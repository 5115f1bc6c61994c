// The styles of the sheets: a page of the right size for each, and nothing of the document's own page, whose background,
// columns or effects would otherwise be printed on every sheet.
import type { SheetSize } from "../prepared-page.ts";
import { bodyElement, createElement, headElement, rootElement } from "../dom.ts";

/** Chromium rounds pages down to 1/300 inch. This much more keeps a page that is already rounded. */
const roundingPx = 0.05;

/** Adds a page for each of the sizes. Returns a function that gives the name of a size's page. */
export function insertSheetStyles(sizes: readonly SheetSize[]): (size: SheetSize) => string {
  const names = new Map<string, string>();
  const pages: string[] = [];
  for (const size of sizes) {
    if (names.has(sizeKey(size))) continue;
    const name = `colophon-sheet-${names.size}`;
    names.set(sizeKey(size), name);
    const [width, height] = [size.width + roundingPx, size.height + roundingPx];
    pages.push(`@page ${name}{size:${width}px ${height}px!important;margin:0!important}`);
  }
  const style = createElement("style");
  style.textContent = `${pages.join("")}${decorations}{content:none!important}${heads}{display:none!important}`;
  headElement().append(style);
  for (const element of [rootElement(), bodyElement()]) {
    for (const [property, value] of Object.entries(plainBox)) element.style.setProperty(property, value, "important");
  }
  return (size) => names.get(sizeKey(size)) ?? "auto";
}

function sizeKey({ width, height }: SheetSize): string {
  return `${width} ${height}`;
}

/** The ids make these selectors more specific than any other. */
const mostSpecific = `:not(${"#colophon".repeat(9)})`;
const decorations = ["html", "body", "colophon-sheet"]
  .flatMap((name) => [`${name}${mostSpecific}::before`, `${name}${mostSpecific}::after`])
  .join(",");
/** The head, even if a style of the template shows it. */
const heads = `head${mostSpecific}`;

/** Only what is inherited, such as fonts and colours, remains of the styles of `html` and `body`. */
const plainBox: Record<string, string> = {
  display: "block",
  position: "static",
  float: "none",
  width: "auto",
  height: "auto",
  "min-width": "0",
  "min-height": "0",
  "max-width": "none",
  "max-height": "none",
  margin: "0",
  padding: "0",
  border: "0",
  outline: "0",
  background: "none",
  "box-shadow": "none",
  columns: "auto",
  overflow: "visible",
  contain: "none",
  transform: "none",
  translate: "none",
  rotate: "none",
  scale: "none",
  zoom: "1",
  opacity: "1",
  filter: "none",
  "backdrop-filter": "none",
  "mix-blend-mode": "normal",
  "clip-path": "none",
  mask: "none",
  "writing-mode": "horizontal-tb",
};
