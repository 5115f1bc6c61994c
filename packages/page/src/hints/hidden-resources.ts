// Finds gradients, masks and similar elements that `display: none` hides. The drawings that use them are printed without their fill or
// their mask. A `<symbol>` and a filter work even if they are hidden. Chromium 127 and 153 do the same.
import { attributeOf, elementById, findInDocument, findNamed, isInside, parentOf } from "../dom.ts";
import { fullNameOf, isShown, nameOf } from "../overflow/hidden-content.ts";
import type { FoundOverflow } from "../overflow/mark-overflows.ts";

const names = ["linearGradient", "radialGradient", "pattern", "clipPath", "mask", "marker"];
const uses = ["fill", "stroke", "clip-path", "mask", "marker-start", "marker-mid", "marker-end", "style"];

export function findHiddenResources(): FoundOverflow[] {
  if (findNamed("svg").length === 0) return [];
  return findNamed(...names).flatMap((resource) => {
    const id = attributeOf(resource, "id");
    if (!id || !isHidden(resource)) return [];
    const reference = CSS.escape(`url(#${id})`);
    const users = findInDocument(uses.map((name) => `[${name}*="${reference}"]`).join());
    const user = users.find(isShown) ?? users.map(copyOf).find((copy) => copy !== undefined);
    if (!user) return [];
    const message = `${fullNameOf(user)} is drawn without ${nameOf(resource)}, which is inside an element with \`display: none\`. Hide that drawing with \`width="0" height="0"\` and \`position: absolute\`.`;
    return [{ element: user, message }];
  });
}

/** Returns a `<use>` that shows the element, which is inside a hidden `<symbol>`, for example. */
function copyOf(element: Element): Element | undefined {
  const isCopy = (use: Element) => {
    const original = use instanceof SVGUseElement ? elementById(use.href.baseVal.slice(1)) : null;
    return original !== null && isInside(original, element) && isShown(use);
  };
  return findNamed("use").find(isCopy);
}

function isHidden(element: Element): boolean {
  for (let each: Element | null = element; each; each = parentOf(each))
    if (getComputedStyle(each).display === "none") return true;
  return false;
}
