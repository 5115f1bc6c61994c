// The style element that holds the margins' rules. It stays in the head from one document to the next, because its pictures
// are often the same and are then already decoded.
import { createElement, headElement } from "../dom.ts";

/** The window remembers the element under a symbol, so that no element of a document can have the same name. */
const memory = window as unknown as Record<symbol, HTMLElement | undefined>;
const marginsKey = Symbol.for("colophon margins");

/** The style of the document before this one, or null if the head no longer holds it. */
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
