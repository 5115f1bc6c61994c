// The style element with the rules for headers and footers. It stays in the head from one document to the next, because
// consecutive documents often have the same headers and footers, whose pictures are then already decoded.
import { createElement, headElement } from "../dom.ts";

/** The window, which stores the element under a symbol. A symbol cannot collide with a name in a document's markup. */
const memory = window as unknown as Record<symbol, HTMLElement | undefined>;
const marginsKey = Symbol.for("colophon margins");

/** The element that was inserted for the previous document, or null if it is no longer in the head. */
export function keptMarginStyle(): HTMLElement | null {
  const style = memory[marginsKey];
  return style?.isConnected ? style : null;
}

export function insertMarginStyle(rules: string): void {
  memory[marginsKey]?.remove();
  const style = createElement("style");
  style.textContent = rules;
  memory[marginsKey] = style;
  headElement().append(style);
}
