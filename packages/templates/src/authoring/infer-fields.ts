// Infers the fields of a template from sample data, as a first draft for `template.json`. A number becomes a `number` even
// if it is whole, because the next one may not be. A text becomes a `date`, `datetime` or `image` only if every value at its
// place is one, and a `decimal` only if one of these decimals has a point: digits alone are more often a code.
import { fieldKeyPattern } from "colophon-template-model/fields";
import { scalarTypeRules } from "colophon-template-model/scalar-types";
import type { Field, ScalarType } from "colophon-template-model/template";
import { isImageUri, isPlainObject } from "colophon-template-model/template-data";

type Path = (string | number)[];

/** `notes` name the values that were omitted or guessed. `path` is the location of the value in the data. */
export type InferredFields = { fields: Field[]; notes: { path: Path; message: string }[] };

/** A value of the data and its location. */
type Found = { value: unknown; path: Path };
type Shape = Pick<Field, "type" | "fields" | "items">;

const maxExampleChars = 80;

/** The data matches the fields, except for the values in the notes. */
export function inferFields(data: Record<string, unknown>): InferredFields {
  const notes: InferredFields["notes"] = [];
  return { fields: fieldsOf([{ value: data, path: [] }], notes), notes };
}

/**
 * Returns the union of the objects' fields. A key is required if there are several objects and all of them have a value for it; a single
 * object does not show which keys others will lack.
 */
function fieldsOf(objects: Found[], notes: InferredFields["notes"]): Field[] {
  const byKey = new Map<string, Found[]>();
  for (const { value, path } of objects) {
    for (const [key, inner] of Object.entries(isPlainObject(value) ? value : {})) {
      byKey.set(key, [...(byKey.get(key) ?? []), { value: inner, path: [...path, key] }]);
    }
  }
  return [...byKey].flatMap(([key, values]) => {
    const present = values.filter(({ value }) => value !== null);
    const shape = fieldKeyPattern.test(key) ? shapeOf(present, values, notes) : "is not a valid key of a field";
    if (typeof shape === "string") {
      const name = key.replace(/[.-]/g, "_");
      const rename = fieldKeyPattern.test(name) && name !== key ? `; write \`${name}\` in the data and the page` : "";
      notes.push({ path: values[0]?.path ?? [], message: `\`${key}\` ${shape}, and was left out${rename}` });
      return [];
    }
    const example = exampleOf(present, shape);
    const field: Field = {
      key,
      label: labelOf(key),
      type: shape.type,
      required: objects.length > 1 && present.filter(({ value }) => value !== "").length === objects.length,
      description: "",
    };
    return [{ ...field, ...(example === undefined ? {} : { example }), ...shape }];
  });
}

/** Returns the shape that all values have, or the reason why no field can have them. */
function shapeOf(present: Found[], all: Found[], notes: InferredFields["notes"]): Shape | string {
  if (present.length === 0) {
    notes.push({ path: all[0]?.path ?? [], message: "this value is always null, so its field became a string" });
    return { type: "string" };
  }
  const values = present.map(({ value }) => value);
  if (values.every(isPlainObject)) {
    const fields = fieldsOf(present, notes);
    return fields.length > 0 ? { type: "object", fields } : "is an object without any field";
  }
  if (values.every(Array.isArray)) return listShape(present, notes);
  return scalarShape(values) ?? "has values of different types";
}

function listShape(lists: Found[], notes: InferredFields["notes"]): Shape | string {
  const items = lists.flatMap(({ value, path }) =>
    (Array.isArray(value) ? value : []).map((item: unknown, index) => ({ value: item, path: [...path, index] })),
  );
  const values = items.map(({ value }) => value);
  if (values.length === 0) {
    notes.push({ path: lists[0]?.path ?? [], message: "this list is empty, so its items became strings" });
    return { type: "list", items: "string" };
  }
  if (values.every(isPlainObject)) {
    const fields = fieldsOf(items, notes);
    return fields.length > 0 ? { type: "list", fields } : "is a list of objects without any field";
  }
  const scalar = scalarShape(values);
  return scalar
    ? { type: "list", items: scalar.type }
    : "is a list whose items are not all objects or all of one simple type";
}

function scalarShape(values: unknown[]): { type: ScalarType } | null {
  const type = (["boolean", "number", "date", "datetime"] as const).find((candidate) =>
    values.every(scalarTypeRules[candidate].accepts),
  );
  if (type) return { type };
  const texts = values.filter((value) => typeof value === "string");
  if (texts.length < values.length) return null;
  if (texts.every(scalarTypeRules.decimal.accepts) && texts.some((text) => text.includes(".")))
    return { type: "decimal" };
  if (texts.every(isImage)) return { type: "image" };
  return { type: texts.some((text) => text.includes("\n")) ? "text" : "string" };
}

/** Returns whether the string is an image's `data:` URI, or an `https` URL whose path ends like an image's file name. */
function isImage(text: string): boolean {
  if (!scalarTypeRules.image.accepts(text)) return false;
  return isImageUri(text) || /\.(png|jpe?g|webp|gif|svg|avif)$/i.test(new URL(text).pathname);
}

/** Returns a short value of a scalar field as its example; undefined if there is none. */
function exampleOf([first]: Found[], { type }: Shape): unknown {
  const value = first?.value;
  if (type === "object" || type === "list" || value === "") return undefined;
  return typeof value === "string" && value.length > maxExampleChars ? undefined : value;
}

/** Returns the data without the values that no field describes, because a document would warn about them. */
export function dataOf(fields: readonly Field[], data: Record<string, unknown>): Record<string, unknown> {
  const described = fields.filter(({ key }) => Object.hasOwn(data, key));
  return Object.fromEntries(described.map((field) => [field.key, valueOf(field, data[field.key])]));
}

function valueOf(field: Field, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => valueOf(field, item));
  return field.fields && isPlainObject(value) ? dataOf(field.fields, value) : value;
}

/** Returns `Due date` for `dueDate`, `due_date` and `due-date`, and `VAT number` for `VATNumber`. */
export function labelOf(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[\s_-]+/);
  const lower = words.filter(Boolean).map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()));
  const label = lower.join(" ").slice(0, 200);
  return label === "" ? key.slice(0, 200) : label.replace(/^./, (first) => first.toUpperCase());
}
