// How a warning names an element and what it hides.
import { attributeOf } from "../dom.ts";
import type { Hidden } from "./hidden-content.ts";

/** Returns the part of the first hidden text that is hidden for certain: its end, or at the left and the top its beginning. */
export function textOf({ text, edge }: Hidden): string {
  if (text.length <= maxTextChars) return text === "" ? "" : `: “${text}”`;
  const isEndHidden = edge === "bottom" || edge === "right";
  return isEndHidden ? `: “…${text.slice(-maxTextChars)}”` : `: “${text.slice(0, maxTextChars)}…”`;
}

const maxTextChars = 40;
const maxNameChars = 80;

/** Returns the start tag of the element with its id and its classes. */
export function nameOf(element: Element): string {
  const attributes = ["id", "class"].map((name) => {
    const value = attributeOf(element, name);
    return value && !value.startsWith("colophon-") ? ` ${name}="${value}"` : "";
  });
  return `\`<${element.localName}${attributes.join("").slice(0, maxNameChars)}>\``;
}
