// Determines how wide the content of a printed page is. On the screen, it is as wide as a page with the template's margins.
import { bodyElement, parentOf, rootElement, setStyle } from "../dom.ts";
import { lengthPx, type Margin } from "../page-geometry.ts";
import type { PrepareInput } from "../prepared-page.ts";
import { elementsOfFirstPage } from "../side-breaks.ts";
import { type StyledElements, styledElements } from "../style-rules.ts";

export type PageWidth = { pageWidth: number; margin: Margin };

/**
 * Returns the width in CSS pixels of the page area on which the element is printed. The template's `@page` rules may
 * change the size and margins of all pages or of named pages; only absolute lengths are supported. Pseudo-classes such
 * as `:first` are ignored.
 */
export function printWidth(element: Element, page: PageWidth, rules: readonly CSSRule[]): number {
  return contentWidth(pageNameOf(element), page, rules);
}

/** Returns the margins of the page on which the element is printed; 0 where a pseudo-class such as `:first` has a different one. */
export function printSides(element: Element, { pageWidth, margin }: PageWidth, rules: readonly CSSRule[]): Margin {
  const sides = sidesOf(pageNameOf(element), { page: pageWidth, ...margin }, rules);
  const pseudo = rules.filter(
    (rule) => rule instanceof CSSPageRule && rule.selectorText.includes(":"),
  ) as CSSPageRule[];
  for (const edge of ["top", "right", "bottom", "left"] as const)
    if (pseudo.some(({ style }) => style.getPropertyValue(`margin-${edge}`) !== "")) sides[edge] = 0;
  return sides;
}

/** Calls `work` while a document that will be printed is as wide as the widest page area in use. */
export async function atPrintWidth<T>(input: PrepareInput, rules: CSSRule[], work: (width: number) => Promise<T>) {
  const isWidened = input.format === "pdf" && !input.autoHeight;
  const width = isWidened ? Math.max(...pageWidths(input, rules).values()) : innerWidth;
  const restore = width === innerWidth ? () => {} : setRootWidth(width);
  const result = await work(width);
  restore();
  return result;
}

/**
 * A page area that is narrower than the widest one, with the elements that are printed on it and the elements that are not.
 */
export type NarrowArea = { width: number; elements: Element[]; others: Element[] };

/**
 * Returns the narrower page areas in use. The area of unnamed pages has the body as its only element, because all other elements
 * are inside it. If the first page is wider, like a full-bleed cover, it has the elements after the first forced break. If left and right
 * pages differ in width, returns no areas.
 */
export function narrowAreas(page: PageWidth, rules: readonly CSSRule[]): NarrowArea[] {
  const widths = pageWidths(page, rules);
  const unnamed = widths.get("") ?? page.pageWidth;
  const widest = Math.max(...widths.values());
  const hasWideStart = (widths.get(":first") ?? unnamed) > unnamed;
  const isUnclear = [...widths].some(([name, width]) => name.includes(":") && name !== ":first" && width !== unnamed);
  const narrow = isUnclear ? [] : [...new Set(widths.values())].filter((width) => width < widest);
  if (narrow.length === 0) return [];
  const named = styledElements()(namesPage, /page/i);
  return narrow.flatMap((width): NarrowArea[] => {
    const isOn = (element: Element) => (widths.get(pageNameOf(element)) ?? unnamed) === width;
    if (width !== unnamed) return [{ width, elements: named.filter(isOn), others: [] }];
    const ofFirstPage = hasWideStart ? elementsOfFirstPage(styledElements()) : [];
    const others = named.filter((element) => !isOn(element));
    return [{ width, elements: ofFirstPage ? [bodyElement()] : [], others: [...others, ...(ofFirstPage ?? [])] }];
  });
}

/** Calls `measure` while the document is as wide as the page area. For unnamed pages, `others` have no box during the call. */
export function measureOn<T>({ width, others }: NarrowArea, measure: () => T): T {
  const restores = [setRootWidth(width), ...others.map((element) => setStyle(element, { display: "none" }))];
  const measured = measure();
  for (const restore of restores) restore();
  return measured;
}

function setRootWidth(width: number): () => void {
  return setStyle(rootElement(), { "box-sizing": "border-box", width: `${width}px` });
}

/** Lengths in a layout are multiples of this. */
const roundingPx = 1 / 64;

/**
 * Returns the width of each page area by the name in its rules, which is empty for pages without a name. Chromium rounds the widths up to
 * whole pixels.
 */
function pageWidths(page: PageWidth, rules: readonly CSSRule[]): Map<string, number> {
  const names = rules.flatMap((rule) => (rule instanceof CSSPageRule ? [rule.selectorText] : []));
  const widthOf = (name: string) => Math.ceil(contentWidth(name, page, rules) - roundingPx);
  return new Map(["", ...names].map((name) => [name, widthOf(name)]));
}

/** The distinct widths of the areas of pages without a name. `isFirstDifferent` is true if only the first page has a different width. */
export type UnnamedWidths = { widths: number[]; narrowestPx: number; isFirstDifferent: boolean };

export function unnamedWidths(page: PageWidth, rules: readonly CSSRule[]): UnnamedWidths {
  const widths = new Map([...pageWidths(page, rules)].filter(([name]) => name === "" || name.startsWith(":")));
  if (widths.has(":left") && widths.has(":right")) widths.delete("");
  const all = new Set(widths.values());
  widths.delete(":first");
  return { widths: [...all], narrowestPx: Math.min(...all), isFirstDifferent: new Set(widths.values()).size === 1 };
}

function contentWidth(pageName: string, { pageWidth, margin }: PageWidth, rules: readonly CSSRule[]): number {
  const { page, left, right } = sidesOf(pageName, { page: pageWidth, ...margin }, rules);
  const content = page - left - right;
  return content >= 1 ? content : pageWidth;
}

type PageHeight = Pick<PrepareInput, "pageHeight" | "margin"> & { least: Pick<Margin, "top" | "bottom"> };

/**
 * Returns a function for the height between the margins of the page on which an element is printed, as `printWidth` does. `least` are the
 * margins that headers and footers need, whatever the rules say.
 */
export function printHeights(
  { pageHeight, margin, least }: PageHeight,
  rules: readonly CSSRule[],
  styled: StyledElements,
): (element: Element) => number {
  const hasNames = styled(namesPage, /page/i).length > 0;
  const heights = new Map<string, number>();
  return (element) => {
    const name = hasNames ? pageNameOf(element) : "";
    const known = heights.get(name);
    if (known !== undefined) return known;
    const { page, top, bottom } = sidesOf(name, { page: pageHeight, ...margin }, rules, "height");
    const height = page - Math.max(top, least.top) - Math.max(bottom, least.bottom);
    heights.set(name, height);
    return height;
  };
}

function namesPage(style: CSSStyleDeclaration): boolean {
  return style.getPropertyValue("page") !== "";
}

/** Returns the margins and one side of a page in CSS pixels. `sides` are the sides that no rule changes. */
export function sidesOf(
  pageName: string,
  sides: Margin & { page: number },
  rules: readonly CSSRule[],
  side: "width" | "height" = "width",
): Margin & { page: number } {
  const pageRules = rules.filter((rule) => rule instanceof CSSPageRule);
  const found = { ...sides };
  // The rules of a named page apply in addition to the rules for all pages.
  for (const name of ["", pageName]) {
    for (const { style } of pageRules.filter(({ selectorText }) => selectorText === name)) {
      const [width, height = width] = style.getPropertyValue("size").split(/\s+/);
      found.page = lengthOf(side === "width" ? width : height) ?? found.page;
      for (const edge of ["top", "right", "bottom", "left"] as const)
        found[edge] = lengthOf(style.getPropertyValue(`margin-${edge}`)) ?? found[edge];
    }
  }
  return found;
}

/** Returns the name of the page on which the element is printed; an empty string for an unnamed page. */
export function pageNameOf(element: Element): string {
  for (let ancestor: Element | null = element; ancestor; ancestor = parentOf(ancestor)) {
    const name = getComputedStyle(ancestor).getPropertyValue("page");
    if (name !== "" && name !== "auto") return name;
  }
  return "";
}

function lengthOf(value: string | undefined): number | null {
  return value === "0" ? 0 : lengthPx(value ?? "");
}
