// Breaks that a style forces between pages.

export type BreakProperty = "break-before" | "break-after";

const betweenPages = /^(page|left|right|recto|verso)$/;

/** Whether the style forces a break between pages, which need not have an effect; see `idle-breaks.ts`. */
export function forcesPage(element: Element, property: BreakProperty): boolean {
  return betweenPages.test(getComputedStyle(element).getPropertyValue(property));
}
