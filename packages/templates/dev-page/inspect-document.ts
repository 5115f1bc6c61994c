// Runs in the page in which `template test` reads documents: returns the texts of a document and pictures of its pages, compared
// with those that are expected. The worker of pdf.js runs in the page itself, which has nothing else to do.
import "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { base64Bytes } from "colophon-base/encoding";
import type { Inspection, InspectionRequest, PagePicture } from "../src/testing/inspection.ts";
import { compare, newCanvas } from "./compare-pictures.ts";
import { textOfPage } from "./page-text.ts";

const pdfStart = "data:application/pdf;base64,";
const pxPerPoint = 96 / 72;
/** A picture has a pixel for each CSS pixel, and less than one if it would have more pixels than this. */
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

/** `url` is that of the picture to compare with. */
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
