import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Field } from "colophon-template-model/template";
import { validateData } from "colophon-template-model/validate-data";
import { inferFields } from "../../src/authoring/infer-fields.ts";

/** Returns each field as `key: type`, with `?` after the key if it is optional. */
function summaryOf(fields: Field[]): string[] {
  return fields.map(({ key, type, required, items, fields: inner }) => {
    const content = inner ? `(${summaryOf(inner).join(", ")})` : items ? `(${items})` : "";
    return `${key}${required ? "" : "?"}: ${type}${content}`;
  });
}

const inferred = (data: Record<string, unknown>) => summaryOf(inferFields(data).fields);
const notesOn = (data: Record<string, unknown>) =>
  inferFields(data).notes.map(({ path, message }) => `${path.join(".")}: ${message}`);

it.each([
  ["Ada", "string"],
  ["one\ntwo", "text"],
  [3, "number"],
  [0.5, "number"],
  ["19.00", "decimal"],
  ["-0.5", "decimal"],
  ["1900", "string"],
  ["1.2.3", "string"],
  [false, "boolean"],
  ["2026-11-22", "date"],
  ["2026-13-22", "string"],
  ["2026-11-22T09:30:00Z", "datetime"],
  ["data:image/png;base64,iVBORw0KGgo=", "image"],
  ["https://example.com/photos/1.JPG?w=3", "image"],
  ["https://example.com/about", "string"],
])("the value %j in sample data is inferred as a field of the type %s", (value, type) => {
  expect(inferred({ value })).toEqual([`value?: ${type}`]);
});

it("the fields inferred from sample data have the structure of its objects and lists", () => {
  const data = {
    customer: { name: "Ada", address: { city: "Utrecht" } },
    tags: ["a", "b"],
    items: [
      { name: "Pen", price: 2 },
      { name: "Ink", price: 9.5, note: "blue" },
    ],
  };

  expect(inferred(data)).toEqual([
    "customer?: object(name?: string, address?: object(city?: string))",
    "tags?: list(string)",
    "items?: list(name: string, price: number, note?: string)",
  ]);
});

it("the field inferred from values that are always null is an optional string", () => {
  const data = { a: null, items: [{ b: 1 }, { b: null }] };

  expect(inferred(data)).toEqual(["a?: string", "items?: list(b?: number)"]);
  expect(notesOn(data)).toEqual(["a: this value is always null, so its field became a string"]);
});

it("a field inferred from sample data is required only if there are several entries that all have a value", () => {
  const data = {
    one: [{ a: 1 }],
    many: [
      { a: 1, b: "x", c: "" },
      { a: 2, b: "y", c: "z" },
      { a: 0, b: "" },
    ],
  };

  expect(inferred(data)).toEqual(["one?: list(a?: number)", "many?: list(a: number, b?: string, c?: string)"]);
});

it("fields inferred from sample data have labels and short examples", () => {
  const { fields } = inferFields({
    dueDate: "2026-11-22",
    VATNumber: "NL1",
    first_name: "Ada",
    notes: "x".repeat(81),
  });

  expect(fields.map(({ label, example }) => [label, example])).toEqual([
    ["Due date", "2026-11-22"],
    ["VAT number", "NL1"],
    ["First name", "Ada"],
    ["Notes", undefined],
  ]);
});

it("data that no field can have is left out of the inferred fields, with a note", () => {
  const data = { "first name": "Ada", mixed: [1, "a"], empty: {}, nested: [[1]], items: [{ x: 1 }, { x: "1" }] };

  expect(inferred(data)).toEqual([]);
  expect(notesOn(data)).toEqual([
    "first name: `first name` is not a valid key of a field, and was left out",
    "mixed: `mixed` is a list whose items are not all objects or all of one simple type, and was left out",
    "empty: `empty` is an object without any field, and was left out",
    "nested: `nested` is a list whose items are not all objects or all of one simple type, and was left out",
    "items.0.x: `x` has values of different types, and was left out",
    "items: `items` is a list of objects without any field, and was left out",
  ]);
});

it("the items of an empty list are inferred as strings, with a note", () => {
  expect(inferred({ tags: [] })).toEqual(["tags?: list(string)"]);
  expect(notesOn({ tags: [] })).toEqual(["tags: this list is empty, so its items became strings"]);
});

it("the fields inferred from sample data accept that data", () => {
  const key = fc.string({ unit: fc.constantFrom("a", "b", "C", "_"), minLength: 1, maxLength: 2 });
  const { data } = fc.letrec((tie) => ({
    scalar: fc.oneof(fc.string(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
    value: fc.oneof({ maxDepth: 4 }, tie("scalar"), fc.array(tie("value"), { maxLength: 3 }), tie("data")),
    data: fc.dictionary(key, tie("value"), { maxKeys: 3, noNullPrototype: true }),
  }));

  fc.assert(
    fc.property(data, (sample) => {
      const { fields } = inferFields(sample as Record<string, unknown>);
      const { missing, mistyped } = validateData(fields, sample as Record<string, unknown>);
      expect([...missing, ...mistyped]).toEqual([]);
    }),
  );
});
