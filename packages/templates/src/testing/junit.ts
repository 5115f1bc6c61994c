// The results of test cases as JUnit XML, which CI services show.
import { escapeMarkup } from "./report.ts";
import type { CaseResult } from "./run-case.ts";

export function junitXml(results: CaseResult[]): string {
  const cases = results.map(({ folder, name, failures, durationMs }) => {
    const names = `classname="${escapeMarkup(folder)}" name="${escapeMarkup(name)}"`;
    const start = `<testcase ${names} time="${(durationMs / 1_000).toFixed(3)}"`;
    if (failures.length === 0) return `${start}/>`;
    const texts = failures.map(escapeMarkup);
    return `${start}><failure message="${texts[0]}">${texts.join("\n")}</failure></testcase>`;
  });
  const failed = results.filter(({ failures }) => failures.length > 0).length;
  const suite = `<testsuite name="templates" tests="${results.length}" failures="${failed}">`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', suite, ...cases, "</testsuite>", ""].join("\n");
}
