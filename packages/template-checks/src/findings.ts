// Converts between the findings of the checks, and the problems and warnings of a template folder.
import type { Finding } from "./finding.ts";
import type { FileWarning } from "colophon-template-model/template";
import type { FileProblem } from "colophon-template-model/template-files";

type Divided = { problems: FileProblem[]; warnings: FileWarning[] };

/** Divides findings into problems, with which a template is not stored, and warnings. With `lenient`, all are warnings. */
export function dividedFindings(findings: Finding[], { lenient = false }: { lenient?: boolean }): Divided {
  const problems: FileProblem[] = [];
  const warnings: FileWarning[] = [];
  for (const { severity, message, ...place } of findings) {
    if (severity === "error" && !lenient) problems.push({ ...place, reason: message });
    else warnings.push({ ...place, message });
  }
  return { problems, warnings };
}

/** Returns problems and warnings in one list, the problems first. */
export function allFindings({ problems = [], warnings = [] }: Partial<Divided>): Finding[] {
  return [
    ...problems.map(({ reason, ...place }): Finding => ({ severity: "error", ...place, message: reason })),
    ...warnings.map((warning): Finding => ({ severity: "warning", ...warning })),
  ];
}
