// Visits the field definitions of a template. To visit data instead, see `validate-data.ts`.
import type { Field } from "./template.ts";

/** The form of a field's key. */
export const fieldKeyPattern = /^[A-Za-z_][A-Za-z0-9_]*$/;

export type FieldVisit<T> = {
  field: Field;
  siblings: Field[];
  /** The path of the field in `template.json`, e.g. `["fields", 0, "fields", 2]`. */
  path: (string | number)[];
  /** The results of the fields inside this one, in the order of their definitions; empty if there are none. */
  inner: T[];
};

/** Visits every field after the fields inside it, and returns the results of the top-level fields. */
export function foldFields<T>(
  fields: Field[],
  visit: (visited: FieldVisit<T>) => T,
  path: (string | number)[] = ["fields"],
): T[] {
  return fields.map((field, index) => {
    const here = [...path, index];
    const inner = foldFields(field.fields ?? [], visit, [...here, "fields"]);
    return visit({ field, siblings: fields, path: here, inner });
  });
}
