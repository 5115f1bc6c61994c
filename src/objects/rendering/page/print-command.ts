// Prints the page as it is now. A small PDF arrives in one message, and any other as a stream, which takes one more round
// trip.
import type { CDPSession } from "@cloudflare/puppeteer";
import { maxAutoHeightPx, type PageGeometry } from "../../../core/rendering/page-geometry.ts";
import type { OutputMemory } from "../output-memory.ts";
import { maxFileBytes } from "./page-outcome.ts";
import { maxPagesInMessage } from "./pdf-size.ts";

const streamChunkBytes = 1_000_000;

/** The paper size of the print command is in inches. */
const pxPerInch = 96;

export type PrintOptions = {
  /**
   * The paper, in CSS pixels, of styles that give pages an orientation but no lengths, as `@page { size: landscape }`
   * does.
   */
  paper: Pick<PageGeometry, "width" | "height">;
  isTagged: boolean;
  /** Printing ends after this page. */
  maxPages: number;
  /** Whether the PDF is certainly small enough for one message if it has fewer than `maxPagesInMessage` pages. */
  isSmall: boolean;
  /** A large file waits for its memory while the browser keeps it. */
  memory: OutputMemory;
};

/** Returns the bytes of the PDF, or more than `maxFileBytes` bytes of it if it is larger than that. */
export async function print(
  page: CDPSession,
  { paper, isTagged, maxPages, isSmall, memory }: PrintOptions,
): Promise<Bytes> {
  const command = {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: isTagged,
    paperWidth: paper.width / pxPerInch,
    paperHeight: (paper.height === "auto" ? maxAutoHeightPx : paper.height) / pxPerInch,
  };
  if (isSmall) {
    const pageRanges = `1-${maxPagesInMessage}`;
    const { data } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsBase64" });
    const bytes = decodeBase64(data);
    return bytes;
  }
  const pageRanges = `1-${maxPages}`;
  const { stream } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsStream" });
  if (!stream) throw new Error("the browser returned no stream");
  return readStream(page, stream, memory);
}

type Bytes = Uint8Array<ArrayBuffer>;

async function readStream(page: CDPSession, handle: string, memory: OutputMemory): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let eof = false; !eof && size <= maxFileBytes;) {
    // Only the read after the last bytes reports the end of the stream. Two reads are sent together, so that this last
    // read does not cost an extra round trip.
    await memory.reserve(size + 2 * streamChunkBytes);
    const read = () => page.send("IO.read", { handle, size: streamChunkBytes });
    for (const chunk of await Promise.all([read(), read()])) {
      const bytes = chunk.base64Encoded ? decodeBase64(chunk.data) : new TextEncoder().encode(chunk.data);
      chunks.push(bytes);
      size += bytes.length;
      eof = chunk.eof;
    }
  }
  page.send("IO.close", { handle }).catch(() => {}); // A page that is gone has already closed its streams.
  return Buffer.concat(chunks);
}

export function decodeBase64(data: string): Bytes {
  return Buffer.from(data, "base64");
}
