// Refuses a finished PDF that violates the standard that its document asks for.
import { counted } from "colophon-base/text";
import { missingGlyphFont, missingGlyphWarning } from "colophon-page/missing-glyph-font";
import { checkConformance } from "colophon-pdf-conformance/check-conformance";
import { maxProblems, type ConformanceProblem } from "colophon-pdf-conformance/problem";
import type { MarkedElement } from "colophon-pdf-conformance/tag-marks";
import type { Conformance } from "colophon-pdf/conformance";
import { destinationPages } from "colophon-pdf/destinations";
import type { PdfFile } from "colophon-pdf/open-pdf";
import { impossible, type Impossible } from "./printed-file.ts";

const missingGlyphClause = /^(?:6\.2\.11|7\.21)\.8-1$/;

const noTags = /^6\.(?:2-1|7\.)/;

type Found = { warnings: readonly string[]; problems: readonly ConformanceProblem[]; untagged: string | null };

/**
 * Returns null if the file conforms. `warnings` name the characters that no font has, and `problems` are those that
 * were found before. `untagged` is why the file was printed without tags.
 */
export function conformanceFailure(
  bytes: Uint8Array,
  conformance: readonly Conformance[],
  { warnings, problems: known, untagged }: Found,
): Impossible | null {
  const found = known.map((problem) => {
    const isAboutFile = problem.clause === "7.1" && problem.element === undefined;
    return isAboutFile && untagged !== null ? { ...problem, message: untagged } : problem;
  });
  const missing = warnings.filter((warning) => warning.startsWith(missingGlyphWarning)).join(" ");
  // The page knows the places of its problems, so the validator need not repeat them.
  const isFound = (clause: string) =>
    found.some((known) => clause.startsWith(`${known.clause}-`) || (known.clause === "7.1" && noTags.test(clause)));
  const ofContent = checkConformance(bytes, conformance, missingGlyphFont)
    .filter(({ clause }) => !isFound(clause))
    .map((problem) => {
      return missingGlyphClause.test(problem.clause) && missing ? { ...problem, message: missing } : problem;
    });
  const problems = [...found, ...ofContent].slice(0, maxProblems);
  const [first] = problems;
  if (!first) return null;
  const place = first.page === undefined ? "" : `page ${first.page}: `;
  const others = problems.length > 1 ? ` And ${counted(problems.length - 1, "more problem")}.` : "";
  const message = `The document cannot conform to ${conformance.join(" and ")}: ${place}${first.message} (Clause ${first.clause}.)`;
  return { ...impossible(message + others), problems };
}

/** Adds the pages of elements that cannot be tagged. */
export function withPages(elements: readonly MarkedElement[], file: PdfFile): readonly MarkedElement[] {
  if (elements.every(({ place }) => place === undefined)) return elements;
  const places = destinationPages(file);
  return elements.map((element) => {
    const page = element.place === undefined ? undefined : places.get(element.place);
    return page === undefined ? element : { ...element, page: page + 1 };
  });
}
