// Reads a ToUnicode map: the text of each code of a font.
import { latin1Bytes } from "../syntax/characters.ts";
import { isString, type PdfValue } from "../syntax/values.ts";
import { readContent } from "./read-content.ts";

/** A map has two bytes for a code. */
const maxCode = 0xffff;

/** Throws `PdfError` if the map is malformed. */
export function readUnicode(bytes: Uint8Array): Map<number, string> {
  const texts = new Map<number, string>();
  readContent(bytes, (operator, operands) => {
    const step = operator === "endbfchar" ? 2 : operator === "endbfrange" ? 3 : 0;
    if (step === 0) return;
    for (let at = 0; at + step <= operands.length; at += step) {
      const first = numberOf(operands[at]);
      const last = step === 2 ? first : Math.min(numberOf(operands[at + 1]), maxCode);
      const target = operands[at + step - 1];
      for (let code = first; code <= last; code++) {
        const text = Array.isArray(target) ? textOf(target[code - first]) : increased(textOf(target), code - first);
        texts.set(code, text);
      }
    }
  });
  return texts;
}

function numberOf(value: PdfValue | undefined): number {
  return isString(value) ? Buffer.from(latin1Bytes(value.text)).readUIntBE(0, Math.min(value.text.length, 4)) : NaN;
}

function textOf(value: PdfValue | undefined): string {
  return isString(value) ? Buffer.from(latin1Bytes(value.text)).swap16().toString("utf16le") : "";
}

/** The last unit of the text grows with the code. */
function increased(text: string, by: number): string {
  return by === 0 ? text : text.slice(0, -1) + String.fromCharCode(text.charCodeAt(text.length - 1) + by);
}
