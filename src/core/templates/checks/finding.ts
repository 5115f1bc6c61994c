// The problems and warnings about a template folder in one shape, for everything that lists them.

/**
 * What is wrong at a place of a template folder. A template with an error is not stored; a warning is only shown. `file` is
 * the path inside the folder. `line` and `column` count from 1.
 */
export type Finding = { severity: "error" | "warning"; file: string; line: number; column?: number; message: string };

/** What a check of one file reports. */
export type FileFinding = Omit<Finding, "file">;

/** Reports what is wrong at a line. `severity` is `error` unless the mistake is uncertain or harmless. */
export type Report = (line: number, message: string, severity?: Finding["severity"]) => void;

/** The number of findings in one file that are reported. */
const maxFindings = 100;

/** Collects what the checks of one file report. The same message is reported once for each line. */
export function findingCollector(): { report: Report; findings: FileFinding[] } {
  const findings: FileFinding[] = [];
  const seen = new Set<string>();
  return {
    findings,
    report(line, message, severity = "error") {
      const key = `${line}:${message}`;
      if (findings.length >= maxFindings || seen.has(key)) return;
      seen.add(key);
      findings.push({ severity, line, message });
    },
  };
}
