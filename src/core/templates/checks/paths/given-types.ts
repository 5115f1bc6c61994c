// The types of the names that a template file can read without setting them: the fields, `document` and `page`.
import { pageFacts } from "../../../rendering/margins/page-facts.ts";
import { foldFields } from "../../fields.ts";
import type { Field, FieldType } from "../../template.ts";
import { boolean, listOf, number, objectOf, string, type Properties, type Property, type ValueType } from "./value-type.ts";

/** `isMargin` is true for headers, footers and what they use; those can also read `page`. */
export function givenTypes(fields: Field[], isMargin: boolean): Properties {
  const given = new Map(propertiesOf(fields));
  addProperties(given, "document", documentType);
  if (isMargin) addProperties(given, "page", pageType);
  return given;
}

/** Returns those of the given types that every part can read. */
export function globalTypes(given: Properties, isMargin: boolean): Properties {
  const names = isMargin ? ["document", "page"] : ["document"];
  return new Map([...given].filter(([name]) => names.includes(name)));
}

function propertiesOf(fields: Field[]): Properties {
  return new Map(
    foldFields<[string, Property]>(fields, ({ field, inner }) => [field.key, { type: fieldType(field, new Map(inner)), fields: [field] }]),
  );
}

function fieldType({ type, items }: Field, properties: Properties): ValueType {
  if (type === "object") return { kind: "object", properties };
  if (type === "list") return listOf(items ? scalarType(items) : { kind: "object", properties });
  return scalarType(type);
}

function scalarType(type: Exclude<FieldType, "object" | "list">): ValueType {
  switch (type) {
    case "string":
    case "text":
      return { kind: "string", format: "text" };
    case "number":
    case "integer":
      return number;
    case "boolean":
      return boolean;
    case "date":
    case "datetime":
    case "image":
      return { kind: "string", format: type };
  }
}

type ObjectType = Extract<ValueType, { kind: "object" }>;

const documentType = objectOf({ id: string, createdAt: { kind: "string", format: "datetime" }, locale: string });
const pageType = objectOf(
  Object.fromEntries(
    Object.entries(pageFacts(1, [])[0] ?? {}).map(([name, value]) => [name, typeof value === "number" ? number : string]),
  ),
);

/** A field of the same name keeps those of its properties that the service does not set. */
function addProperties(given: Map<string, Property>, name: string, added: ObjectType): void {
  const field = given.get(name);
  const own = field?.type.kind === "object" ? field.type.properties : new Map<string, Property>();
  const isOther = field !== undefined && field.type.kind !== "object";
  const type: ValueType = isOther ? { kind: "unknown" } : { kind: "object", properties: new Map([...own, ...added.properties]) };
  given.set(name, { type, fields: field?.fields ?? [] });
}
