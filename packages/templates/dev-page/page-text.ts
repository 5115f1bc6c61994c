// The text of a page of a PDF, in lines, as a reader sees it.
import type { PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";

type Item = { str: string; hasEOL: boolean };
/** `actualText` comes from our change of pdf.js (see inspector.ts): UTF-16 with a byte order mark, a character for each byte. */
type Marker = { type: string; actualText?: string };

const rightToLeft = /[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}]/u;

export async function textOfPage(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent({ includeMarkedContent: true });
  const lines: string[][] = [[]];
  const add = (text: string) => lines.at(-1)?.push(text);
  /** The open markers. Glyphs inside one with a text are replaced by it. */
  const open: (string | undefined)[] = [];
  for (const item of content.items as unknown as (Item | Marker)[]) {
    if ("str" in item) {
      if (open.every((text) => text === undefined)) add(item.str);
      if (item.hasEOL) lines.push([]);
    } else if (item.type === "endMarkedContent") {
      // Not where it begins, because the end of the line before comes after that.
      add(open.pop() ?? "");
    } else {
      open.push(item.actualText === undefined ? undefined : utf16(item.actualText));
    }
  }
  return lines.map(readLine).join("\n");
}

function utf16(bytes: string): string {
  if (!bytes.startsWith("\xfe\xff")) return bytes;
  return new TextDecoder("utf-16be").decode(Uint8Array.from(bytes.slice(2), (byte) => byte.charCodeAt(0)));
}

/** Pieces come from left to right, each as it is read. */
function readLine(pieces: string[]): string {
  return (pieces.some((piece) => rightToLeft.test(piece)) ? pieces.toReversed() : pieces).join("");
}
