// Takes a damaged file the whole way from the browser's print to the validated file.
import { startAssembly } from "colophon-pdf/assemble-pdf";
import type { Conformance } from "colophon-pdf/conformance";
import { openPdf } from "colophon-pdf/open-pdf";
import { readPages } from "colophon-pdf/page-tree";
import { PdfError } from "colophon-pdf/pdf-error";
import { metadata } from "../../../pdf/test/inputs.ts";
import { correctBody, correctSheets } from "../../src/correct-body.ts";
import type { ConformanceProblem } from "../../src/problem.ts";
import type { MarkedElement } from "../../src/tags/tag-marks.ts";
import { checkConformance } from "../../src/validation/check-conformance.ts";
import { damaged, randomFrom } from "./damage.ts";

/** `elements` are those that the page has marked, and `sheet` is a print of headers and footers, which have no tags. */
export type Print = { bytes: Uint8Array; elements: MarkedElement[]; sheet: Uint8Array };

/** Where the damage is: in the print of the body or of headers and footers, or in the finished file. */
export type Place = "body" | "sheet" | "finished";

/** A refused file has the clauses that it violates, or a message why it cannot be read. */
export type Outcome = { accepted: Uint8Array; place: Place } | { refused: string };

const conformance: Conformance[] = ["pdf/a-2a", "pdf/ua-1"];

/** Throws for every other failure. */
export function outcomeOf(prints: readonly Print[], seed: number): Outcome {
  const random = randomFrom(seed);
  const print = prints[random(prints.length)];
  if (!print) throw new Error("there are no prints");
  const place = (["body", "finished", "sheet"] as const)[Math.floor(random(10) / 4)] ?? "body";
  try {
    if (place === "finished") return validated(damaged(assembled(print).bytes, "finished", random), [], place);
    const bytes = damaged(place === "body" ? print.bytes : print.sheet, "printed", random);
    const { bytes: finished, problems } = place === "body" ? assembled({ ...print, bytes }) : assembled(print, bytes);
    return validated(finished, problems, place);
  } catch (error) {
    if (error instanceof PdfError) return { refused: error.message };
    throw error;
  }
}

function assembled({ bytes, elements }: Print, sheet?: Uint8Array) {
  const body = openPdf(bytes);
  const corrected = correctBody(body, conformance, elements);
  const assembly = startAssembly({ body, corrected, conformance });
  const sheetFile = sheet && openPdf(sheet);
  const sheets = sheetFile && {
    file: sheetFile,
    ofPage: readPages(body).map(() => 0),
    parts: null,
    streams: correctSheets(sheetFile, conformance),
  };
  const finished = assembly.finish({ sheets: sheets ?? null, metadata, headings: [] });
  return { bytes: finished.bytes, problems: corrected?.problems ?? [] };
}

function validated(finished: Uint8Array, found: readonly ConformanceProblem[], place: Place): Outcome {
  const problems = [...found, ...checkConformance(finished, conformance)];
  for (const { clause, message } of problems)
    if (!/^\d[.-]\d/.test(clause) || message === "") throw new Error(`a problem has the clause ${clause}: ${message}`);
  return problems.length === 0
    ? { accepted: finished, place }
    : { refused: problems.map(({ clause }) => clause).join(" ") };
}
