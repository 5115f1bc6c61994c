// The JSON Schema (2020-12) of a template's `data`, for callers that validate data or build forms before they request a
// render.
import { maxDecimalChars } from "colophon-liquid/values";
import { foldFields, type FieldVisit } from "./fields.ts";
import type { Field, ScalarType } from "./template.ts";

export type JsonSchema = Record<string, unknown>;

const scalarSchemas: Record<ScalarType, JsonSchema> = {
  string: { type: "string" },
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  decimal: { type: ["string", "number"], pattern: "^-?(0|[1-9]\\d*)(\\.\\d+)?$", maxLength: maxDecimalChars },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  datetime: { type: "string", format: "date-time" },
  image: { type: "string", format: "uri" },
};

type Property = { key: string; required: boolean; schema: JsonSchema };

export function dataSchema(fields: Field[]): JsonSchema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    ...objectSchema(foldFields(fields, property)),
  };
}

function property({ field, inner }: FieldVisit<Property>): Property {
  const { key, required } = field;
  const schema = {
    ...nullable(valueSchema(field, inner), required),
    title: field.label,
    ...(field.description ? { description: field.description } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.example === undefined ? {} : { examples: [field.example] }),
  };
  return { key, required, schema };
}

function valueSchema(field: Field, inner: Property[]): JsonSchema {
  const { type, items, minItems, maxItems } = field;
  if (type === "object") return objectSchema(inner);
  if (type !== "list") return scalarSchema(field, type);
  const item = items ? scalarSchema(field, items) : objectSchema(inner);
  return { type: "array", items: item, ...defined({ minItems, maxItems }) };
}

/** JSON Schema compares only numbers with `minimum` and `maximum`, and decimals that are spelled differently are different values for it. */
function scalarSchema(
  { enum: values, pattern, minimum, maximum, minLength, maxLength }: Field,
  type: ScalarType,
): JsonSchema {
  const spelled = type === "decimal" ? values?.flatMap((value) => [String(value), Number(value)]) : values;
  const bounds = { minimum: minimum && Number(minimum), maximum: maximum && Number(maximum) };
  return { ...scalarSchemas[type], ...defined({ enum: spelled, pattern, ...bounds, minLength, maxLength }) };
}

function defined(properties: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(properties).filter(([, value]) => value !== undefined));
}

function objectSchema(properties: Property[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(properties.map(({ key, schema }) => [key, schema])),
    required: properties.filter(({ required }) => required).map(({ key }) => key),
  };
}

/** Makes the schema of an optional field also accept `null`, because `null` counts as absent. */
function nullable(schema: JsonSchema, required: boolean): JsonSchema {
  if (required) return schema;
  const values = schema["enum"];
  return {
    ...schema,
    type: [schema["type"], "null"].flat(),
    ...(Array.isArray(values) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}
