// Changes what the browser has printed, so that the finished file conforms to the standards that its document asks for.
import type { CorrectedBody } from "colophon-pdf/assemble-pdf";
import { hasTexts, isAccessible, type Conformance } from "colophon-pdf/conformance";
import type { PdfFile, PdfStream } from "colophon-pdf/open-pdf";
import { readPages } from "colophon-pdf/page-tree";
import type { ConformanceProblem } from "./problem.ts";
import { correctTags } from "./tags/correct-tags.ts";
import { placesOf } from "./tags/decoded-content.ts";
import { correctGlyphTexts } from "./tags/glyph-texts.ts";
import { paintedForms } from "./tags/marked-streams.ts";
import type { MarkedElement } from "./tags/tag-marks.ts";

/**
 * `elements` are those that the page has marked; see `markedLanguage`. `problems` are why the document cannot conform to the standards that
 * ask for tags. Returns null if nothing changes. Throws `PdfError` if the body is malformed.
 */
export function correctBody(
  body: PdfFile,
  conformance: readonly Conformance[],
  elements: readonly MarkedElement[],
): (CorrectedBody & { problems: ConformanceProblem[] }) | null {
  if (!isAccessible(conformance))
    return hasTexts(conformance) ? { file: body, late: null, streams: withTexts(body), problems: [] } : null;
  const { problems, ...corrected } = correctTags(body, elements);
  const isForAccess = conformance.includes("pdf/ua-1");
  return { ...corrected, problems: isForAccess ? problems : problems.filter(({ clause }) => clause === "7.1") };
}

/** Returns the streams to replace in the file of headers and footers, which have no tags. */
export function correctSheets(file: PdfFile, conformance: readonly Conformance[]): Map<number, PdfStream> {
  return hasTexts(conformance) ? withTexts(file) : new Map();
}

function withTexts(file: PdfFile): Map<number, PdfStream> {
  const pages = readPages(file);
  return correctGlyphTexts(file, placesOf(pages, paintedForms(file, pages)).values());
}
