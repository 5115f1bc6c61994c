// Prints the page as it is now. A small PDF arrives in one message, and any other as a stream, which takes one more round
// trip.
import type { CDPSession } from "@cloudflare/puppeteer";
import { maxAutoHeightPx, type PageGeometry } from "../../../core/rendering/page-geometry.ts";
import { maxSmallFileBytes, type OutputMemory } from "../output-memory.ts";
import { decodeData } from "./large-data.ts";
import { maxPagesInMessage } from "./pdf-size.ts";

/**
 * How many bytes the two reads ask for that are sent together. Only the read after the last bytes reports the end of the
 * file, so the second one saves a round trip.
 */
const firstReads = [maxSmallFileBytes - 1, 1];
const laterReads = [1_000_000, 1_000_000];

/** The paper size of the print command is in inches. */
const pxPerInch = 96;

/**
 * The margins are those of the document's `@page`. Without these, Chromium refuses paper of less than 76 pixels a side, because it
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
  /** Whether the PDF is certainly small enough for one message if it has fewer than `maxPagesInMessage` pages. */
  isSmall: boolean;
  /** The file is read up to this size. */
  maxBytes: number;
  /** A large file waits for its memory while the browser keeps it. */
  memory: OutputMemory;
};

/** Returns the bytes of the PDF, or more than `maxBytes` bytes of it if it is larger than that. */
export async function print(
  page: CDPSession,
  { paper, isTagged, maxPages, isSmall, maxBytes, memory }: PrintOptions,
): Promise<Bytes> {
  const command = {
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: isTagged,
    ...margins,
    paperWidth: paper.width / pxPerInch,
    paperHeight: (paper.height === "auto" ? maxAutoHeightPx : paper.height) / pxPerInch,
  };
  if (isSmall) {
    const pageRanges = `1-${maxPagesInMessage}`;
    const { data } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsBase64" });
    return decodeData(data);
  }
  const pageRanges = `1-${maxPages}`;
  const { stream } = await page.send("Page.printToPDF", { ...command, pageRanges, transferMode: "ReturnAsStream" });
  if (!stream) throw new Error("the browser returned no stream");
  return readStream(page, stream, { maxBytes, memory });
}

type Bytes = Uint8Array<ArrayBuffer>;

async function readStream(
  page: CDPSession,
  handle: string,
  { maxBytes, memory }: Pick<PrintOptions, "maxBytes" | "memory">,
): Promise<Bytes> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let eof = false; !eof && size <= maxBytes;) {
    const reads = size === 0 ? firstReads : laterReads;
    await memory.reserve(reads.reduce((sum, bytes) => sum + bytes, size));
    for (const chunk of await Promise.all(reads.map((maxLength) => readChunk(page, handle, maxLength)))) {
      chunks.push(chunk.bytes);
      size += chunk.bytes.length;
      eof = chunk.eof;
    }
  }
  page.send("IO.close", { handle }).catch(() => {}); // A page that is gone has already closed its streams.
  return Buffer.concat(chunks);
}

async function readChunk(page: CDPSession, handle: string, size: number): Promise<{ bytes: Uint8Array; eof: boolean }> {
  const { base64Encoded, data, eof } = await page.send("IO.read", { handle, size });
  return { bytes: base64Encoded ? decodeData(data) : new TextEncoder().encode(data), eof };
}
