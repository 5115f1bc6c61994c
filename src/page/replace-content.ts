// Replaces the content of a document but keeps part of its head loaded, so that the browser need not parse the styles
// and decode the fonts again for the next document. Nothing else of the previous document remains, so the result is the
// same as if the browser had loaded the whole markup.
import { rootElement } from "./dom.ts";

/**
 * Replaces everything except the `kept` elements of the head. `markup` is the whole document without these elements.
 */
export function replaceContent(head: Element, markup: string, kept: Element[]): void {
  const root = rootElement();
  const parsed = Document.parseHTMLUnsafe(`<!doctype html><html><head>${markup}`);
  // A refresh is useless in a rendered file, and would still be pending when the next document is inserted.
  for (const refresh of parsed.querySelectorAll('meta[http-equiv="refresh" i]')) refresh.remove();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  // The `lang` attribute was loaded together with the head and stays. All other attributes were set by the previous
  // content.
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  for (const { name, value } of parsed.documentElement.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}
