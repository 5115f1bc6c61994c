// Creates the file of an image. For a test document, captures the page losslessly, and then captures one of our own documents that
// shows that picture below the watermark. So neither the styles nor the data of the template can affect the mark.
import type { CDPSession } from "@cloudflare/puppeteer";
import { bufferOf } from "colophon-base/buffer";
import { imageInfo } from "colophon-images/image-info";
import type { PagePreparation, PreparedPage } from "colophon-page/prepared-page";
import { filePlaceholder, sentFile } from "colophon-page/resolve-files";
import {
  watermarkAngle,
  watermarkPath,
  watermarkPattern,
  watermarkShift,
  watermarkStrokes,
} from "colophon-pdf/watermark";
import { contentOf, type Content, type JobText, type PoolJob } from "../content/job-content.ts";
import type { PageOutcome, RenderedFile } from "../file-metadata.ts";
import { captureImage, imageHeight, type CaptureInput } from "./capture-image.ts";
import type { OutputMemory } from "./render-weight.ts";

export type ImageFileInput = CaptureInput & {
  /** Loads a different document into the page. */
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

/** This is a separate function, so that the picture is no longer in memory when the marked image arrives. */
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

/**
 * If the lossless picture is too large, it is captured as without a watermark, so a test document fails only if that capture
 * fails.
 */
async function capturePicture(page: CDPSession, { job, memory, ...input }: CaptureInput): Promise<PageOutcome> {
  // The memory is also needed for the second image.
  const heldMemory: OutputMemory = { ...memory, release: () => {} };
  const lossless = { ...job, format: "png", imageQuality: null } as const;
  const picture = await captureImage(page, { ...input, job: lossless, memory: heldMemory });
  if (picture.status === "rendered" || job.format === "png") return picture;
  return captureImage(page, { ...input, job, memory: heldMemory });
}

type Size = { width: number; height: number };

/** Returns a document with one page of this size, in CSS pixels: the picture below the mark. */
function markedContent(picture: Uint8Array, size: Size): Content {
  const placeholder = filePlaceholder(crypto.randomUUID(), 0);
  const uri = `data:image/${imageInfo(picture)?.type};base64,${bufferOf(picture).toString("base64")}`;
  const box = `position:absolute;left:0;top:0;width:${size.width}px;height:${size.height}px`;
  const text: JobText = {
    head: `<!doctype html><html><head><style>body{margin:0}.page{${box}}img,svg{${box}}</style>`,
    content: `</head><body><div class="page"><img src="${placeholder}">${markSvg(size)}</div></body></html>`,
    css: "",
    marginContents: [],
    files: [sentFile({ placeholder, uri })],
    styleFiles: [],
  };
  return contentOf(text, [{ placeholder, uri }]);
}

/** The words form a repeating pattern of three rows. Words on its edges are drawn at both edges. */
function markSvg({ width, height }: Size): string {
  const { em, column, row } = watermarkPattern(width, height, 96);
  const path = watermarkPath.replace(/([^mlc]+) ([mlc]) ?/g, (_, numbers, kind) => kind.toUpperCase() + numbers);
  const words = [-1, 0, 1, 2, 3].flatMap((line) =>
    [-1, 0, 1].map((at) => `<use href="#w" x="${(at - watermarkShift(line)) * column}" y="${line * row}"/>`),
  );
  const strokes = watermarkStrokes.map(({ color, opacity, width: strokeWidth }) => {
    const rgb = color.map((part) => Math.round(part * 255)).join();
    return `<path d="${path}" stroke="rgb(${rgb})" stroke-opacity="${opacity}" stroke-width="${strokeWidth}"/>`;
  });
  const turn = `rotate(${(-watermarkAngle * 180) / Math.PI}) scale(${em / 100} ${-em / 100})`;
  const origin = `x="${Math.round(width / 2)}" y="${Math.round(height / 2)}" width="${column}" height="${3 * row}"`;
  return (
    `<svg viewBox="0 0 ${width} ${height}"><defs><g id="w" fill="none"><g transform="${turn}">${strokes.join("")}</g></g>` +
    `<pattern id="p" patternUnits="userSpaceOnUse" ${origin}>${words.join("")}</pattern></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#p)"/></svg>`
  );
}
