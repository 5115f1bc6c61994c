// Writes field definitions as authors write them in `template.json`.
import type { Field } from "colophon-template-model/template";

/** Returns the JSON of field definitions, one on each line. `indent` is the indentation of the line on which it begins. */
export function fieldsJson(fields: readonly Field[], indent = ""): string {
  const lines = fields.map((field) => `${indent}  ${fieldJson(field, `${indent}  `)}`);
  return lines.length === 0 ? "[]" : ["[", lines.join(",\n"), `${indent}]`].join("\n");
}

/** What a push would add by itself is left out. */
function fieldJson(field: Field, indent: string): string {
  const { key, label, type, required, description, fields, ...rest } = field;
  const json = onOneLine({
    key,
    ...(label === key ? {} : { label }),
    type,
    ...(required ? { required } : {}),
    ...rest,
    ...(description === "" ? {} : { description }),
  });
  return fields ? `${json.slice(0, -2)}, "fields": ${fieldsJson(fields, indent)} }` : json;
}

/** Returns JSON with a space after each comma and colon. Line breaks in texts are escaped, so none is lost. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
