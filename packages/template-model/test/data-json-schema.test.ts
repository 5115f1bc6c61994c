import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { dataSchema } from "../src/data-json-schema.ts";
import { scalarTypes } from "../src/template.ts";

const properties = (...fields: Parameters<typeof dataSchema>[0]) =>
  dataSchema(fields)["properties"] as Record<string, Record<string, unknown>>;

it("the fields of a template become a JSON Schema (2020-12) for an object", () => {
  const schema = dataSchema([]);

  expect(schema).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {},
    required: [],
  });
});
it("the JSON Schema describes a required field of each scalar type", () => {
  const found = properties(...scalarTypes.map((type) => field(type, type, { required: true })));

  expect(found).toEqual({
    string: { type: "string", title: "string" },
    text: { type: "string", title: "text" },
    number: { type: "number", title: "number" },
    integer: { type: "integer", title: "integer" },
    decimal: {
      type: ["string", "number"],
      pattern: "^-?(0|[1-9]\\d*)(\\.\\d+)?$",
      maxLength: 300,
      title: "decimal",
    },
    boolean: { type: "boolean", title: "boolean" },
    date: { type: "string", format: "date", title: "date" },
    datetime: { type: "string", format: "date-time", title: "datetime" },
    image: { type: "string", format: "uri", title: "image" },
  });
});

it.each([...scalarTypes, "object", "list"] as const)("an optional %s field may be null in the JSON Schema", (type) => {
  const { f } = properties(field("f", type, { items: type === "list" ? "string" : undefined, fields: [] }));

  expect(f?.["type"]).toContain("null");
});

it("the JSON Schema describes the items of a list of scalars", () => {
  const { f } = properties(field("f", "list", { items: "integer" }));

  expect(f?.["items"]).toEqual({ type: "integer" });
});

it("nested fields have their own list of required fields in the JSON Schema", () => {
  const price = field("price", "number", { required: true });

  const { f } = properties(field("f", "list", { fields: [price] }));

  expect(f?.["items"]).toEqual({
    type: "object",
    properties: { price: { type: "number", title: "price" } },
    required: ["price"],
  });
});

it("the JSON Schema contains the label, the description, the default and the example of a field", () => {
  const full = field("f", "boolean", { label: "Paid", description: "In full", default: false, example: true });

  const { f } = properties(full);

  expect(f).toMatchObject({ title: "Paid", description: "In full", default: false, examples: [true] });
});
