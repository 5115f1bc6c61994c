// Makes the file of an image. For a test, the page is captured without loss, and then a document of ours that shows the picture
// below the watermark. So neither the styles nor the data of the template can reach the mark.
import type { CDPSession } from "@cloudflare/puppeteer";
import { imageInfo } from "colophon-images/image-info";
import type { PagePreparation, PreparedPage } from "colophon-page/prepared-page";
import { sentFile } from "colophon-page/resolve-files";
import { watermarkColors, watermarkPlaces } from "colophon-pdf/watermark";
import { contentOf, type Content, type JobText, type PoolJob } from "../content/job-content.ts";
import { captureImage, imageHeight, type CaptureInput } from "./capture-image.ts";
import type { OutputMemory } from "./output-memory.ts";
import type { PageOutcome, RenderedFile } from "./page-outcome.ts";

export type ImageFileInput = CaptureInput & {
  /** Loads another document into the page. */
  prepare(job: PoolJob, memory: OutputMemory): Promise<{ preparation: PagePreparation }>;
};

export async function imageFile(page: CDPSession, input: ImageFileInput): Promise<PageOutcome> {
  if (!input.job.isTest) return captureImage(page, input);
  const loaded = await loadPicture(page, input);
  if (loaded.status !== "loaded") return loaded;
  const marked = await captureImage(page, { ...input, prepared: loaded.prepared });
  return marked.status === "rendered" ? { ...marked, ...loaded.about } : marked;
}

type Loaded = { status: "loaded"; prepared: PreparedPage; about: Omit<RenderedFile, "bytes"> };

/** This is a function of its own, so that the picture is no longer in memory when the marked one arrives. */
async function loadPicture(
  page: CDPSession,
  { prepare, ...input }: ImageFileInput,
): Promise<Loaded | Exclude<PageOutcome, { status: "rendered" }>> {
  const { job, prepared } = input;
  const untilMs = Date.now() + job.timeoutMs;
  const picture = await capturePicture(page, input);
  if (picture.status !== "rendered") return picture;
  const { status: _, bytes, ...about } = picture;
  const content = markedContent(bytes, { width: job.page.width, height: imageHeight(prepared) });
  const { preparation } = await prepare({ ...job, ...content, timeoutMs: untilMs - Date.now() }, input.memory);
  return preparation.status === "prepared" ? { status: "loaded", prepared: preparation.prepared, about } : preparation;
}

/** A picture that is too large without loss is captured as it would be without a mark, so that a test fails only if that fails. */
async function capturePicture(page: CDPSession, { job, memory, ...input }: CaptureInput): Promise<PageOutcome> {
  // The memory is needed for the second image, too.
  const kept: OutputMemory = { ...memory, release: () => {} };
  const lossless = { ...job, format: "png", imageQuality: null } as const;
  const picture = await captureImage(page, { ...input, job: lossless, memory: kept });
  if (picture.status === "rendered" || job.format === "png") return picture;
  return captureImage(page, { ...input, job, memory: kept });
}

type Size = { width: number; height: number };

/** Returns a document with one page of this size, in CSS pixels: the picture below the mark. */
function markedContent(picture: Uint8Array, size: Size): Content {
  const placeholder = `colophon-file-${crypto.randomUUID()}:0;`;
  const bytes = Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength);
  const uri = `data:image/${imageInfo(picture)?.type};base64,${bytes.toString("base64")}`;
  const box = `position:absolute;left:0;top:0;width:${size.width}px;height:${size.height}px`;
  const text: JobText = {
    head: `<!doctype html><html><head><style>body{margin:0}.page{${box}}img,svg{${box}}</style>`,
    content: `</head><body><div class="page"><img src="${placeholder}">${markSvg(size)}</div></body></html>`,
    ...{ css: "", marginContents: [], files: [sentFile({ placeholder, uri })], styleFiles: [] },
  };
  return contentOf(text, [{ placeholder, uri }]);
}

/**
 * The strokes of the word in hundredths of an em, around its centre. They are no text, because the fonts of the browser are not
 * the same everywhere.
 */
const strokes = [
  "M-124-31h54M-97-31V36", // T
  "M-8-31h-48V31h50M-56-1h44", // E
  "M56-16C54-26 46-31 33-31C19-31 11-25 11-16C11-5 22-3 34 0C47 3 57 6 57 16C57 26 47 31 34 31C20 31 10 25 9 14", // S
  "M70-31h54M97-31V36", // T
].join("");

function markSvg({ width, height }: Size): string {
  const { em, angle, centers } = watermarkPlaces(width, height);
  const turn = `rotate(${(-angle * 180) / Math.PI}) scale(${em / 100})`;
  const { ink, inkOpacity, outline, outlineOpacity } = watermarkColors;
  const drawn = (color: number[], opacity: number, strokeWidth: number) => {
    const rgb = color.map((part) => Math.round(part * 255)).join();
    const paths = centers.map(({ x, y }) => `<path d="${strokes}" transform="translate(${x} ${y}) ${turn}"/>`);
    return `<g fill="none" stroke="rgb(${rgb})" stroke-opacity="${opacity}" stroke-width="${strokeWidth}">${paths.join("")}</g>`;
  };
  const marks = drawn(outline, outlineOpacity, 12) + drawn(ink, inkOpacity, 10);
  return `<svg viewBox="0 0 ${width} ${height}">${marks}</svg>`;
}
