// Shows the pages of a rendered file. The pages of a PDF are painted from the file itself. A new document replaces the old one in one step,
// after the visible pages have been painted, so nothing flickers and the scroll position stays. Other pages are painted when they become
// visible. style.css sets their size.
import { getDocument, GlobalWorkerOptions, PDFWorker, type PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs";
import { useEffect } from "preact/hooks";
import { contentTypeOf } from "colophon-page/document-format";
import { newCanvas } from "./compare-pictures.ts";

/** A page in its frame. `width` is in CSS pixels, and `paint` receives the number of screen pixels per CSS pixel. */
type ShownPage = { frame: HTMLElement; width: number; paint(scale: number): Promise<void> };
type ShownDocument = { pages: ShownPage[]; close(): void };

GlobalWorkerOptions.workerSrc = "/pdf.worker.js";
/** One worker for all documents, because starting a worker takes longer than painting a page. */
const worker = new PDFWorker();
const pxPerPoint = 96 / 72;
/** The maximum enlargement of a page to fit the view. */
const maxFit = 1.5;
/** Browsers do not display a canvas above a certain size. A larger page is painted less sharply. */
const maxCanvasPixels = 16_000_000;

let shown: ShownDocument = { pages: [], close: () => {} };
let observer: IntersectionObserver | undefined;

/** The area of the document. An empty zoom means fit to the view. */
export function DocumentPages({ zoom, isStale }: { zoom: string; isStale: boolean }) {
  useEffect(() => {
    const paint = () => paintOnSight(shown.pages);
    paint();
    addEventListener("resize", paint);
    return () => removeEventListener("resize", paint);
  }, [zoom]);
  const className = `${zoom === "" ? "fit" : ""} ${isStale ? "stale" : ""}`;
  return (
    <div id="viewer" tabIndex={0} aria-label="Document">
      <div id="pages" class={className} style={{ "--zoom": zoom || String(maxFit) }} />
    </div>
  );
}

/**
 * `width` is the width of an image in CSS pixels. Resolves when the file is displayed. If the signal is aborted before, changes nothing.
 */
export async function showDocument(file: Blob, width: number, signal: AbortSignal): Promise<void> {
  const opened = await (file.type === contentTypeOf("pdf")
    ? openPdf(await file.arrayBuffer())
    : openImage(file, width));
  const inView = opened.pages.filter((_, index) => isInView(shown.pages[index]?.frame, index));
  await Promise.all(inView.map((page) => page.paint(shownScale())));
  if (signal.aborted) return opened.close();
  document.getElementById("pages")?.replaceChildren(...opened.pages.map(({ frame }) => frame));
  shown.close();
  shown = opened;
  paintOnSight(opened.pages.filter((page) => !inView.includes(page)));
}

/** Resolves when the browser has painted the page's current content. */
export function painted(): Promise<void> {
  return new Promise((resolve) => {
    // A hidden tab paints nothing.
    if (document.hidden) return resolve();
    requestAnimationFrame(() => setTimeout(resolve));
  });
}

/** Returns the number of screen pixels per CSS pixel of the displayed document. */
function shownScale(): number {
  const [first] = shown.pages;
  return (first ? first.frame.clientWidth / first.width : 1) * devicePixelRatio;
}

/** Returns whether a page is visible if it replaces this frame. In the first document, the first two pages count as visible. */
function isInView(frame: HTMLElement | undefined, index: number): boolean {
  const view = viewer()?.getBoundingClientRect();
  if (!frame || !view) return index < 2;
  const { top, bottom } = frame.getBoundingClientRect();
  return bottom > view.top && top < view.bottom;
}

function viewer(): HTMLElement | null {
  return document.getElementById("viewer");
}

function paintOnSight(pages: ShownPage[]): void {
  observer?.disconnect();
  observer = new IntersectionObserver(
    (entries, own) => {
      for (const { target, isIntersecting } of entries) {
        if (!isIntersecting) continue;
        own.unobserve(target);
        // A replaced document can no longer be painted.
        pages
          .find(({ frame }) => frame === target)
          ?.paint(shownScale())
          .catch(() => {});
      }
    },
    { root: viewer(), rootMargin: "400px" },
  );
  for (const { frame } of pages) observer.observe(frame);
}

async function openImage(file: Blob, width: number): Promise<ShownDocument> {
  const image = new Image();
  image.alt = "The document";
  image.src = URL.createObjectURL(file);
  await image.decode();
  const frame = frameOf(1, width, (image.naturalHeight / image.naturalWidth) * width);
  frame.append(image);
  return { pages: [{ frame, width, paint: async () => {} }], close: () => URL.revokeObjectURL(image.src) };
}

async function openPdf(data: ArrayBuffer): Promise<ShownDocument> {
  // WebAssembly is off, because the page's content security policy forbids it.
  const task = getDocument({ data, worker, useWasm: false, enableXfa: false });
  const opened = await task.promise;
  const numbers = Array.from({ length: opened.numPages }, (_, index) => index + 1);
  const pages = await Promise.all(numbers.map(async (number) => pdfPage(await opened.getPage(number))));
  return { pages, close: () => void task.destroy() };
}

function pdfPage(page: PDFPageProxy): ShownPage {
  const { width, height } = page.getViewport({ scale: pxPerPoint });
  const frame = frameOf(page.pageNumber, width, height);
  return {
    frame,
    width,
    async paint(scale) {
      const possible = Math.sqrt(maxCanvasPixels / (width * height));
      const viewport = page.getViewport({ scale: pxPerPoint * Math.min(scale, possible) });
      const canvas = newCanvas(Math.max(1, Math.round(viewport.width)), Math.max(1, Math.round(viewport.height)));
      await page.render({ canvas, viewport }).promise;
      frame.replaceChildren(canvas);
    },
  };
}

function frameOf(number: number, width: number, height: number): HTMLElement {
  const frame = document.createElement("figure");
  Object.assign(frame, { className: "page", ariaLabel: `Page ${number}` });
  frame.style.setProperty("--width", `${width}px`);
  frame.style.aspectRatio = `${width} / ${height}`;
  return frame;
}
