// Replaces the content of a document but keeps part of its head loaded, so that the browser need not parse the styles
// and decode the fonts again for the next document. Nothing else of the previous document remains, so the result is the
// same as if the browser had loaded the whole markup.
import { isRightToLeft } from "colophon-base/text-direction";
import { attributeOf, rootElement } from "./dom.ts";

/** Replaces everything except the `kept` elements of the head. `parsed` is the whole document without these. */
export function replaceContent(head: Element, parsed: Document, kept: Element[]): void {
  const root = rootElement();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  replaceAttributes(root, parsed.documentElement);
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}

/** The direction of one language, which takes longer to find out than to parse a short document. */
let known = { language: "und", isRightToLeft: false };

/**
 * The `lang` attribute was loaded together with the head and stays. All other attributes were set by the previous content, except for a
 * `dir` that follows from the language: it is set again unless the content has its own.
 */
function replaceAttributes(root: Element, parsed: Element): void {
  const language = attributeOf(root, "lang") ?? "und";
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  if (known.language !== language) known = { language, isRightToLeft: isRightToLeft(language) };
  if (known.isRightToLeft) root.setAttribute("dir", "rtl");
  for (const { name, value } of parsed.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
}
