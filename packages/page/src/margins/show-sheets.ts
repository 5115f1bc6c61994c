// Replaces the content of the page with the sheets.
import { percentDecoded } from "colophon-base/encoding";
import { unmarkBodyPage } from "../boxes/page-boxes.ts";
import { bodyElement, createElement, documentFonts, headElement, linkTo, replaceNode, rootElement } from "../dom.ts";
import { mapFamilies } from "../fonts/map-families.ts";
import { sheetsMark, type SheetSize } from "../prepared-page.ts";
import { fillCounters, innerFragments, type Edge } from "./margin-hosts.ts";
import { hiddenNodes } from "./page-variants.ts";
import type { Sheet } from "./plan-sheets.ts";
import type { Stack } from "./stack-sheets.ts";

export async function showSheets(stacks: readonly Stack[]): Promise<void> {
  const pageNameOf = insertSheetStyles(stacks.map(({ size }) => size));
  const body = bodyElement();
  unmarkBodyPage();
  const contentOf = sheetContents();
  const elements = stacks.map((stack) => stackElement(stack, pageNameOf(stack.size), contentOf));
  body.replaceChildren(...elements);
  // The browser has parsed the copies of `style` elements again.
  mapFamilies([]);
  addTargets(elements);
  // Waiting is avoided where possible, because the browser prints as soon as this function waits.
  void body.offsetHeight;
  if (documentFonts().status === "loading") await documentFonts().ready;
  const [first] = elements;
  if (first) markSheets(first);
}

/**
 * Adds an element for each place in the document to which the sheets link, because newer Chromium versions drop links
 * that lead nowhere. Nothing in the head is displayed.
 */
function addTargets(sheets: readonly HTMLElement[]): void {
  const fragments = sheets.flatMap(innerFragments);
  for (const fragment of new Set(fragments.flatMap((text) => [text, percentDecoded(text)]))) {
    const target = createElement("a");
    target.id = fragment;
    headElement().append(target);
  }
}

/** Gives the print a destination that distinguishes it from any other print. */
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

/** Returns a function that creates the content of a sheet. Sheets that look the same are copies of each other. */
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
  // Because of `size`, Chromium does not search for page breaks inside, which saves a third of the time. On the parent
  // element, `size` would add blank pages in Chromium 127. Because of `layout`, boxes with `position: fixed` stay on their
  // own sheet.
  const styles = { position: "absolute", left: "0", top: "0", contain: "size layout", overflow: "clip" };
  const model = boxOf(sheet.size, styles);
  model.append(...copyOf(sheet, "header"), ...copyOf(sheet, "footer"));
  return model;
}

function boxOf({ width, height }: SheetSize, styles: Record<string, string>): HTMLElement {
  const element = createElement("colophon-sheet" as "div");
  // A template's styles may apply to all elements, so all except inherited styles are removed.
  const common = { all: "unset", display: "block", width: `${width}px`, height: `${height}px` };
  for (const [property, value] of Object.entries({ ...common, ...styles }))
    element.style.setProperty(property, value, "important");
  return element;
}

function copyOf(sheet: Sheet, edge: Edge): HTMLElement[] {
  const copy = sheet[edge]?.cloneNode(true) as HTMLElement | undefined;
  if (!copy) return [];
  for (const node of hiddenNodes(copy, sheet.kind)) replaceNode(node);
  copy.style.cssText = `position:absolute;left:0;width:${sheet.size.width}px;${edge === "header" ? "top" : "bottom"}:0`;
  return [copy];
}

/** Chromium rounds pages down to 1/300 inch. This addition preserves a page that is already rounded. */
const roundingPx = 0.05;

/**
 * Adds a page for each size. The sheets inherit nothing from the document's own page, whose background, columns or effects
 * would otherwise be printed on every sheet. Returns a function that returns the page name of a size.
 */
function insertSheetStyles(sizes: readonly SheetSize[]): (size: SheetSize) => string {
  const names = new Map<string, string>();
  const pages: string[] = [];
  for (const size of sizes) {
    if (names.has(sizeKey(size))) continue;
    const name = `colophon-sheet-${names.size}`;
    names.set(sizeKey(size), name);
    const [width, height] = [size.width + roundingPx, size.height + roundingPx];
    pages.push(
      `@page ${name}{size:${width}px ${height}px!important;margin:0!important;page-orientation:upright!important}`,
    );
  }
  const style = createElement("style");
  style.textContent = `${pages.join("")}${decorations}{content:none!important}${heads}{display:none!important}`;
  headElement().append(style);
  for (const element of [rootElement(), bodyElement()]) {
    for (const declaration of plainBox.split(";")) {
      const [property = "", value = ""] = declaration.split(":");
      element.style.setProperty(property, value, "important");
    }
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
/** Hides the head, even if a template's style displays it. */
const heads = `head${mostSpecific}`;

/** Of the styles of `html` and `body`, only inherited properties such as fonts and colours remain. */
const plainBox = [
  "display:block;position:static;float:none;width:auto;height:auto;min-width:0;min-height:0;max-width:none",
  "max-height:none;margin:0;padding:0;border:0;outline:0;background:none;box-shadow:none;columns:auto",
  "overflow:visible;contain:none;transform:none;translate:none;rotate:none;scale:none;zoom:1;opacity:1;filter:none",
  "backdrop-filter:none;mix-blend-mode:normal;clip-path:none;mask:none;writing-mode:horizontal-tb",
].join(";");
