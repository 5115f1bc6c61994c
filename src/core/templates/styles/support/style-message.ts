// How messages about a template quote it.
import { shortened } from "../../../text.ts";

const maxChars = 60;

/**
 * Returns the text in backticks, shortened. Control characters, and characters that reverse the direction of text, are
 * escaped, because they could change what a terminal or a page shows.
 */
export function quoted(text: string): string {
  const short = shortened(text, maxChars);
  const printable = short.replace(/[\p{Cc}\p{Cs}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `\`${printable}\``;
}
