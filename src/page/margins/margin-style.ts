// The style element with the rules for headers and footers. It stays in the head from one document to the next, because
// the pictures in its rules are often the same and are then already decoded.
import { createElement, headElement } from "../dom.ts";

/**
 * The window, as the place to store the element. The key is a symbol, so that no name in a document's markup can
 * collide with it.
 */
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
