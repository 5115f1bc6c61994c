// Refuses a document with too many effects inside each other. The browser needs a layer for each of them, and the memory
// and time for the layers multiply.
import { findInDocument, parentOf } from "../dom.ts";
import { TooExpensiveError } from "./too-expensive.ts";

/** Real documents nest two or three effects. */
const maxNestedEffects = 30;

/** Throws `TooExpensiveError` when the document exceeds the limit. */
export function checkNestedEffects(): void {
  // Few documents have elements that are nested so deeply, so the styles are rarely computed.
  const deepElements = findInDocument(`${"* > ".repeat(maxNestedEffects)}*`);
  const known = new Map<Element, number>();
  const effectsAround = (element: Element): number => {
    const count = known.get(element);
    if (count !== undefined) return count;
    const parent = parentOf(element);
    const effects = (parent ? effectsAround(parent) : 0) + (hasEffect(getComputedStyle(element)) ? 1 : 0);
    known.set(element, effects);
    return effects;
  };
  for (const element of deepElements) {
    if (effectsAround(element) <= maxNestedEffects) continue;
    throw new TooExpensiveError(
      `More than ${maxNestedEffects} elements with effects such as \`opacity\`, \`filter\` or \`mask\` are nested inside ` +
        "each other. Use fewer nested effects.",
    );
  }
}

function hasEffect(style: CSSStyleDeclaration): boolean {
  return (
    style.opacity !== "1" ||
    style.filter !== "none" ||
    style.backdropFilter !== "none" ||
    style.mixBlendMode !== "normal" ||
    style.maskImage !== "none" ||
    style.clipPath !== "none" ||
    style.getPropertyValue("-webkit-box-reflect") !== "none"
  );
}
