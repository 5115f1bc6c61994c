// Checks two rules for fields, which the manifest schema does not check. A key must be unique among the fields at the
// same level, and a default or an example must be a valid value for its field.
import { imageProblems } from "../document-images.ts";
import { foldFields } from "../fields.ts";
import { validateData } from "../validate-data.ts";
import type { Field } from "../template.ts";

type FieldProblem = { path: (string | number)[]; reason: string };

/**
 * Returns the problems of all fields. The problems of inner fields come before their parent's. `path` is the
 * location of a problem in `template.json`.
 */
export function fieldProblems(fields: Field[]): FieldProblem[] {
  return foldFields<FieldProblem[]>(fields, ({ field, siblings, path, inner }) => {
    const at = path.join(".");
    const problems = inner.flat();
    if (siblings.find(({ key }) => key === field.key) !== field) {
      problems.push({ path: [...path, "key"], reason: `${at}: the key "${field.key}" is used twice` });
    }
    for (const property of ["default", "example"] as const) {
      for (const message of valueProblems(field, field[property])) {
        problems.push({ path: [...path, property], reason: `${at}.${property}: ${message}` });
      }
    }
    return problems;
  }).flat();
}

function valueProblems(field: Field, value: unknown): string[] {
  if (value === undefined) return [];
  const { mistyped, missing, data } = validateData([{ ...field, default: undefined }], { [field.key]: value });
  const wrong = [...mistyped, ...missing];
  if (wrong.length > 0) return wrong.map(({ message }) => message);
  return imageProblems(data.images).map(({ path, reason }) => `the image \`${path}\` cannot be used: ${reason}`);
}
