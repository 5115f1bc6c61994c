// Decides whether a file is certainly small enough to arrive in one DevTools message. A message over 32 MiB silently
// breaks the connection of the whole session: the renders of all accounts on it then fail after a heartbeat's timeout. So
// a document counts as small only if nothing in it can make the PDF much larger than the document itself. How large an image
// can become follows from its pixels.
import type { ImageFormat } from "../../../core/documents/document.ts";
import { isLossless, maxBytesPerPixel } from "../../../core/rendering/image-size.ts";
import type { PreparedPage, PrintEstimate } from "../../../core/rendering/prepared-page.ts";
import type { SentFile } from "../../../core/rendering/document/resolve-files.ts";
import type { RenderJob } from "../../../core/rendering/render-job.ts";
import { maxSmallFileBytes } from "../output-memory.ts";
import type { JobText, PoolJob } from "../../../platform/rendering/job-content.ts";

/**
 * A document that looks small is printed up to this page. 2,000 tagged elements on each of 20 pages make 11 MB, which is 15 MB
 * as base64.
 */
export const maxPagesInMessage = 20;
const bytesPerTag = 280;
const maxElements = 2_000;
const maxEstimatedPages = 10;
const maxMarkupChars = 300_000;
/** The limit for the whole HTML with its files. If the document shows a file twice, the HTML contains it twice. */
const maxHtmlChars = 2_000_000;

/** Effects that a PDF stores as pixels. */
const paintsPixels = /filter|turbulence|shadow|mask|blend|gradient|perspective|rotate/i;

/** Content that is drawn more often than it occurs in the markup: text from styles, repeated boxes, references, dashes. */
const multiplies = new RegExp(
  [
    /[\s;{"']content\s*:|counters|quotes|list-style|@counter|marker|emphasis|hyphenate|attr\(|var\(--[^)]*\)\s*var\(/,
    /fixed|reflect|<use|pattern|dash|dotted|wavy|border-image|background-size|@property|\\/,
    // Many templates use these words in a harmless way: `ellipsis`, `grid-template-columns`, `background`, `white-space`.
    /text-overflow(?!\s*:\s*(?:ellipsis|clip)\b)|(?<!grid-|grid-template-)columns?\s*:/,
    /(?<!backg|space-a)round|(?<!white-)space(?!-(?:all|between|around|evenly))/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "i",
);

/** Files, in which the words above mean nothing. */
const base64Files = /;base64,[\w+/=]*/g;

/** Enough for a page of A4 with three pixels for each CSS pixel. */
const maxImageBytes = 15_000_000;

type ImageJob = PoolJob & { format: ImageFormat };
type Sized = Pick<PreparedPage, "print" | "boxHeights">;
type JobSize = Pick<RenderJob, "markupChars" | "inlinedChars">;

/**
 * Returns how many bytes the file has at most, if nothing in the document can make it large; null otherwise. For a PDF, this
 * holds only if it has few pages.
 */
export function maxBytesInMessage(job: PoolJob, text: JobText, prepared: Sized): number | null {
  if (job.format !== "pdf") return maxImageBytesInMessage({ ...job, format: job.format }, text, prepared);
  const { print } = prepared;
  if (!print || !isSmallPdf(job, text, print)) return null;
  return print.elements * bytesPerTag * maxPagesInMessage + job.markupChars + job.inlinedChars;
}

export function isSmallPdf(job: JobSize, text: JobText, { elements, pages }: PrintEstimate): boolean {
  // The head contains only the service's own styles, which draw nothing more often.
  const html = [text.css, text.content, ...text.marginContents.map(({ markup }) => markup)].join("\n");
  const isShort = elements <= maxElements && pages <= maxEstimatedPages;
  const hasLittleMarkup =
    job.markupChars <= maxMarkupChars && text.head.length + html.length + job.inlinedChars <= maxHtmlChars;
  // A file that is not base64 is text, in which the words below mean something.
  const isText = ({ type }: SentFile) => !/;\s*base64\s*$/i.test(type);
  if (!isShort || !hasLittleMarkup || text.files.some(isText)) return false;
  const markup = html.replaceAll(base64Files, "");
  return !paintsPixels.test(markup) && !multiplies.test(markup);
}

/** Even text takes up to 0.75 bytes a pixel in a JPEG, so only the pixels of such an image say how large it can become. */
function maxImageBytesInMessage(job: ImageJob, text: JobText, { boxHeights }: Sized): number | null {
  if (isLossless(job)) return compressesWell(text) ? maxSmallFileBytes : null;
  const pixels = job.deviceScaleFactor ** 2 * job.page.width * boxHeights.reduce((sum, height) => sum + height, 0);
  const bytes = Math.ceil(pixels * maxBytesPerPixel(job));
  return bytes <= maxImageBytes ? bytes : null;
}

/**
 * Returns false for a document with pictures or effects, because they may not compress well. Text and shapes compress
 * well at any size.
 */
function compressesWell({ head, css, content, files, styleFiles }: JobText): boolean {
  const showsImage = [...files, ...styleFiles].some(({ type }) => /^data:image/i.test(type));
  return (
    !showsImage && [head, css, content].every((part) => !/data:image|<svg/i.test(part) && !paintsPixels.test(part))
  );
}
