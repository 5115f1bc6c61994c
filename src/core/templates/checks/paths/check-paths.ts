// Checks the Liquid of a template against its fields, and finds the fields that nothing reads.
import type { ParsedLiquid } from "../../../liquid/liquid.ts";
import { foldFields } from "../../fields.ts";
import type { Field } from "../../template.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { findingCollector, type FileFinding, type Finding } from "../finding.ts";
import { checkNodes, namesSet } from "./check-nodes.ts";
import { fileCheck, type NamesSet } from "./file-check.ts";
import { givenTypes } from "./given-types.ts";

export type CheckedLiquid = { findings: Finding[]; used: ReadonlySet<Field> };

/** `used` are the fields that the files may read. */
export function checkPaths(files: ParsedLiquid[], fields: Field[], assets: ReadonlySet<string>): CheckedLiquid {
  const used = new Set<Field>();
  const names = new Map(files.map(({ file, nodes }): [string, NamesSet] => [file, namesSet(nodes)]));
  const findings = files.flatMap(({ file, nodes }) => {
    const { report, isFull, findings } = findingCollector();
    const given = givenTypes(fields, file.startsWith("pages/") ? "page" : "margin");
    const otherFileSetting = (name: string) =>
      [...names].find(([other, set]) => other !== file && set.variables.has(name))?.[0] ?? null;
    const own = names.get(file) ?? namesSet([]);
    checkNodes(fileCheck(given, { file, report, isFull, names: own, otherFileSetting, assets, used }), nodes);
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
  return { findings, used };
}

/**
 * Returns a warning for each field that nothing reads. The fields inside an unused field are not named. `lineOf` returns the
 * line of a path in `template.json`.
 */
export function unusedFields(
  fields: Field[],
  used: ReadonlySet<Field>,
  lineOf: (path: (string | number)[]) => number,
): FileFinding[] {
  return foldFields<FileFinding[]>(fields, ({ field, path, inner }) => {
    if (used.has(field)) return inner.flat();
    const message = `the field ${quoted(field.key)} is not used in any page, header or footer`;
    return [{ severity: "warning", line: lineOf([...path, "key"]), message }];
  }).flat();
}
