// Validates a finished file against PDF/A-2, PDF/A-3 and PDF/UA-1. What our writer does in the same way in every file, such as the syntax of
// objects, is not repeated here; veraPDF validates it in the tests.
import { forbidsAttachments, hasTexts, isAccessible, type Conformance } from "colophon-pdf/conformance";
import { openFinishedPdf, type FinishedPdf } from "colophon-pdf/open-finished-pdf";
import { catalogOf, readPages, type Page } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import { isReference, type PdfValue } from "colophon-pdf/values";
import { problemList, type ConformanceProblem, type Report } from "../problem.ts";
import { checkAnnotation, checkTaggedAnnotation } from "./annotation-rules.ts";
import { clauseNames } from "./clauses.ts";
import { checkSpace, outputSpace } from "./colour-rules.ts";
import { checkContent, checkForm, type Rules } from "./content-rules.ts";
import { decoded, dictionaryAt, listOf, streamOf, textOf } from "./file.ts";
import { unmarked } from "./mark-rules.ts";
import { checkCatalog } from "./metadata-rules.ts";
import { checkObjects } from "./object-rules.ts";
import { checkIndex, checkTags } from "./tag-rules.ts";

/**
 * Returns up to 20 problems, none if the file conforms. `boxFont` is the name of a font whose glyphs stand for characters without a glyph,
 * as the glyph `.notdef` does in other fonts.
 */
export function checkConformance(
  bytes: Uint8Array,
  conformance: readonly Conformance[],
  boxFont = ".notdef",
): ConformanceProblem[] {
  return checkFile(() => openFinishedPdf(bytes), conformance, boxFont);
}

/** Checks the file that `open` returns, which may throw `PdfError`. */
export function checkFile(
  open: () => FinishedPdf,
  conformance: readonly Conformance[],
  boxFont: string,
): ConformanceProblem[] {
  const list = problemList(clauseNames(conformance));
  const { report } = list;
  try {
    const file = withObjects(open());
    const catalog = catalogOf(file);
    checkCatalog({ file, catalog, conformance, report });
    checkObjects(file, !forbidsAttachments(conformance), report);
    const [hasLanguage, spaces] = [catalog.has("Lang"), new Map<string, PdfValue>()];
    const tags = isAccessible(conformance) ? checkTags(file, hasLanguage, report) : null;
    const output = outputSpace(file, catalog.get("OutputIntents"), report);
    const shared = { file, report, boxFont, isUnicode: hasTexts(conformance), hasLanguage, tags, output, spaces };
    const rules = { ...shared, canBlend: true, checked: new Set<number>(), fonts: new Map() };
    for (const [index, page] of readPages(file).entries()) {
      list.setPage(index + 1);
      checkPage(rules, page);
    }
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    report("6.1.1-1", `The file cannot be validated: ${error.message}.`);
  }
  return list.problems();
}

/** Returns the file with each object parsed once. */
function withObjects(file: FinishedPdf): FinishedPdf {
  const values: PdfValue[] = [];
  const object = (number: number) => (values[number] ??= file.object(number));
  return { ...file, object, resolve: (value) => (isReference(value) ? object(value.number) : (value ?? null)) };
}

/** In points. */
const [minSide, maxSide] = [3, 14_400];

function checkPage(rules: Rules, page: Page): void {
  const { file, report, tags, hasLanguage } = rules;
  const { dictionary, box } = page;
  // What a page inherits is not beside it.
  const resources = dictionaryAt(file, dictionary.get("Resources"));
  for (const side of [box.right - box.left, box.top - box.bottom])
    if (side < minSide || side > maxSide)
      report("6.1.13-11", `A side of the page is outside ${minSide} to ${maxSide} points.`);
  if (dictionary.has("AA")) report("6.5.2-2", "A page has an action.");
  const space = dictionaryAt(file, dictionary.get("Group")).get("CS");
  const canBlend = rules.output !== "" || space !== undefined;
  const forPage = { ...rules, canBlend, spaces: dictionaryAt(file, resources.get("ColorSpace")) };
  if (space !== undefined) checkSpace(forPage, space);
  const annotations = listOf(file, dictionary.get("Annots"));
  for (const annotation of annotations) {
    const entries = dictionaryAt(file, annotation);
    checkAnnotation(file, entries, report);
    const appearance = dictionaryAt(file, entries.get("AP")).get("N");
    for (const state of [appearance, ...dictionaryAt(file, appearance).values()]) {
      const form = streamOf(file, state);
      if (form) checkForm(forPage, form, null);
    }
    if (tags) checkTaggedAnnotation({ file, tags, hasLanguage, report }, annotation, box);
  }
  if (annotations.length > 0 && textOf(dictionary.get("Tabs")) !== "S")
    report("7.18.3-1", "The links of a page are not in the order of its tags.");
  const key = dictionary.get("StructParents");
  if (tags) checkIndex(file, tags, page.number, key, report);
  checkContent(forPage, contentOf(file, page, report), resources, { mark: unmarked, key });
}

function contentOf(file: FinishedPdf, { dictionary }: Page, report: Report): Uint8Array {
  const contents = dictionary.get("Contents");
  const parts = streamOf(file, contents) ? [contents] : listOf(file, contents);
  const bytes = parts.flatMap((part) => {
    const stream = streamOf(file, part);
    const content = stream && decoded(file, stream);
    if (!content) report("6.1.1-1", "The content of a page cannot be read.");
    return content ? [content, Buffer.from("\n")] : [];
  });
  return bytes.length === 2 && bytes[0] ? bytes[0] : Buffer.concat(bytes);
}
