// Finds boxes and images that are higher than a page although Chromium does not divide them, so that an edge of the page cuts through
// them.
import { boxOf, findNamed, isInside, parentOf, unresolvedStyle } from "../dom.ts";
import type { StyledElements } from "../style-rules.ts";
import { type Clipping, fullNameOf, holdsText, isShown, shownPart } from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";

/** No page has so little space between its margins. */
const minPx = 60;

const tags = ["button", "textarea", "select", "legend", "svg", "math", "ruby", "img", "video", "input"];
const inline = /inline-|ruby|clamp|size|strict|writing-mode/i;

const images = "img,video[poster],input[type=image i],svg";

/** `heightOf` returns the height between the margins of the page on which an element is printed. */
export function findTallBoxes(
  { styled, clipping }: { styled: StyledElements; clipping: Clipping },
  heightOf: (element: Element) => number,
): FoundOverflow[] {
  const candidates = new Set([...styled(mayBeUndivided, inline), ...findNamed(...tags)]);
  const isHigh = ({ element, px }: { element: Element; px: number }) => px >= minPx && px > heightOf(element) + 1;
  const boxes = [...candidates].map((element) => ({ element, px: boxOf(element).height }));
  const high = boxes.filter((box) => isHigh(box) && (box.px > innerHeight + 1 || !isWrappedAtPage(box.element)));
  const relative = high.length > 0 ? styled(dependsOnViewport, /v/i) : [];
  const heights = high.map(({ element, px }) => {
    // In a print, the viewport is the area between the margins.
    const isRelative = relative.some((outer) => isInside(outer, element));
    return { element, px: isRelative ? (px * heightOf(element)) / innerHeight : px };
  });
  const found: FoundOverflow[] = [];
  for (const { element, px } of heights) {
    if (!isHigh({ element, px })) continue;
    const isInner = found.some((outer) => isInside(outer.element, element));
    const fault = isInner ? null : faultOf(element, { clipping, pagePx: heightOf(element) });
    if (fault) found.push({ element, message: `${fullNameOf(element)} is ${Math.round(px)} px high and ${fault}` });
  }
  return found;
}

/** Returns the end of a message about a box or an image that is higher than its page; null if no edge of a page cuts through it. */
function faultOf(element: Element, { clipping, pagePx }: { clipping: Clipping; pagePx: number }): string | null {
  const advice = adviceFor(element);
  if (advice !== null && holdsText(element))
    return `cannot be divided, so the edges of pages cut through its lines of text. ${advice}`;
  if (!element.matches(images) || !isCut(element, clipping, pagePx)) return null;
  const fit = element instanceof SVGElement ? "a `viewBox`" : "`object-fit: contain`";
  return `cannot be divided, so the edges of pages cut through it. Give it \`display: block\`, \`max-height: 100vh\` and ${fit}.`;
}

/** Decoration beside high content is cut on purpose, and a fixed image is cut off by the page. */
function isCut(image: Element, clipping: Clipping, pagePx: number): boolean {
  const part = isShown(image) ? shownPart(boxOf(image), image, null, clipping) : null;
  if (!part || part.bottom - part.top <= pagePx + 1) return false;
  for (let element: Element | null = image; element; element = parentOf(element)) {
    const { position } = getComputedStyle(element);
    const outer = parentOf(element);
    if (position === "fixed" || (position === "absolute" && outer && isAsHigh(outer, image))) return false;
  }
  return true;
}

function isAsHigh(outer: Element, inner: Element): boolean {
  return boxOf(outer).height >= boxOf(inner).height - 1;
}

/** Vertical lines in a box without a height are as long as the viewport, which a print makes as high as the area between the margins. */
function isWrappedAtPage(element: Element): boolean {
  return getComputedStyle(element).writingMode !== "horizontal-tb" && unresolvedStyle(element, "height") === "auto";
}

function dependsOnViewport({ height, maxHeight }: CSSStyleDeclaration): boolean {
  return /\d[dsl]?v|\(/.test(height + maxHeight);
}

function mayBeUndivided(style: CSSStyleDeclaration): boolean {
  const { display, contain, containerType, writingMode, webkitLineClamp } = style;
  return (
    /inline-|ruby|\(/.test(display) ||
    /size|strict|\(/.test(contain + containerType) ||
    writingMode + webkitLineClamp !== ""
  );
}

/** Whether Chromium puts the whole box on one page, if it fits. Seen with 127 and 153. */
export function isUndivided(element: Element): boolean {
  return adviceFor(element) !== null;
}

/** Returns what to use instead of a box that is not divided; null for other elements. */
function adviceFor(element: Element): string | null {
  const { display, contain, containerType, webkitLineClamp, writingMode } = getComputedStyle(element);
  const tag = element.localName;
  if (tag === "textarea") return "Print long text in a `<div>` with `white-space: pre-wrap`.";
  if (/^(button|select|legend)$/.test(tag)) return "Use a `<div>`.";
  if (/^(svg|math)$/.test(tag)) return "Divide it into several.";
  const block = /^(-webkit-)?inline-(\w+)$/.exec(display)?.[2];
  if (block) return `Write \`display: ${block === "box" ? "flex" : block}\` for \`${display}\`.`;
  if (display.startsWith("ruby")) return "Use several.";
  if (webkitLineClamp !== "none" && /box|flow-root/.test(display))
    return "Leave out `-webkit-line-clamp`, or show fewer lines.";
  if (/size|strict/.test(contain) || containerType === "size") return "Leave out `contain` and `container-type`.";
  const outer = parentOf(element);
  return outer && getComputedStyle(outer).writingMode !== writingMode ? "Make it lower." : null;
}
