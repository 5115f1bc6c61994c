// Tells whether a text is laid out.
import { createRange } from "./dom.ts";

/**
 * Whether the browser creates boxes for the text. It creates none for text inside a `textarea` or a `meter`, which it
 * draws in another way.
 */
export function hasBoxes(node: Text): boolean {
  const range = createRange();
  range.selectNode(node);
  return range.getClientRects().length > 0;
}
