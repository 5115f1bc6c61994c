// Opens a rendered file. The pages of a PDF are painted from the file itself, so the view shows what a reader of the PDF
// would see, with headers, footers and page numbers.
import { getDocument, GlobalWorkerOptions, PDFWorker, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { contentTypeOf } from "../../core/documents/document.ts";
import { element } from "../dom.ts";
import type { DocumentPage, ShownDocument } from "./document-view.ts";

GlobalWorkerOptions.workerSrc = "/pdf.worker.js";
/** One worker for all documents, because starting one takes longer than painting a page. */
const worker = new PDFWorker();

const pxPerPoint = 96 / 72;
/** Browsers show no canvas above some size. A larger page is painted less sharply. */
const maxCanvasPixels = 16_000_000;

/** `width` and `height` are those of the first box of an image in CSS pixels. */
export async function openDocument(file: Blob, { width, height }: Size): Promise<ShownDocument> {
  return file.type === contentTypeOf("pdf") ? openPdf(await file.arrayBuffer()) : openImage(file, { width, height });
}

type Size = { width: number; height: number };

async function openImage(file: Blob, size: Size): Promise<ShownDocument> {
  const source = URL.createObjectURL(file);
  const image = element("img");
  image.alt = "The document";
  image.src = source;
  await image.decode();
  const heightPx = (image.naturalHeight / image.naturalWidth) * size.width;
  const page = { width: size.width, height: heightPx, paint: async () => image };
  return { pages: [page], close: () => URL.revokeObjectURL(source) };
}

async function openPdf(data: ArrayBuffer): Promise<ShownDocument> {
  // Without WebAssembly, which the content security policy of the page does not allow.
  const task = getDocument({ data, worker, useWasm: false, enableXfa: false });
  const opened = await task.promise;
  const numbers = Array.from({ length: opened.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map(async (number) => documentPage(await opened.getPage(number))));
  return { pages, close: () => void task.destroy() };
}

function documentPage(page: PDFPageProxy): DocumentPage {
  const { width, height } = page.getViewport({ scale: pxPerPoint });
  return {
    width,
    height,
    async paint(scale) {
      const wanted = scale * devicePixelRatio;
      const possible = Math.sqrt(maxCanvasPixels / (width * height));
      const viewport = page.getViewport({ scale: pxPerPoint * Math.min(wanted, possible) });
      const canvas = element("canvas");
      canvas.width = Math.max(1, Math.round(viewport.width));
      canvas.height = Math.max(1, Math.round(viewport.height));
      await page.render({ canvas, viewport }).promise;
      return canvas;
    },
  };
}
