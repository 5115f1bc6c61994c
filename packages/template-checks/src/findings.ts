// A common type for the problems and warnings about a template folder.
import type { FileWarning } from "colophon-template-model/template";
import type { FileProblem } from "colophon-template-model/template-files";

/**
 * A mistake in a template folder. A template with an error is not stored; a warning is only shown. `file` is the path inside
 * the folder. `line` and `column` count from 1.
 */
export type Finding = { severity: "error" | "warning"; file: string; line: number; column?: number; message: string };

/** The findings that a check of one file reports. */
export type FileFinding = Omit<Finding, "file">;

/**
 * Reports a mistake on a line. `severity` is `error` unless the mistake is uncertain or harmless. Reports with the same `kind` are one
 * finding; by default, they are equal warnings, or equal errors on one line.
 */
export type Report = (line: number, message: string, severity?: Finding["severity"], kind?: string) => void;

/** The maximum number of listed findings per file. */
const maxFindings = 100;
/** The total number of findings after which the checks stop. A hostile template could have hundreds of thousands. */
const maxReports = 500;
/** Copying a name or property is one unit of work, and takes up to 60 bytes. Ordinary templates need some thousands. */
const maxWork = 300_000;

/** The remaining number of reports about a template, and the remaining work of its checks. */
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
 * Collects the reports about one file. Repeated reports are one finding with their number. `isFull` says whether enough was reported, so
 * that the checks may stop.
 */
export function findingCollector(budget: CheckBudget): FindingCollector {
  const findings: FileFinding[] = [];
  const isRepeated = repeatCounter();
  const isFull = () => budget.reportsLeft <= 0 || budget.workLeft <= 0 || findings.length >= maxFindings;
  return {
    findings,
    isFull,
    report(line, message, severity = "error", kind = severity === "warning" ? message : "") {
      const finding: FileFinding = { severity, line, message };
      if (kind !== "" && isRepeated(kind, finding)) return;
      if (isFull()) return;
      budget.reportsLeft--;
      const isListed = kind === "" && findings.some((each) => each.line === line && each.message === message);
      if (!isListed) findings.push(finding);
    },
  };
}

/**
 * Returns a function that tells whether there was a finding of the same kind before. The first one of a kind gets the number of the others
 * in its message.
 */
export function repeatCounter(): (kind: string, finding: { message: string }) => boolean {
  const firsts = new Map<string, { finding: { message: string }; message: string; more: number }>();
  return (kind, finding) => {
    const first = firsts.get(kind);
    if (!first) firsts.set(kind, { finding, message: finding.message, more: 0 });
    else first.finding.message = `${first.message} (and ${++first.more} more)`;
    return first !== undefined;
  };
}

type Divided = { problems: FileProblem[]; warnings: FileWarning[] };

/** Splits findings into problems, which prevent storing the template, and warnings. With `lenient`, all are warnings. */
export function dividedFindings(findings: Finding[], { lenient = false }: { lenient?: boolean }): Divided {
  const problems: FileProblem[] = [];
  const warnings: FileWarning[] = [];
  for (const { severity, message, ...place } of findings) {
    if (severity === "error" && !lenient) problems.push({ ...place, reason: message });
    else warnings.push({ ...place, message });
  }
  return { problems, warnings };
}

/** Returns problems and warnings as one list, the problems first. */
export function allFindings({ problems = [], warnings = [] }: Partial<Divided>): Finding[] {
  return [
    ...problems.map(({ reason, ...place }): Finding => ({ severity: "error", ...place, message: reason })),
    ...warnings.map((warning): Finding => ({ severity: "warning", ...warning })),
  ];
}
