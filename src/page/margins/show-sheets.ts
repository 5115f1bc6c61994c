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
  const page = sheetName(sheet.sizeIndex);
  const element = boxOf(sheet, { position: "relative", page, "break-inside": "avoid", "break-after": "page" });
  // Because of `size`, Chromium does not look for page breaks inside, which saves a third of the time. On `element` itself, it
  // would add blank pages in Chromium 127. Because of `layout`, boxes with `position: fixed` belong to their own sheet.
  const content = boxOf(sheet, { position: "absolute", left: "0", top: "0", contain: "size layout", overflow: "clip" });
  content.append(...copyOf(sheet, "header"), ...copyOf(sheet, "footer"));
  element.append(content);
  return element;
}

function boxOf({ size }: Sheet, styles: Record<string, string>): HTMLElement {
  // Hardly any style of a template applies to an element of this name.
  const element = createElement("colophon-sheet" as "div");
  const common = {
    display: "block",
    "box-sizing": "border-box",
    width: `${size.width}px`,
    height: `${size.height}px`,
    margin: "0",
    padding: "0",
    border: "0",
    transform: "none",
  };
  for (const [property, value] of Object.entries({ ...common, ...styles }))
    element.style.setProperty(property, value, "important");
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
