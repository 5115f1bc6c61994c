import { expect, it } from "vitest";
import { dataSchema } from "../src/data-json-schema.ts";
import { scalarTypes } from "../src/template.ts";
import { field } from "../../../test/fixtures/tenant.ts";

const properties = (...fields: Parameters<typeof dataSchema>[0]) =>
  dataSchema(fields)["properties"] as Record<string, Record<string, unknown>>;

it("creates a JSON Schema (2020-12) for an object", () => {
  const schema = dataSchema([]);

  expect(schema).toEqual({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: {},
    required: [],
  });
});

it("lists exactly the required fields", () => {
  const schema = dataSchema([field("a", "string", { required: true }), field("b", "string")]);

  expect(schema["required"]).toEqual(["a"]);
});

it.each([
  ["string", { type: "string" }],
  ["text", { type: "string" }],
  ["number", { type: "number" }],
  ["integer", { type: "integer" }],
  ["boolean", { type: "boolean" }],
  ["date", { type: "string", format: "date" }],
  ["datetime", { type: "string", format: "date-time" }],
  ["image", { type: "string", format: "uri" }],
] as const)("describes a required %s field", (type, expected) => {
  const { f } = properties(field("f", type, { required: true }));

  expect(f).toEqual({ ...expected, title: "f" });
});

it.each([...scalarTypes, "object", "list"] as const)("lets an optional %s field be null", (type) => {
  const { f } = properties(field("f", type, { items: type === "list" ? "string" : undefined, fields: [] }));

  expect(f?.["type"]).toContain("null");
});

it("describes the items of a list of scalars", () => {
  const { f } = properties(field("f", "list", { items: "integer" }));

  expect(f?.["items"]).toEqual({ type: "integer" });
});

it("gives nested fields their own list of required fields", () => {
  const price = field("price", "number", { required: true });

  const { f } = properties(field("f", "list", { fields: [price] }));

  expect(f?.["items"]).toEqual({
    type: "object",
    properties: { price: { type: "number", title: "price" } },
    required: ["price"],
  });
});

it("includes the label, the description, the default and the example", () => {
  const full = field("f", "string", { label: "Currency", description: "ISO 4217", default: "EUR", example: "USD" });

  const { f } = properties(full);

  expect(f).toMatchObject({ title: "Currency", description: "ISO 4217", default: "EUR", examples: ["USD"] });
});

it("keeps a default of false", () => {
  const { f } = properties(field("f", "boolean", { default: false }));

  expect(f?.["default"]).toBe(false);
});
