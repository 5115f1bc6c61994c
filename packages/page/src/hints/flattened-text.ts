// Finds effects that make Chromium print a box as a picture, in which its text, tags and links are lost. Opacity, masks, blend modes and
// flat transforms keep them, in all versions that were tried (127 and 153).
import { elementById, findInDocument, findNamed } from "../dom.ts";
import { fullNameOf, holdsText } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";
import type { StyledElements } from "../style-rules.ts";

const inline = /filter|reflect|perspective|transform|rotate|scale|translate/i;
const names = ["filter", "-webkit-box-reflect", "perspective", "transform", "rotate", "scale", "translate"];

export function findFlattenedText(styled: StyledElements): (FoundOverflow & { effect: string })[] {
  const found: (FoundOverflow & { effect: string })[] = [];
  const byAttribute = findNamed("svg").length > 0 ? findInDocument("svg[filter], svg [filter]") : [];
  for (const element of new Set([...styled(mayFlatten, inline), ...byAttribute])) {
    const effect = effectOf(element);
    const isInside = found.some((outer) => Node.prototype.contains.call(outer.element, element));
    if (effect === null || isInside || !holdsText(element)) continue;
    const message = `${fullNameOf(element)} has ${effect}, which makes its text a picture: the PDF has neither the text nor its tags and links. Use ${effect} only for images.`;
    found.push({ element, message, effect });
  }
  return found;
}

function mayFlatten(style: CSSStyleDeclaration): boolean {
  return names.some((name) => !/^(none|inherit|initial|unset|)$/.test(style.getPropertyValue(name)));
}

/** Names the effect in a message; null if the element has none. */
function effectOf(element: Element): string | null {
  const style = getComputedStyle(element);
  if (style.filter !== "none" && !isMissing(style.filter)) return "`filter`";
  if (style.getPropertyValue("-webkit-box-reflect") !== "none") return "`-webkit-box-reflect`";
  // Transforms do not apply to inline boxes.
  if (style.display === "inline") return null;
  if (style.perspective !== "none") return "`perspective`";
  return isSpatial(style) ? "a transform in three dimensions" : null;
}

/** A filter of an element that does not exist has no effect. */
function isMissing(filter: string): boolean {
  const id = /^url\("#(.*)"\)$/.exec(filter)?.[1];
  return id !== undefined && !elementById(id);
}

/** Flat transforms have shorter computed values: a matrix of six numbers, a single angle, and two lengths or factors. */
function isSpatial({ transform, rotate, scale, translate }: CSSStyleDeclaration): boolean {
  return (
    transform.startsWith("matrix3d") || /\s/.test(rotate) || [scale, translate].some((value) => /\S \S+ \S/.test(value))
  );
}
