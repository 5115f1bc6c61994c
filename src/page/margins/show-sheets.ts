// Replaces the content of the page by the sheets.
import { bodyElement, createElement, documentFonts, headElement } from "../dom.ts";
import { decodeImages } from "../images/decode-images.ts";
import type { SheetSize } from "../../core/rendering/prepared-page.ts";
import { fillCounters, type Edge } from "./margin-hosts.ts";
import { hiddenElements } from "./page-variants.ts";
import type { Sheet } from "./plan-sheets.ts";
import { shareImages } from "./share-images.ts";
import { insertSheetStyles, sheetName } from "./sheet-styles.ts";

export async function showSheets(sheets: readonly Sheet[], sizes: readonly SheetSize[]): Promise<void> {
  const hosts = new Set(sheets.flatMap(({ header, footer }) => [header, footer]).filter((host) => host !== null));
  const shared = shareImages([...hosts]);
  headElement().append(shared.style);
  insertSheetStyles(sizes);
  bodyElement().replaceChildren(...sheets.map(sheetElement));
  await decodeImages(shared.images);
  await documentFonts().ready;
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
