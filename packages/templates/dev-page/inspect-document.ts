// Runs in the page with which `template test` reads documents: returns a document's text, and pictures of its pages with their
// differences from the expected pictures. The worker of pdf.js runs in the page itself, which does nothing else.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { getDocument, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { base64Bytes } from "colophon-base/encoding";
import type { Inspection, InspectionRequest, PagePicture } from "../src/testing/inspection.ts";
import { compare, newCanvas } from "./compare-pictures.ts";

const pdfStart = "data:application/pdf;base64,";
const pxPerPoint = 96 / 72;
/** A picture has one pixel per CSS pixel, or fewer if it would exceed this number. */
const maxPixels = 600_000;

Object.assign(globalThis, { inspectDocument });

async function inspectDocument(request: InspectionRequest): Promise<Inspection> {
  const { file, width, pages, expected } = request;
  if (file.startsWith(pdfStart)) return inspectPdf(request);
  if (pages !== "all" && !pages.includes(1)) return { texts: [], pictures: [] };
  const image = await imageOf(file);
  const canvas = canvasFor(width, (image.naturalHeight / image.naturalWidth) * width);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return { texts: [], pictures: [await pictureOf(expected[1], 1, canvas)] };
}

async function inspectPdf({ file, pages, expected }: InspectionRequest): Promise<Inspection> {
  const inspection: Inspection = { texts: [], pictures: [] };
  const data = base64Bytes(file.slice(pdfStart.length));
  const task = getDocument({ data, useWasm: false, enableXfa: false, verbosity: 0 });
  const pdf = await task.promise;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    inspection.texts.push(await textOfPage(page));
    if (pages !== "all" && !pages.includes(number)) continue;
    const { width, height } = page.getViewport({ scale: pxPerPoint });
    const canvas = canvasFor(width, height);
    await page.render({ canvas, viewport: page.getViewport({ scale: (pxPerPoint * canvas.width) / width }) }).promise;
    inspection.pictures.push(await pictureOf(expected[number], number, canvas));
  }
  await task.destroy();
  return inspection;
}

function canvasFor(width: number, height: number): HTMLCanvasElement {
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  return newCanvas(Math.ceil(width * scale), Math.ceil(height * scale));
}

/** `url` is the address of the picture to compare with. */
async function pictureOf(url: string | undefined, page: number, canvas: HTMLCanvasElement): Promise<PagePicture> {
  const difference = url === undefined ? null : compare(await imageOf(url).catch(() => null), canvas);
  return { page, actual: canvas.toDataURL(), difference };
}

async function imageOf(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}

type Item = { str: string; hasEOL: boolean };
/** `actualText` comes from our change to pdf.js (see inspector.ts): UTF-16 with a byte order mark, one character per byte. */
type Marker = { type: string; actualText?: string };

const rightToLeft = /[\p{Script=Arab}\p{Script=Hebr}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}]/u;

/** Returns the text of a PDF page in lines, as a reader sees it. */
async function textOfPage(page: PDFPageProxy): Promise<string> {
  const content = await page.getTextContent({ includeMarkedContent: true });
  const lines: string[][] = [[]];
  const add = (text: string) => lines.at(-1)?.push(text);
  /** The open markers. If a marker has a text, it replaces the glyphs inside. */
  const open: (string | undefined)[] = [];
  for (const item of content.items as unknown as (Item | Marker)[]) {
    if ("str" in item) {
      if (open.every((text) => text === undefined)) add(item.str);
      if (item.hasEOL) lines.push([]);
    } else if (item.type === "endMarkedContent") {
      // The text is not added at the beginning of the marker, because the end of the previous line comes afterwards.
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

/** Pieces come from left to right, and the text of each piece is in reading order. */
function readLine(pieces: string[]): string {
  return (pieces.some((piece) => rightToLeft.test(piece)) ? pieces.toReversed() : pieces).join("");
}
