// The TypeScript type of a template's `data`, for callers whose compiler should check what they send. Texts of the template
// occur only in comments, and cannot end a comment or change how a terminal or an editor shows it.
import { foldFields, type FieldVisit } from "./fields.ts";
import type { Field, ScalarType, Template } from "./template.ts";

/** How a scalar type is written in TypeScript, and what a string must contain. */
const scalarTypes: Record<ScalarType, { type: string; format?: string }> = {
  string: { type: "string" },
  text: { type: "string", format: "Line breaks are kept." },
  number: { type: "number" },
  integer: { type: "number", format: "A whole number." },
  boolean: { type: "boolean" },
  date: { type: "string", format: "A date: YYYY-MM-DD." },
  datetime: { type: "string", format: "An RFC 3339 date and time, e.g. 2026-11-21T09:30:00Z." },
  image: { type: "string", format: "A `data:` URI of an image, or an `https` URL." },
};

/** Defaults and examples whose JSON is longer are left out. */
const maxValueLength = 120;

/** Returns a module that exports the type of the template's `data`. The type is called `name`. */
export function dataTypeModule({ id, version, manifest }: Template, name: string): string {
  const about = `The data of the template ${JSON.stringify(manifest.title)}, version ${version}. Its id is ${id}.`;
  const properties = foldFields(manifest.fields, property);
  return [...comment([about]), `export type ${name} = ${objectType(properties)};`, ""].join("\n");
}

/** Returns a name for the type, such as `ShippingLabel` for the title "Shipping label". */
export function dataTypeName(title: string): string {
  const words = title.normalize("NFC").match(/[\p{L}\p{Mn}\p{Mc}\p{Nd}]+/gu) ?? [];
  const name = words.map((word) => word.replace(/^./u, (first) => first.toUpperCase())).join("");
  if (name === "") return "TemplateData";
  return isTypeName(name) ? name : `Template${name}`;
}

/** Whether a type can have this name. Names of types that TypeScript has itself, such as `string`, are excluded. */
export function isTypeName(name: string): boolean {
  return /^[\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{Mn}\p{Mc}\p{Nd}_]*$/u.test(name);
}

/** Returns the lines of a property and its comment. */
function property({ field, inner }: FieldVisit<string[]>): string[] {
  const { key, required } = field;
  const type = valueType(field, inner);
  return [...comment(descriptionOf(field)), required ? `${key}: ${type};` : `${key}?: ${type} | null;`];
}

function valueType({ type, items }: Field, inner: string[][]): string {
  if (type === "object") return objectType(inner);
  if (type !== "list") return scalarTypes[type].type;
  return `${items ? scalarTypes[items].type : objectType(inner)}[]`;
}

/** Returns an object type with these properties. An object without fields allows none. */
function objectType(properties: string[][]): string {
  if (properties.length === 0) return "{ [key: string]: never }";
  const lines = properties.flat().join("\n").split("\n");
  return ["{", ...lines.map((line) => `  ${line}`), "}"].join("\n");
}

function descriptionOf({ key, label, description, default: standard, example, ...field }: Field): string[] {
  const texts = [label === key ? "" : label, description, formatOf(field)];
  return [...texts, tag("@default", standard), tag("@example", example)];
}

function formatOf({ type, items }: Pick<Field, "type" | "items">): string {
  if (type === "object") return "";
  if (type !== "list") return scalarTypes[type].format ?? "";
  const format = items && scalarTypes[items].format;
  return format === undefined ? "" : `Each item: ${format}`;
}

function tag(name: string, value: unknown): string {
  const json = value === undefined ? "" : JSON.stringify(value);
  return json !== "" && json.length <= maxValueLength ? `${name} ${json}` : "";
}

/** Returns a doc comment with a line for each line of the texts. */
function comment(texts: string[]): string[] {
  const lines = texts.flatMap((text) => text.split(/[\r\n\u2028\u2029]+/)).map(commentLine);
  const [first, ...more] = lines.filter((line) => line !== "");
  if (first === undefined) return [];
  return more.length === 0 ? [`/** ${first} */`] : ["/**", ...[first, ...more].map((line) => ` * ${line}`), " */"];
}

/**
 * Returns the line without control characters and without characters that change the order in which text is shown, and
 * with each end of a comment escaped.
 */
function commentLine(line: string): string {
  const visible = line.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}]+/gu, " ");
  return visible.replaceAll("*/", "*\\/").trim();
}
