// Removes the targets of links that would be harmful or useless in the rendered file. Chromium writes `javascript:` and
// `file:` links into a PDF. A relative link cannot work in a file, which has no base URL.
import { counted } from "../core/counted.ts";
import { attributeOf, findInDocument, removeAttribute } from "./dom.ts";

/** Returns the warnings for the document. */
export function removeUnsafeLinks(): string[] {
  let removed = 0;
  for (const link of findInDocument("a, area")) {
    for (const name of ["href", "xlink:href"]) {
      const target = attributeOf(link, name);
      if (target === null || isAllowed(target)) continue;
      removeAttribute(link, name);
      removed++;
    }
  }
  if (removed === 0) return [];
  return [`Removed ${counted(removed, "link")}: only http, https, mailto, tel and #fragment links are allowed.`];
}

function isAllowed(target: string): boolean {
  if (target.startsWith("#")) return true;
  return URL.canParse(target) && /^(https?|mailto|tel):$/.test(new URL(target).protocol);
}
