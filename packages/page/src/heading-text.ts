// Reads a heading as a reader of the page does, for bookmarks and running titles. `textContent` would join lines without a
// space and contain what is not printed; `innerText` would apply `text-transform`.
import { descendantsOf, displayOf, parentOf } from "./dom.ts";
import { hasBoxes } from "./has-boxes.ts";

/** Returns the printed text, with a space wherever a line break or another block begins. */
export function headingText(heading: Element): string {
  let text = "";
  let block: Element | null = null;
  for (const node of descendantsOf(heading)) {
    if (node instanceof HTMLBRElement) text += " ";
    else if (node instanceof Text && hasBoxes(node)) {
      const next = blockOf(node, heading);
      text += next === block ? node.data : ` ${node.data}`;
      block = next;
    } else if (node instanceof Text && node.data.trim() === "") text += " ";
  }
  return text;
}

/** Returns the element in whose lines the text stands. */
function blockOf(node: Text, heading: Element): Element {
  let element = parentOf(node);
  while (element && element !== heading && /^(inline|contents|ruby)/.test(displayOf(element))) {
    element = parentOf(element);
  }
  return element ?? heading;
}
