// Finds shadows and outlines that the edges of the page area cut off: a print shows nothing of the content in the
// margins of the page. Chromium 127 and 153 do the same. Shadows that are too small or too faint to be missed do not count.
import { bodyElement, boxOf, checkVisibility, isInside, rootElement } from "../dom.ts";
import type { PrintAreas } from "../overflow/find-overflow.ts";
import { type Area, type Clipping, fullNameOf, shownPart } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import { type PageWidth, printSides } from "../references/print-width.ts";
import type { StyledElements } from "../style-rules.ts";

/**
 * `heightOf` returns the height of the page area on which an element is printed. `found` is the content that the document loses;
 * decorations inside it are not reported again.
 */
export type Print = {
  rules: readonly CSSRule[];
  areas: PrintAreas;
  heightOf: (element: Element) => number;
  found: readonly FoundOverflow[];
};

const maxBoxes = 1_000;
/** A reader does not notice if less is cut off. */
const minPx = 3;
/** Boxes this far away are hidden on purpose. */
const farPx = 500;
const edges = ["left", "right", "top", "bottom"] as const;

export function findCutDecorations(
  page: PageWidth,
  { rules, areas, heightOf, found, clipping, styled }: Print & { clipping: Clipping; styled: StyledElements },
): FoundOverflow[] {
  if (areas.narrow.length > 0) return [];
  const boxes = styled(mayPaintOutside, /shadow|outline/i).slice(0, maxBoxes);
  return boxes.flatMap((element) => {
    const painted = paintedBox(element);
    const isVisible = checkVisibility(element, { opacityProperty: true, visibilityProperty: true });
    const shown = painted && isVisible ? shownPart(painted, element, null, clipping) : null;
    if (!painted || !shown || found.some((other) => isInside(other.element, element))) return [];
    const pagePx = heightOf(element);
    // The bottom of a page is known if there is only one page.
    const bottom = boxOf(bodyElement()).bottom <= pagePx + 1 ? pagePx : Infinity;
    const area = { left: 0, top: 0, right: Math.max(areas.width, rootElement().scrollWidth), bottom };
    const margins = printSides(element, page, rules);
    const cut = edges.filter((edge) => margins[edge] > 0 && outPx(shown, area, edge) >= minPx);
    const px = Math.max(...cut.map((edge) => outPx(shown, area, edge)));
    if (cut.length === 0 || px > farPx) return [];
    const [last, ...others] = cut.toReversed();
    const at = others.length > 0 ? `${others.toReversed().join(", ")} and ${last} edges` : `${last} edge`;
    const message = `${Math.round(px)} px of the ${painted.what} of ${fullNameOf(element)} are cut off at the ${at} of the page area, because a print shows no content in the margins. Give the box a margin of ${Math.ceil(px)} px.`;
    return [{ element, message, isOffPage: boxOf(element).left < 0 }];
  });
}

function outPx(shown: Area, area: Area, edge: keyof Area): number {
  return edge === "left" || edge === "top" ? area[edge] - shown[edge] : shown[edge] - area[edge];
}

function mayPaintOutside({ boxShadow, outlineStyle, filter }: CSSStyleDeclaration): boolean {
  const isShadow = /\d|var/.test(boxShadow) || filter.includes("drop-shadow");
  return isShadow || /^(?!none|initial|inherit|unset|revert)./.test(outlineStyle);
}

/** Returns the box with its shadows and its outline, as far as they are visible; null if there are none. */
function paintedBox(element: Element): (Area & { what: string }) | null {
  const style = getComputedStyle(element);
  const box = boxOf(element);
  const shadows = [
    ...shadowsIn(style.boxShadow),
    ...shadowsIn(/drop-shadow\(((?:[^()]|\([^()]*\))*)\)/.exec(style.filter)?.[1] ?? "none"),
  ];
  const outlinePx =
    style.outlineStyle === "none" ? 0 : Number.parseFloat(style.outlineWidth) + Number.parseFloat(style.outlineOffset);
  if (outlinePx > 0 && alphaOf(style.outlineColor) >= minAlpha) shadows.push({ x: 0, y: 0, px: outlinePx });
  if (shadows.length === 0 || box.height === 0) return null;
  const reach = (px: (shadow: Shadow) => number) => Math.max(0, ...shadows.map(px));
  return {
    left: box.left - reach(({ x, px }) => px - x),
    top: box.top - reach(({ y, px }) => px - y),
    right: box.right + reach(({ x, px }) => px + x),
    bottom: box.bottom + reach(({ y, px }) => px + y),
    what: outlinePx > 0 ? "outline" : "shadow",
  };
}

/** A shadow is moved by `x` and `y`, and visible up to `px` around the box. */
type Shadow = { x: number; y: number; px: number };

/** Fainter colours cannot be seen on paper. */
const minAlpha = 0.04;

function shadowsIn(value: string): Shadow[] {
  if (value === "none") return [];
  return value.split(/,(?![^(]*\))/).flatMap((shadow) => {
    const alpha = alphaOf(shadow);
    const [x = 0, y = 0, blur = 0, spread = 0] = Array.from(shadow.matchAll(/(-?[\d.e-]+)px/g), ([, px]) => Number(px));
    if (shadow.includes("inset") || alpha < minAlpha) return [];
    // At the edge of the box, a blurred shadow has half of its colour.
    return [{ x, y, px: spread + blur * Math.max(0, 1 - (2 * minAlpha) / alpha) }];
  });
}

/** Returns the opacity of the computed colour at the beginning of a value. */
function alphaOf(value: string): number {
  const [, alpha] = /^\s*(?:rgba\([^)]*,|[a-z-]+\([^)]*\/)\s*([\d.e-]+)\)/.exec(value) ?? [];
  return alpha === undefined ? 1 : Number(alpha);
}
