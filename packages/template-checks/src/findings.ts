// The problems and warnings about a template folder in one shape, for everything that lists them.
import type { FileWarning } from "colophon-template-model/template";
import type { FileProblem } from "colophon-template-model/template-files";

/**
 * A mistake at a place of a template folder. A template with an error is not stored; a warning is only shown. `file` is
 * the path inside the folder. `line` and `column` count from 1.
 */
export type Finding = { severity: "error" | "warning"; file: string; line: number; column?: number; message: string };

/** The findings that a check of one file reports. */
export type FileFinding = Omit<Finding, "file">;

/** Reports a mistake at a line. `severity` is `error` unless the mistake is uncertain or harmless. */
export type Report = (line: number, message: string, severity?: Finding["severity"]) => void;

/** The number of findings in one file that are listed. */
const maxFindings = 100;
/** The number of findings in all files after which the checks stop. A hostile template could have hundreds of thousands. */
const maxReports = 500;
/** A name or property that is copied is one unit of work, and takes up to 60 bytes. Ordinary templates need some thousands. */
const maxWork = 300_000;

/** How much more may be reported about a template, and how much more work its checks may do. */
export type CheckBudget = { reportsLeft: number; workLeft: number };

export function checkBudget(): CheckBudget {
  return { reportsLeft: maxReports, workLeft: maxWork };
}

/** Charges work before it is done. Returns whether it may be done; after the first refusal, all further work is refused. */
export function charge(budget: Pick<CheckBudget, "workLeft">, units: number): boolean {
  budget.workLeft = units > budget.workLeft ? 0 : budget.workLeft - units;
  return budget.workLeft > 0;
}

export type FindingCollector = { report: Report; findings: FileFinding[]; isFull(): boolean };

/**
 * Collects what the checks of one file report. The same message is listed once for each line. `isFull` says whether enough has been
 * reported, so that the checks may stop.
 */
export function findingCollector(budget: CheckBudget): FindingCollector {
  const findings: FileFinding[] = [];
  const seen = new Set<string>();
  const isFull = () => budget.reportsLeft <= 0 || budget.workLeft <= 0 || findings.length >= maxFindings;
  return {
    findings,
    isFull,
    report(line, message, severity = "error") {
      if (isFull()) return;
      budget.reportsLeft--;
      const key = `${line}:${message}`;
      if (seen.has(key)) return;
      seen.add(key);
      findings.push({ severity, line, message });
    },
  };
}

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
