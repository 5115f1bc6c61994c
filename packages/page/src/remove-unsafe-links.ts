// Removes link targets that would be harmful or useless in the rendered file. Chromium writes `javascript:` and `file:`
// links into a PDF. A relative link cannot work in a file, which has no base URL.
import { attributeOf, findInTrees, removeAttribute, type Tree } from "./dom.ts";
import { removedLinksWarning } from "./removed-links.ts";

/** Returns the warnings for the document. `animatedLinks` is the number of links that were already removed. */
export function removeUnsafeLinks(trees: readonly Tree[], animatedLinks: number): string[] {
  let removed = animatedLinks;
  // In Chromium 153, only `a` and `area` elements can be links. `:any-link` matches every element that the browser
  // treats as a link.
  for (const link of findInTrees(trees, "a, area, :any-link")) {
    for (const { name } of [...link.attributes].filter(({ localName }) => localName === "href")) {
      if (isAllowed(attributeOf(link, name) ?? "")) continue;
      removeAttribute(link, name);
      removed++;
    }
  }
  return removedLinksWarning(removed);
}

function isAllowed(target: string): boolean {
  if (target.startsWith("#")) return true;
  return URL.canParse(target) && /^(https?|mailto|tel):$/.test(new URL(target).protocol);
}
