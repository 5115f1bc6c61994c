// Writes a page that shows every field of a template, and the field definitions in the form of `template.json`.
import type { Field, FieldType } from "colophon-template-model/template";

/** A table of objects with more properties does not fit on paper. */
const maxColumns = 6;

/** Names with a fixed meaning in Liquid, even if the data has such a key. */
const liquidNames = new Set(["true", "false", "nil", "null", "empty", "blank", "document"]);

/** `title` must not contain special characters of HTML or Liquid; labels and keys never do. */
export function draftPage(title: string, fields: readonly Field[]): string {
  const shownFields = fields.filter(({ key }) => !liquidNames.has(key));
  return [`<h1>${title}</h1>`, ...definitions(shownFields, "", 0), ""].join("\n");
}

/** `parent` precedes the keys in Liquid, such as `seller.`; `loops` is the number of enclosing loops. */
function definitions(fields: readonly Field[], parent: string, loops: number): string[] {
  const lines = fields.flatMap((field) => [
    `<dt>${field.label}</dt>`,
    ...(field.fields || field.items
      ? around("<dd>", valueOf(field, parent + field.key, loops), "</dd>")
      : [`<dd>${output(field.type, parent + field.key)}</dd>`]),
  ]);
  return around("<dl>", lines, "</dl>");
}

/** Returns the lines for an object or a list. */
function valueOf({ type, items, fields = [] }: Field, path: string, loops: number): string[] {
  if (type === "object") return definitions(fields, `${path}.`, loops);
  const item = loops === 0 ? "item" : `item${loops + 1}`;
  const loop = (lines: string[]) => around(`{% for ${item} in ${path} %}`, lines, "{% endfor %}");
  if (items) return around("<ul>", loop([`<li>${output(items, item)}</li>`]), "</ul>");
  const isTable = fields.length <= maxColumns && fields.every((field) => !field.fields && !field.items);
  if (!isTable) return loop(definitions(fields, `${item}.`, loops + 1));
  const heads = fields.map(({ label }) => `<th scope="col">${label}</th>`);
  const cells = fields.map(({ key, type: cell }) => `<td>${output(cell, `${item}.${key}`)}</td>`);
  const head = around("<thead>", [`<tr>${heads.join("")}</tr>`], "</thead>");
  const body = around("<tbody>", loop([`<tr>${cells.join("")}</tr>`]), "</tbody>");
  return around("<table>", [...head, ...body], "</table>");
}

function output(type: FieldType, path: string): string {
  if (type === "image") return `{% if ${path} %}<img src="{{ ${path} }}" alt="">{% endif %}`;
  const filters: Partial<Record<FieldType, string>> = {
    text: " | newline_to_br",
    number: " | number",
    date: ' | date: "long"',
    datetime: ' | date: "yMMMMdjm"',
  };
  return `{{ ${path}${filters[type] ?? ""} }}`;
}

function around(first: string, lines: string[], last: string): string[] {
  return [first, ...lines.map((line) => `  ${line}`), last];
}

/** Returns the JSON of field definitions, one per line. `indent` is the indentation of the first line. */
export function fieldsJson(fields: readonly Field[], indent = ""): string {
  const lines = fields.map((field) => `${indent}  ${fieldJson(field, `${indent}  `)}`);
  return lines.length === 0 ? "[]" : ["[", lines.join(",\n"), `${indent}]`].join("\n");
}

/** Properties that a push would add by itself are left out. */
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

/** Returns JSON with a space after each comma and colon. Line breaks in strings are escaped, so none is lost. */
function onOneLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/\n */g, " ");
}
