// Finds out how wide the content of a printed page is. On the screen, it is as wide as a page with the margins of the template.
import { lengthPx, type Margin } from "../page-geometry.ts";
import { attributeOf, parentOf, rootElement, setAttribute } from "../dom.ts";

export type PageWidth = { pageWidth: number; margin: Margin };

/**
 * Returns the width in CSS pixels of the page area on which the element is printed. The template's own `@page` rules may
 * change the size and the margins of all pages or of named pages; only absolute lengths are understood. Pages with
 * pseudo-classes such as `:first` are not considered.
 */
export function printWidth(element: Element, page: PageWidth, rules: readonly CSSRule[]): number {
  return contentWidth(pageNameOf(element), page, rules);
}

/**
 * Makes the document as wide as the widest page area on which something may be printed, if the viewport is not. Returns this width
 * and a function that undoes it.
 */
export function setPrintWidth(page: PageWidth, rules: readonly CSSRule[]): { width: number; restore: () => void } {
  const root = rootElement();
  const width = widestPrint(page, rules);
  if (width === innerWidth) return { width, restore() {} };
  const before = attributeOf(root, "style");
  root.style.setProperty("box-sizing", "border-box", "important");
  root.style.setProperty("width", `${width}px`, "important");
  return {
    width,
    restore: () => (before === null ? root.removeAttribute("style") : setAttribute(root, "style", before)),
  };
}

function widestPrint(page: PageWidth, rules: readonly CSSRule[]): number {
  const names = rules.flatMap((rule) => (rule instanceof CSSPageRule ? [rule.selectorText] : []));
  return Math.max(...["", ...names].map((name) => contentWidth(name, page, rules)));
}

function contentWidth(pageName: string, { pageWidth, margin }: PageWidth, rules: readonly CSSRule[]): number {
  const width = { page: pageWidth, left: margin.left, right: margin.right };
  const pageRules = rules.filter((rule) => rule instanceof CSSPageRule);
  // The rules of a named page apply on top of those for all pages.
  for (const name of ["", pageName]) {
    for (const { style } of pageRules.filter(({ selectorText }) => selectorText === name)) {
      width.page = lengthOf(style.getPropertyValue("size").split(/\s+/)[0]) ?? width.page;
      width.left = lengthOf(style.getPropertyValue("margin-left")) ?? width.left;
      width.right = lengthOf(style.getPropertyValue("margin-right")) ?? width.right;
    }
  }
  const content = width.page - width.left - width.right;
  return content >= 1 ? content : pageWidth;
}

/** Returns the name of the page on which the element is printed; empty for a page without a name. */
function pageNameOf(element: Element): string {
  for (let ancestor: Element | null = element; ancestor; ancestor = parentOf(ancestor)) {
    const name = getComputedStyle(ancestor).getPropertyValue("page");
    if (name !== "" && name !== "auto") return name;
  }
  return "";
}

function lengthOf(value: string | undefined): number | null {
  return value === "0" ? 0 : lengthPx(value ?? "");
}
