// Checks two rules for fields, which the manifest schema does not check. A key must be unique among the fields of the
// same level, and a default must be a valid value for its field.
import { foldFields } from "../fields.ts";
import { validateData } from "../validate-data.ts";
import type { Field } from "../template.ts";

type FieldProblem = { path: (string | number)[]; reason: string };

/**
 * Returns the problems of all fields. The problems of inner fields come before those of their parent. `path` is the
 * location of a problem in `template.json`.
 */
export function fieldProblems(fields: Field[]): FieldProblem[] {
  return foldFields<FieldProblem[]>(fields, ({ field, siblings, path, inner }) => {
    const at = path.join(".");
    const problems = inner.flat();
    if (siblings.find(({ key }) => key === field.key) !== field) {
      problems.push({ path: [...path, "key"], reason: `${at}: the key "${field.key}" is used twice` });
    }
    for (const message of defaultProblems(field)) {
      problems.push({ path: [...path, "default"], reason: `${at}.default: ${message}` });
    }
    return problems;
  }).flat();
}

function defaultProblems(field: Field): string[] {
  if (field.default === undefined || field.default === null) return [];
  const { mistyped, missing } = validateData([{ ...field, default: undefined }], { [field.key]: field.default });
  return [...mistyped, ...missing].map(({ message }) => message);
}
