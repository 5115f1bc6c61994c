// Walks over the field definitions of a template. `validateData` walks over data along its fields.
import type { Field } from "./template.ts";

export type FieldVisit<T> = {
  field: Field;
  siblings: Field[];
  /** Where the field is in `template.json`, e.g. `["fields", 0, "fields", 2]`. */
  path: (string | number)[];
  /** The results of the fields inside this one, in order; empty for a field without any. */
  inner: T[];
};

/**
 * Visits every field in order, fields inside a field before the field itself. Returns the results of the top-level fields.
 */
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
