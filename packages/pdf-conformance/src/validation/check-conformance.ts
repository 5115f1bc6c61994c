// Validates a finished file against PDF/A-2 and PDF/A-3, as far as its content depends on the document. What our writer does in the same way
// in every file, such as the syntax of objects, is not repeated here; veraPDF validates it in the tests.
import { forbidsAttachments, type Conformance } from "colophon-pdf/conformance";
import { openFinishedPdf, type FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { catalogOf, readPages, type Page } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import type { PdfDictionary } from "colophon-pdf/values";
import { problemList, type ConformanceProblem, type Report } from "../problem.ts";
import { checkContent } from "./content-rules.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf } from "./file.ts";
import { checkObjects } from "./object-rules.ts";

/**
 * Returns up to 20 problems, none if the file conforms. `boxFont` is the name of a font whose glyphs stand for characters without a glyph,
 * as the glyph `.notdef` does in other fonts. The tags of a file are not read.
 */
export function checkConformance(
  bytes: Uint8Array,
  conformance: readonly Conformance[],
  boxFont = ".notdef",
): ConformanceProblem[] {
  const isForArchives = conformance.some((name) => name !== "pdf/ua-1");
  const list = problemList(isForArchives ? null : clausesOfAccess);
  const isUnicode = conformance.some((name) => !name.endsWith("b"));
  const isTagged = conformance.some((name) => name.endsWith("a"));
  try {
    const file = openFinishedPdf(bytes);
    checkCatalog(file, forbidsAttachments(conformance) ? catalogKeys : keysWithAttachments, list.report);
    checkObjects(file, list.report);
    const rules = {
      file,
      isUnicode,
      isTagged,
      boxFont,
      report: list.report,
      checked: new Set<number>(),
      fonts: new Map(),
    };
    for (const [index, page] of readPages(file).entries()) {
      list.setPage(index + 1);
      checkPage(file, page, list.report);
      checkContent(rules, contentOf(file, page, list.report), dictionaryAt(file, page.dictionary.get("Resources")));
    }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    list.report("6.1.1-1", `The file cannot be validated: ${error.message}.`);
  }
  return list.problems();
}

/** What PDF/UA requires as well, in ISO 14289-1. */
const clausesOfAccess = new Map([
  ["6.1.1-1", "6.1"],
  ["6.2.11.4.1-1", "7.21.4.1-1"],
  ["6.2.11.7.2-1", "7.21.7-1"],
  ["6.2.11.7.2-2", "7.21.7-2"],
  ["6.2.11.8-1", "7.21.8-1"],
]);

const catalogKeys = new Set(
  "Type Pages Dests Outlines PageLabels MarkInfo StructTreeRoot Metadata OutputIntents ViewerPreferences Lang".split(
    " ",
  ),
);

const keysWithAttachments = new Set([...catalogKeys, "Names", "AF"]);

function checkCatalog(file: FinishedPdf, allowed: ReadonlySet<string>, report: Report): void {
  const catalog = catalogOf(file);
  if (!file.trailer.has("ID")) report("6.1.3-1", "The file has no identifier.");
  if (!streamOf(file, catalog.get("Metadata"))) report("6.6.2.1-1", "The file has no metadata.");
  if (listOf(file, catalog.get("OutputIntents")).length === 0) report("6.2.4.3-2", "The file has no output intent.");
  for (const key of catalog.keys())
    if (!allowed.has(key)) report("6.5.2-1", `The catalog has the entry ${key}, which is not supported.`);
}

/** In points. */
const [minSide, maxSide] = [3, 14_400];

function checkPage(file: FinishedPdf, { dictionary, box }: Page, report: Report): void {
  for (const side of [box.right - box.left, box.top - box.bottom])
    if (side < minSide || side > maxSide)
      report("6.1.13-11", `A side of the page is outside ${minSide} to ${maxSide} points.`);
  if (dictionary.has("AA")) report("6.5.2-2", "A page has an action.");
  const space = dictionaryAt(file, dictionary.get("Group")).get("CS");
  if (space !== undefined && !/^Device(RGB|Gray)$/.test(textOf(space)))
    report("6.2.4.3-3", "A page mixes its colours in a space that is not supported.");
  for (const annotation of listOf(file, dictionary.get("Annots")))
    checkAnnotation(file, dictionaryAt(file, annotation), report);
}

const print = 4;
const actions = new Set(["GoTo", "URI"]);

function checkAnnotation(file: FinishedPdf, annotation: PdfDictionary, report: Report): void {
  const action = annotation.has("A") ? textOf(dictionaryAt(file, annotation.get("A")).get("S")) : null;
  if (textOf(annotation.get("Subtype")) !== "Link") report("6.3.3-1", "An annotation has no appearance.");
  if (annotation.get("F") !== print) report("6.3.2-2", "An annotation is not printed.");
  if (annotation.has("AP")) report("6.3.3-2", "A link has an appearance, which is not supported.");
  if ((action !== null && !actions.has(action)) || annotation.has("AA"))
    report("6.5.1-1", "A link has an action that is not allowed.");
}

function contentOf(file: FinishedPdf, { dictionary }: Page, report: Report): Uint8Array {
  const contents = dictionary.get("Contents");
  const parts = streamOf(file, contents) ? [contents] : listOf(file, contents);
  const bytes = parts.flatMap((part) => {
    const stream = streamOf(file, part);
    const content = stream && decoded(file, stream);
    if (!content) report("6.1.7.2-1", "The content of a page cannot be read.");
    return content ? [content, Buffer.from("\n")] : [];
  });
  return bytes.length === 2 && bytes[0] ? bytes[0] : Buffer.concat(bytes);
}
