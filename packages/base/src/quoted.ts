// Quotes template text in messages.
import { printable, shortened } from "./text.ts";

/** Returns the text in backticks, shortened and printable. */
export function quoted(text: string): string {
  return `\`${printable(shortened(text))}\``;
}
