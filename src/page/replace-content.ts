// Runs inside the page, handed to `preparePage` as text: it may use nothing but its arguments and the DOM. Gives a document
// whose head is loaded the content of the next one, so that styles and fonts stay parsed and decoded from one to the other.
// What comes of it is what the same markup, loaded as a whole, would have come to; nothing of the one before is left.

/** `markup` has all but the elements of the head that are `kept`. */
export function replaceContent(root: Element, head: Element, markup: string, kept: Element[]): void {
  const parsed = Document.parseHTMLUnsafe(`<!doctype html><html><head>${markup}`);
  // It does nothing for a document on paper, and would still be pending when the next one is there.
  for (const refresh of parsed.querySelectorAll('meta[http-equiv="refresh" i]')) refresh.remove();
  for (const element of [...head.children]) if (!kept.includes(element)) element.remove();
  head.append(...parsed.head.childNodes);
  // The language belongs to the head; the others were set by content, as was the body with all it has.
  for (const { name } of [...root.attributes]) if (name !== "lang") root.removeAttribute(name);
  for (const { name, value } of parsed.documentElement.attributes) {
    if (name !== "lang") root.setAttribute(name, value);
  }
  while (head.nextSibling) head.nextSibling.remove();
  root.append(parsed.body);
}
