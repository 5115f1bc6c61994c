// The standard types of tags of PDF 1.7, and the map from other types to these.
import type { PdfDictionary } from "colophon-pdf/values";
import type { Report } from "../problem.ts";
import { textOf } from "./file.ts";

export const standardTypes = new Set(
  (
    "Document Part Art Sect Div BlockQuote Caption TOC TOCI Index NonStruct Private P H H1 H2 H3 H4 H5 H6 L LI Lbl LBody Table TR TH TD " +
    "THead TBody TFoot Span Quote Note Reference BibEntry Code Link Annot Ruby RB RT RP Warichu WT WP Figure Formula Form"
  ).split(" "),
);

/** Returns the function that finds the standard type for a type; an empty string if there is none. */
export function typeReader(map: PdfDictionary, report: Report): (type: string) => string {
  const known = new Map<string, string>();
  const find = (type: string): string => {
    if (standardTypes.has(type) && map.has(type))
      report("6.7.3.4-3", `The standard type ${type} is mapped to a different one.`);
    const passed = new Set<string>();
    for (let next = type; ; next = textOf(map.get(next))) {
      if (standardTypes.has(next)) return next;
      if (passed.has(next)) report("6.7.3.4-2", `The type ${type} is mapped to itself.`);
      else if (!map.has(next)) report("6.7.3.4-1", `The type ${type} is not mapped to a standard type.`);
      if (passed.has(next) || !map.has(next)) return "";
      passed.add(next);
    }
  };
  return (type) => {
    const standard = known.get(type) ?? find(type);
    known.set(type, standard);
    return standard;
  };
}
