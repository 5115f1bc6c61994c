// Reads a ToUnicode map: the text of each code of a font.
import { latin1 } from "../syntax/characters.ts";

/** A map has two bytes for a code. */
const maxCode = 0xffff;
const sections = /beginbf(?:char|range)\s([^]*?)endbf(char|range)/g;
const characters = /<([0-9A-F]{2,4})>\s*<([0-9A-F]+)>/gi;
const ranges = /<([0-9A-F]{2,4})>\s*<([0-9A-F]{2,4})>\s*(?:<([0-9A-F]+)>|\[([^\]]*)\])/gi;

export function readUnicode(bytes: Uint8Array): Map<number, string> {
  const texts = new Map<number, string>();
  for (const [, entries = "", kind] of latin1(bytes, 0, bytes.length).matchAll(sections)) {
    if (kind === "char")
      for (const [, code, text] of entries.matchAll(characters)) texts.set(number(code), decoded(text));
    else
      for (const [, first, last, text, list] of entries.matchAll(ranges)) {
        const listed = list?.match(/[0-9A-F]+/gi);
        for (let code = number(first); code <= Math.min(number(last), maxCode); code++) {
          const index = code - number(first);
          texts.set(code, listed ? decoded(listed[index]) : increased(decoded(text), index));
        }
      }
  }
  return texts;
}

function number(hex: string | undefined): number {
  return parseInt(hex ?? "", 16);
}

/** The text is in UTF-16. */
function decoded(hex = ""): string {
  if (hex.length % 4 !== 0) return "";
  let text = "";
  for (let at = 0; at < hex.length; at += 4) text += String.fromCharCode(number(hex.slice(at, at + 4)));
  return text;
}

/** The last unit of the text grows with the code. */
function increased(text: string, by: number): string {
  return by === 0 ? text : text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + by);
}
