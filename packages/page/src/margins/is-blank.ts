// Whether a header or footer shows nothing on a page. A blank one gets no space, so that a full-bleed cover stays possible.
import { findAll } from "../dom.ts";

const pictures = "img, svg, canvas, video, object, embed, input, progress, meter, hr";

/** `host` must be in the document, without the elements that are not shown. */
export function isBlank(host: HTMLElement): boolean {
  if (host.textContent?.trim() || findAll(host, pictures).length > 0) return false;
  return ![host, ...findAll(host, "*")].some(isPainted);
}

function isPainted(element: Element): boolean {
  return paints(getComputedStyle(element)) || hasContent(element, "::before") || hasContent(element, "::after");
}

function paints(style: CSSStyleDeclaration): boolean {
  const hasBorder = [style.borderTopWidth, style.borderRightWidth, style.borderBottomWidth, style.borderLeftWidth].some(
    (width) => parseFloat(width) > 0,
  );
  const hasBackground = style.backgroundImage !== "none" || !/, 0\)$|^transparent$/.test(style.backgroundColor);
  return hasBorder || hasBackground || style.boxShadow !== "none";
}

function hasContent(element: Element, pseudo: string): boolean {
  return !["none", "normal"].includes(getComputedStyle(element, pseudo).content);
}
