// Prints the page as it is now. Every PDF is read as a stream, because a message of more than 32 MiB breaks the connection of
// the whole session, and nothing tells how large a PDF will be.
import { CodedError } from "colophon-base/loggable-error";
import type { CDPSession } from "@cloudflare/puppeteer";
import { maxAutoHeightPx, type PageGeometry } from "colophon-page/page-geometry";
import type { OutputMemory } from "./output-memory.ts";

/** How many bytes a read asks for. It may return fewer even in the middle of a file, where bytes look like a part of a character. */
const readBytes = 1_000_000;

/** Only the read after the last bytes reports the end of the file. A file that ends like a PDF is complete; its table proves that later. */
const endOfPdf = /%%EOF\s*$/;

/** The paper size of the print command is in inches. */
const pxPerInch = 96;

/**
 * The margins come from the document's `@page`. Without these, Chromium refuses paper of less than 76 pixels a side, because it
 * has no room for the command's own default margins.
 */
const margins = { marginTop: 0, marginRight: 0, marginBottom: 0, marginLeft: 0 };

export type PrintOptions = {
  /**
   * The paper, in CSS pixels, of styles that give pages an orientation but no lengths, as `@page { size: landscape }`
   * does.
   */
  paper: Pick<PageGeometry, "width" | "height">;
  isTagged: boolean;
  /** Printing ends after this page. */
  maxPages: number;
  /** The file is read up to this size. */
  maxBytes: number;
  /** A large file waits for its memory while the browser keeps it. */
  memory: OutputMemory;
};

/** Returns the bytes of the PDF, or more than `maxBytes` bytes of it if it is larger than that. */
export async function print(
  page: CDPSession,
  { paper, isTagged, maxPages, maxBytes, memory }: PrintOptions,
): Promise<Uint8Array> {
  const { stream } = await page.send("Page.printToPDF", {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: isTagged,
    ...margins,
    paperWidth: paper.width / pxPerInch,
    paperHeight: (paper.height === "auto" ? maxAutoHeightPx : paper.height) / pxPerInch,
    pageRanges: `1-${maxPages}`,
    transferMode: "ReturnAsStream",
  });
  if (!stream) throw new CodedError("browser.no_stream");
  return readStream(page, stream, { maxBytes, memory });
}

async function readStream(
  page: CDPSession,
  handle: string,
  { maxBytes, memory }: Pick<PrintOptions, "maxBytes" | "memory">,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let isOver = false; !isOver && size <= maxBytes;) {
    await memory.reserve(size + readBytes);
    const { base64Encoded, data, eof } = await page.send("IO.read", { handle, size: readBytes });
    const chunk = Buffer.from(data, base64Encoded ? "base64" : "utf8");
    chunks.push(chunk);
    size += chunk.length;
    isOver = eof || endOfPdf.test(chunk.subarray(-8).toString("latin1"));
  }
  page.send("IO.close", { handle }).catch(() => {}); // A page that is gone has already closed its streams.
  return Buffer.concat(chunks);
}
