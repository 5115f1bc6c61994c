// Decides whether a PDF is certainly small enough to arrive in one DevTools message. A message over 32 MiB silently
// breaks the connection of the whole session: the renders of all accounts on it then fail after a heartbeat's timeout. So
// a document counts as small only if nothing in it can make the PDF much larger than the document itself.
import type { PrintEstimate } from "../../../core/rendering/prepared-page.ts";
import type { RenderJob } from "../../../core/rendering/render-job.ts";

/**
 * A document that looks small is printed up to this page. 2,000 tagged elements (280 bytes each) on each of 20 pages make
 * 11 MB, which is 15 MB as base64.
 */
export const maxPagesInMessage = 20;
const maxElements = 2_000;
const maxEstimatedPages = 10;
const maxMarkupChars = 300_000;
/** The limit for the whole HTML. If the document shows an inlined file twice, the HTML contains it twice. */
const maxHtmlChars = 2_000_000;

/** Effects that a PDF stores as pixels. */
export const paintsPixels = /filter|turbulence|shadow|mask|blend|gradient|perspective|rotate/i;

/** Content that is drawn more often than it occurs in the markup: text from styles, repeated boxes, references, dashes. */
const multiplies =
  /[\s;{"']content\s*:|counters|quotes|list-style|@counter|marker|emphasis|hyphenate|text-overflow|attr\(|var\(--[^)]*\)\s*var\(|fixed|reflect|columns?\s*:|<use|pattern|dash|dotted|wavy|round|space|border-image|background-size|@property|\\/i;

export function isSmallPdf({ html, markupChars }: RenderJob, { elements, pages }: PrintEstimate): boolean {
  const isShort = elements <= maxElements && pages <= maxEstimatedPages;
  const hasLittleMarkup = markupChars <= maxMarkupChars && html.length <= maxHtmlChars;
  return isShort && hasLittleMarkup && !paintsPixels.test(html) && !multiplies.test(html);
}
