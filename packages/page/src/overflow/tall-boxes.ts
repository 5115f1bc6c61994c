// Finds boxes that are higher than a page although Chromium does not divide them, so that an edge of the page may cut through their lines.
import { boxOf, findNamed, parentOf } from "../dom.ts";
import type { StyledElements } from "../style-rules.ts";
import { fullNameOf, holdsText } from "./hidden-content.ts";
import type { FoundOverflow } from "./mark-overflows.ts";

/** No page has so little space between its margins. */
const minPx = 60;

const tags = ["button", "textarea", "select", "legend", "svg", "math", "ruby"];
const inline = /inline-|ruby|clamp|size|strict|writing-mode/i;

/** `heightOf` returns the height between the margins of the page on which an element is printed. */
export function findTallBoxes(styled: StyledElements, heightOf: (element: Element) => number): FoundOverflow[] {
  const candidates = new Set([...styled(mayBeUndivided, inline), ...findNamed(...tags)]);
  const heights = [...candidates].map((element) => ({ element, px: boxOf(element).height }));
  const found: FoundOverflow[] = [];
  for (const { element, px } of heights) {
    if (px < minPx || px <= heightOf(element) + 1) continue;
    const advice = adviceFor(element);
    const isInside = found.some((outer) => Node.prototype.contains.call(outer.element, element));
    if (advice === null || isInside || !holdsText(element)) continue;
    const message = `${fullNameOf(element)} is ${Math.round(px)} px high and cannot be divided, so the edges of pages cut through its lines of text. ${advice}`;
    found.push({ element, message });
  }
  return found;
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

/** Says what to do instead of a box that is not divided; null for other elements. */
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
