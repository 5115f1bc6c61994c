// Replaces the content of a document while its head stays loaded, so that styles and fonts stay parsed and decoded from one
// document to the next. The result is the same as if the browser had loaded the whole markup: nothing of the previous
// document remains.
import { rootElement } from "./dom.ts";

/** `markup` is the whole document without the elements of the head that are `kept`. */
export function replaceContent(head: Element, markup: string, kept: Element[]): void {
  const root = rootElement();
  const parsed = Document.parseHTMLUnsafe(`<!doctype html><html><head>${markup}`);
  // A refresh does nothing for a document on paper, and would still be pending when the next document is inserted.
  for (const refresh of parsed.querySelectorAll('meta[http-equiv="refresh" i]')) refresh.remove();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  // The language belongs to the head that stays loaded; all other attributes were set by the previous content.
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  for (const { name, value } of parsed.documentElement.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}
