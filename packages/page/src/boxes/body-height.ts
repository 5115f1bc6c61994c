// Lets a body that is the page be higher than its content, as in an ordinary print, but not higher than the page: that would add a blank
// page. The height of a body with more content than a page is ignored, because it could only cut its columns or its background.
import { bodyElement, boxOf, createElement, headElement, rootElement, setStyle, unresolvedStyle } from "../dom.ts";
import type { HeightOf } from "./page-heights.ts";

/** Returns a function that makes the height depend on the page of the print, which is laid out differently. */
export function boundBodyHeight(heights: () => HeightOf): () => void {
  const [root, body] = [rootElement(), bodyElement()];
  if (![root, body].some(hasHeight)) return () => {};
  const { minHeight, marginBottom } = getComputedStyle(body);
  const rootHeight = hasFixedHeight(root) ? "100%" : "auto";
  const rootMinHeight = getComputedStyle(root).minHeight;
  const restore = setStyle(body, { height: "auto", "min-height": "0" });
  // The `style` attribute of `html` is restored after the layout.
  const style = createElement("style");
  style.textContent = ":root{height:auto!important;min-height:0!important}";
  headElement().append(style);
  const box = boxOf(body);
  const outsidePx = box.top + parseFloat(marginBottom);
  const pagePx = heights()(body);
  if (outsidePx + box.height > pagePx) return () => {};
  restore();
  style.textContent = `:root{height:${rootHeight}!important;min-height:min(${rootMinHeight}, 100vh)!important}`;
  const aroundPx = outsidePx + edgesPx(body);
  const setLargest = (page: string) => {
    const largest = `calc(${page} - ${aroundPx}px)`;
    setStyle(body, { "min-height": `min(${minHeight}, ${largest})`, "max-height": largest });
  };
  setLargest(`${pagePx}px`);
  return () => setLargest("100vh");
}

function hasHeight(element: Element): boolean {
  return hasFixedHeight(element) || !/^(auto|0px)$/.test(unresolvedStyle(element, "min-height"));
}

function hasFixedHeight(element: Element): boolean {
  return unresolvedStyle(element, "height") !== "auto";
}

/** Returns the height of padding and border, unless the height of the box includes it. */
export function edgesPx(element: Element): number {
  const style = getComputedStyle(element);
  if (style.boxSizing === "border-box") return 0;
  const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
  return edges.reduce((sum, edge) => sum + parseFloat(edge), 0);
}
