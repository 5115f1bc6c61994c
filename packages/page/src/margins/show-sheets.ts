// Replaces the content of the page by the sheets.
import { percentDecoded } from "colophon-base/percent-decoded";
import { bodyElement, createElement, documentFonts, headElement } from "../dom.ts";
import { mapFamilies } from "../fonts/map-families.ts";
import { sheetsMark, type SheetSize } from "../prepared-page.ts";
import { linkTo } from "../link-to.ts";
import { fillCounters, innerFragments, type Edge } from "./margin-hosts.ts";
import { hiddenElements } from "./page-variants.ts";
import type { Sheet } from "./plan-sheets.ts";
import { insertSheetStyles } from "./sheet-styles.ts";
import type { Stack } from "./stack-sheets.ts";

export async function showSheets(stacks: readonly Stack[]): Promise<void> {
  const pageNameOf = insertSheetStyles(stacks.map(({ size }) => size));
  const body = bodyElement();
  const contentOf = sheetContents();
  const elements = stacks.map((stack) => stackElement(stack, pageNameOf(stack.size), contentOf));
  body.replaceChildren(...elements);
  // The copies of `style` elements have been read anew.
  mapFamilies([]);
  addTargets(elements);
  // Waiting is avoided where possible, because the browser prints as soon as this function waits.
  void body.offsetHeight;
  if (documentFonts().status === "loading") await documentFonts().ready;
  const [first] = elements;
  if (first) markSheets(first);
}

/**
 * Adds an element for each place of the document to which the sheets have links, because newer versions of Chromium leave
 * out links that lead nowhere. Nothing in the head is shown.
 */
function addTargets(sheets: readonly HTMLElement[]): void {
  const fragments = sheets.flatMap(innerFragments);
  for (const fragment of new Set(fragments.flatMap((text) => [text, percentDecoded(text)]))) {
    const target = createElement("a");
    target.id = fragment;
    headElement().append(target);
  }
}

/** Gives the print the destination that tells it from a print of anything else. */
function markSheets(sheet: HTMLElement): void {
  sheet.id = sheetsMark;
  linkTo(sheetsMark);
}

type SheetContents = (sheet: Sheet, topPx: number) => HTMLElement;

function stackElement({ sheets, size, pitch }: Stack, page: string, contentOf: SheetContents): HTMLElement {
  const element = boxOf(size, { position: "relative", page, "break-inside": "avoid", "break-after": "page" });
  element.append(...sheets.map((sheet, index) => contentOf(sheet, index * pitch)));
  return element;
}

/** Returns a function that makes the content of a sheet. Sheets that look the same are copies of each other. */
function sheetContents(): SheetContents {
  const models = new Map<string, HTMLElement>();
  return (sheet, topPx) => {
    const model = models.get(sheet.lookKey) ?? contentModel(sheet);
    models.set(sheet.lookKey, model);
    const content = model.cloneNode(true) as HTMLElement;
    fillCounters(content, sheet.pageNumber, sheet.totalPages);
    if (topPx > 0) content.style.setProperty("top", `${topPx}px`, "important");
    return content;
  };
}

function contentModel(sheet: Sheet): HTMLElement {
  // Because of `size`, Chromium does not look for page breaks inside, which saves a third of the time. On the element around
  // it, `size` would add blank pages in Chromium 127. Because of `layout`, boxes with `position: fixed` belong to their own
  // sheet.
  const styles = { position: "absolute", left: "0", top: "0", contain: "size layout", overflow: "clip" };
  const model = boxOf(sheet.size, styles);
  model.append(...copyOf(sheet, "header"), ...copyOf(sheet, "footer"));
  return model;
}

function boxOf({ width, height }: SheetSize, styles: Record<string, string>): HTMLElement {
  const element = createElement("colophon-sheet" as "div");
  // Only what is inherited remains of the styles of a template, which may apply to all elements.
  const common = { all: "unset", display: "block", width: `${width}px`, height: `${height}px` };
  for (const [property, value] of Object.entries({ ...common, ...styles }))
    element.style.setProperty(property, value, "important");
  return element;
}

function copyOf(sheet: Sheet, edge: Edge): HTMLElement[] {
  const copy = sheet[edge]?.cloneNode(true) as HTMLElement | undefined;
  if (!copy) return [];
  for (const element of hiddenElements(copy, sheet.kind)) element.remove();
  copy.style.cssText = `position:absolute;left:0;width:${sheet.size.width}px;${edge === "header" ? "top" : "bottom"}:0`;
  return [copy];
}
