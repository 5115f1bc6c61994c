// Images that `data` names by URL. The browser fetches nothing, and the Worker does not fetch them yet: each becomes an
// empty box and a warning, so that a document never fails for a picture.
import type { Field } from "../core/template.ts";
import { isPlainObject } from "../core/template-data.ts";

export function withoutRemoteImages(
  fields: Field[],
  data: Record<string, unknown>,
): { data: Record<string, unknown>; warnings: string[] } {
  const warnings: string[] = [];
  const emptied = (path: string, value: unknown): unknown => {
    if (typeof value !== "string" || !/^https:/i.test(value)) return value;
    warnings.push(`The image \`${path}\` was left empty: images by URL are not fetched; send a data: URI.`);
    return "";
  };
  const inObject = (fieldsHere: Field[], object: Record<string, unknown>, prefix: string): Record<string, unknown> => {
    const copy = { ...object };
    for (const field of fieldsHere) {
      if (Object.hasOwn(copy, field.key)) copy[field.key] = inValue(field, copy[field.key], prefix + field.key);
    }
    return copy;
  };
  const inValue = (field: Field, value: unknown, path: string): unknown => {
    if (field.type === "image") return emptied(path, value);
    if (field.type === "object" && isPlainObject(value)) return inObject(field.fields ?? [], value, `${path}.`);
    if (field.type !== "list" || !Array.isArray(value)) return value;
    return value.map((item: unknown, index) => {
      if (field.items === "image") return emptied(`${path}.${index}`, item);
      return isPlainObject(item) ? inObject(field.fields ?? [], item, `${path}.${index}.`) : item;
    });
  };
  return { data: inObject(fields, data, ""), warnings };
}
