// Replaces the content of the page by the sheets.
import { bodyElement, createElement, documentFonts, headElement } from "../dom.ts";
import { sheetsMark, type SheetSize } from "../../core/rendering/prepared-page.ts";
import { fillCounters, type Edge } from "./margin-hosts.ts";
import { hiddenElements } from "./page-variants.ts";
import type { Sheet } from "./plan-sheets.ts";
import { insertSheetStyles, sheetName } from "./sheet-styles.ts";

export async function showSheets(sheets: readonly Sheet[], sizes: readonly SheetSize[]): Promise<void> {
  insertSheetStyles(sizes);
  const body = bodyElement();
  const elements = sheets.map(sheetElement);
  body.replaceChildren(...elements);
  // Waiting is avoided where possible, because the browser prints as soon as this function waits.
  void body.offsetHeight;
  if (documentFonts().status === "loading") await documentFonts().ready;
  const [first] = elements;
  if (first) markSheets(first);
}

/** Gives the print the destination that tells it from a print of anything else. */
function markSheets(sheet: HTMLElement): void {
  sheet.id = sheetsMark;
  const link = createElement("a");
  link.setAttribute("href", `#${sheetsMark}`);
  headElement().append(link);
}

function sheetElement(sheet: Sheet): HTMLElement {
  // Hardly any style of a template applies to an element of this name.
  const element = createElement("colophon-sheet" as "div");
  const { width, height } = sheet.size;
  const styles = {
    display: "block",
    position: "relative",
    "box-sizing": "border-box",
    width: `${width}px`,
    height: `${height}px`,
    margin: "0",
    padding: "0",
    border: "0",
    overflow: "clip",
    transform: "none",
    page: sheetName(sheet.sizeIndex),
    "break-inside": "avoid",
    "break-after": "page",
  };
  for (const [property, value] of Object.entries(styles)) element.style.setProperty(property, value, "important");
  element.append(...copyOf(sheet, "header"), ...copyOf(sheet, "footer"));
  return element;
}

function copyOf(sheet: Sheet, edge: Edge): HTMLElement[] {
  const copy = sheet[edge]?.cloneNode(true) as HTMLElement | undefined;
  if (!copy) return [];
  for (const element of hiddenElements(copy, sheet.kind)) element.remove();
  fillCounters(copy, sheet.pageNumber, sheet.totalPages);
  copy.style.cssText = `position:absolute;left:0;width:${sheet.size.width}px;${edge === "header" ? "top" : "bottom"}:0`;
  return [copy];
}
