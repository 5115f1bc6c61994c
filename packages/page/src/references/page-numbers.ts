// Writes page numbers into the attributes that the styles of a document show.
import { formatCounter } from "./counter-styles.ts";
import { missingTargetWarnings, type TargetPages } from "./page-references.ts";
import type { PageAttribute } from "./reference-attributes.ts";
import { attributeOf, findInDocument, setAttribute } from "../dom.ts";

/** Shows the page of each reference's target. Returns warnings for the references that stay empty. */
export function showPageNumbers(attributes: readonly PageAttribute[], pages: TargetPages): string[] {
  const missing = new Set<string>();
  for (const { name, source, style } of attributes) {
    for (const element of findInDocument(`[${name}]`)) {
      const target = targetName(attributeOf(element, source));
      const page = pages.get(target);
      if (page === undefined) missing.add(target);
      setAttribute(element, name, page === undefined ? "" : formatCounter(page, style));
    }
  }
  return missingTargetWarnings([...missing]);
}

/** Returns the fragment of a link within the document, escaped as in a URL; empty for any other link. */
export function targetName(link: string | null): string {
  return link?.startsWith("#") ? new URL(link, "about:blank").hash.slice(1) : "";
}
