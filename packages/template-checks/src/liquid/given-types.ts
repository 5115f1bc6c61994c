// The types of the names that a template file can read without setting them: the fields, `data`, `document` and `page`.
import { pageInfo } from "colophon-template-model/page-info";
import { foldFields } from "colophon-template-model/fields";
import type { Field, FieldType } from "colophon-template-model/template";
import { boolean, listOf, number, objectOf, string, unknown, type Properties, type ValueType } from "./value-type.ts";

/**
 * `pageValues` are the names of the values that elements set on their pages. It is null for page files and what they use:
 * only headers, footers and what they use can read `page`.
 */
export function givenTypes(fields: Field[], pageValues: readonly string[] | null): Properties {
  const given = new Map(
    foldFields<[string, ValueType]>(fields, ({ field, inner }) => [field.key, fieldType(field, new Map(inner))]),
  );
  if (!given.has("data")) given.set("data", { kind: "object", properties: new Map(given) });
  given.set("document", withField(documentType, given.get("document")));
  if (pageValues) given.set("page", withField(pageType(pageValues), given.get("page")));
  return given;
}

/** Returns the given types that every part can read. */
export function globalTypes(given: Properties, isMargin: boolean): Properties {
  return new Map((isMargin ? ["document", "page"] : ["document"]).map((name) => [name, given.get(name) ?? unknown]));
}

function fieldType({ type, items }: Field, properties: Properties): ValueType {
  if (type === "object") return { kind: "object", properties };
  if (type === "list") return listOf(items ? scalarType(items) : { kind: "object", properties });
  return scalarType(type);
}

function scalarType(type: Exclude<FieldType, "object" | "list">): ValueType {
  if (type === "number" || type === "integer") return number;
  if (type === "boolean") return boolean;
  return type === "string" || type === "text" ? string : { kind: "string", format: type };
}

const documentType = objectOf({ id: string, createdAt: { kind: "string", format: "datetime" }, locale: string });
const pageProperties = Object.entries(pageInfo(1, [])[0] ?? {}).map(([name, value]) => [
  name,
  typeof value === "number" ? number : string,
]);

function pageType(valueNames: readonly string[]): ValueType {
  const value = objectOf({ first: unknown, last: unknown, start: unknown });
  const values = objectOf(Object.fromEntries(valueNames.map((name) => [name, value])));
  return objectOf({ ...Object.fromEntries(pageProperties), values });
}

/** A field of the same name keeps the properties that the service does not set. */
function withField(own: ValueType, field: ValueType | undefined): ValueType {
  if (!field) return own;
  if (own.kind !== "object" || field.kind !== "object") return unknown;
  return { kind: "object", properties: new Map([...field.properties, ...own.properties]) };
}
