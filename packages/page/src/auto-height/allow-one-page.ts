// Removes from the styles what divides a page file into several pages whatever the height of the page is. This takes time,
// so it is done only for documents that need it.
import { findAll, rootElement, bodyElement } from "../dom.ts";

const forcedBreak = /^(page|left|right|recto|verso|always|all)$/;

/** Removes forced page breaks and named pages inside the sections, and minimum heights of the boxes around the content. */
export function allowOnePage(sections: HTMLElement[]): void {
  for (const box of [rootElement(), bodyElement(), ...sections]) {
    box.style.setProperty("height", "auto", "important");
    if (!box.style.getPropertyPriority("min-height")) box.style.setProperty("min-height", "0", "important");
  }
  for (const element of sections.flatMap((section) => [section, ...findAll(section, "*")])) {
    if (!(element instanceof HTMLElement)) continue;
    const { breakBefore, breakAfter } = getComputedStyle(element);
    if (forcedBreak.test(breakBefore)) element.style.setProperty("break-before", "auto", "important");
    if (forcedBreak.test(breakAfter)) element.style.setProperty("break-after", "auto", "important");
    if (!sections.includes(element) && getComputedStyle(element).getPropertyValue("page") !== "auto") {
      element.style.setProperty("page", "auto", "important");
    }
  }
}
