// Refuses a finished PDF that violates the standard that its document asks for.
import { counted } from "colophon-base/counted";
import { checkConformance } from "colophon-pdf-conformance/check-conformance";
import type { Conformance } from "colophon-pdf/conformance";
import { impossible, type Impossible } from "./printed-file.ts";

/** Returns null if the file conforms. */
export function conformanceFailure(bytes: Uint8Array, conformance: readonly Conformance[]): Impossible | null {
  const problems = checkConformance(bytes, conformance);
  const [first] = problems;
  if (!first) return null;
  const place = first.page === undefined ? "" : `page ${first.page}: `;
  const others = problems.length > 1 ? ` And ${counted(problems.length - 1, "more problem")}.` : "";
  const message = `The document cannot conform to ${conformance.join(" and ")}: ${place}${first.message} (Clause ${first.clause}.)`;
  return { ...impossible(message + others), problems };
}
