// The JSON Schema (2020-12) of a template's `data`, for callers that validate or build forms before they render.
import type { Field, ScalarType } from "./template.ts";

export type JsonSchema = Record<string, unknown>;

const scalarSchemas: Record<ScalarType, JsonSchema> = {
  string: { type: "string" },
  text: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  datetime: { type: "string", format: "date-time" },
  image: { type: "string", format: "uri" },
};

export function dataSchema(fields: Field[]): JsonSchema {
  return { $schema: "https://json-schema.org/draft/2020-12/schema", ...objectSchema(fields) };
}

function objectSchema(fields: Field[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(fields.map((field) => [field.key, fieldSchema(field)])),
    required: fields.filter(({ required }) => required).map(({ key }) => key),
  };
}

function fieldSchema(field: Field): JsonSchema {
  return {
    ...nullable(valueSchema(field), field.required),
    title: field.label,
    ...(field.description ? { description: field.description } : {}),
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.example === undefined ? {} : { examples: [field.example] }),
  };
}

function valueSchema(field: Field): JsonSchema {
  if (field.type === "object") return objectSchema(field.fields ?? []);
  if (field.type !== "list") return scalarSchemas[field.type];
  return { type: "array", items: field.items ? scalarSchemas[field.items] : objectSchema(field.fields ?? []) };
}

/** `null` counts as absent, so an optional field takes it too. */
function nullable(schema: JsonSchema, required: boolean): JsonSchema {
  return required ? schema : { ...schema, type: [schema["type"], "null"] };
}
