import { describe, expect, it } from "vitest";
import { missingField } from "../../../src/core/errors.ts";
import { checkData, isDeeperThan, maxDataDepth } from "../../../src/core/templates/template-data.ts";
import type { FieldType } from "../../../src/core/templates/template.ts";
import { field } from "../../fixtures/tenant.ts";

const pixel = "data:image/png;base64,iVBORw0KGgo=";

const accepted: [FieldType, unknown[]][] = [
  ["string", ["x", "", "<b>", "0"]],
  ["text", ["two\nlines", ""]],
  ["number", [0, -1.5, 1e300]],
  ["integer", [0, -7, 2 ** 53 - 1]],
  ["boolean", [true, false]],
  ["date", ["2026-11-21", "2024-02-29"]],
  ["datetime", ["2026-11-21T09:30:00Z", "2026-11-21T09:30:00.123+05:30", "2026-11-21t09:30:00z"]],
  ["image", [pixel, "data:image/svg+xml,<svg/>", "https://example.com/a.png"]],
];

const refused: [FieldType, unknown[]][] = [
  ["string", [1, true, [], {}]],
  ["text", [1, false, ["x"]]],
  ["number", ["1", Number.NaN, Number.POSITIVE_INFINITY, true]],
  ["integer", [1.5, "1", 2 ** 53]],
  ["boolean", ["true", 0, 1]],
  ["date", ["2026-02-29", "2026-13-01", "21.11.2026", "2026-11-21T00:00:00Z", 20261121, ""]],
  ["datetime", ["2026-11-21", "2026-11-21T09:30:00", "2026-02-30T09:30:00Z", "2026-11-21T24:00:00Z", 0]],
  ["image", ["http://example.com/a.png", "logo.png", "data:text/html,<b>", "javascript:alert(1)", "https://"]],
  ["object", ["x", [], 1]],
];

const one = (type: FieldType) => [field("f", type)];

describe("checkData", () => {
  it.each(accepted.flatMap(([type, values]) => values.map((value) => [type, value] as const)))(
    "takes %s %j as it is",
    (type, value) => {
      const check = checkData(one(type), { f: value });

      expect(check).toEqual({ data: { f: value }, missing: [], mistyped: [], unnamed: 0, warnings: [] });
    },
  );

  it.each(refused.flatMap(([type, values]) => values.map((value) => [type, value] as const)))(
    "refuses for %s the value %j",
    (type, value) => {
      const { mistyped } = checkData(one(type), { f: value });

      expect(mistyped.map(({ path }) => path)).toEqual(["data.f"]);
    },
  );

  it("says what was expected and what was given", () => {
    const { mistyped } = checkData([field("price", "number")], { price: "12" });

    expect(mistyped[0]?.message).toBe('`price` must be a number, got the string "12".');
  });

  it("quotes only the beginning of a long value", () => {
    const { mistyped } = checkData(one("date"), { f: "x".repeat(100_000) });

    expect(mistyped[0]?.message.length).toBeLessThan(120);
  });

  it("names a missing field in a list item by its path", () => {
    const items = field("items", "list", { fields: [field("price", "number", { required: true })] });
    const data = { items: [{ price: 1 }, { price: 2 }, { price: 3 }, {}] };

    const { missing } = checkData([items], data);

    expect(missing).toEqual([{ path: "data.items.3.price", message: "`items.3.price` is required." }]);
  });

  it("names a value of the wrong type deep inside by its path", () => {
    const seller = field("seller", "object", { fields: [field("lines", "list", { items: "string" })] });

    const { mistyped } = checkData([seller], { seller: { lines: ["a", 2] } });

    expect(mistyped.map(({ path }) => path)).toEqual(["data.seller.lines.1"]);
  });

  it("finds every problem in one pass, in the order of the fields", () => {
    const fields = [
      field("a", "string", { required: true }),
      field("b", "number"),
      field("c", "string", { required: true }),
      field("d", "boolean"),
    ];

    const { missing, mistyped } = checkData(fields, { d: 1, b: "x" });

    expect(missing.map(({ path }) => path)).toEqual(["data.a", "data.c"]);
    expect(mistyped.map(({ path }) => path)).toEqual(["data.b", "data.d"]);
  });

  it("counts null as absent", () => {
    const { missing } = checkData([field("f", "string", { required: true })], { f: null });

    expect(missing.map(({ path }) => path)).toEqual(["data.f"]);
  });

  it("counts an empty string as present", () => {
    const { missing } = checkData([field("f", "string", { required: true })], { f: "" });

    expect(missing).toEqual([]);
  });

  it("does not find a required field on the prototype of data", () => {
    const { missing } = checkData([field("constructor", "string", { required: true })], {});

    expect(missing.map(({ path }) => path)).toEqual(["data.constructor"]);
  });

  it.each([undefined, null])("fills in the default where the value is %s", (value) => {
    const { data } = checkData([field("currency", "string", { default: "EUR" })], { currency: value });

    expect(data["currency"]).toBe("EUR");
  });

  it.each([0, false, ""])("does not let the default replace the given value %j", (value) => {
    const type = { number: "number", boolean: "boolean", string: "string" } as const;
    const given = field("f", type[typeof value as keyof typeof type], { default: "other" });

    const { data } = checkData([given], { f: value });

    expect(data["f"]).toBe(value);
  });

  it("fills in the defaults of every list item", () => {
    const items = field("items", "list", { fields: [field("rate", "number", { default: 21 })] });

    const { data } = checkData([items], { items: [{}, { rate: 9 }] });

    expect(data).toEqual({ items: [{ rate: 21 }, { rate: 9 }] });
  });

  it("does not invent an optional object to put defaults into", () => {
    const payment = field("payment", "object", { fields: [field("currency", "string", { default: "EUR" })] });

    const { data } = checkData([payment], {});

    expect(data).toEqual({});
  });

  it("does not require the inside of an optional object that is absent", () => {
    const payment = field("payment", "object", { fields: [field("iban", "string", { required: true })] });

    const { missing } = checkData([payment], {});

    expect(missing).toEqual([]);
  });

  it("leaves unknown keys out and warns of them by path", () => {
    const seller = field("seller", "object", { fields: [field("name", "string")] });

    const { data, warnings } = checkData([seller], { seller: { name: "A", fax: "1" } });

    expect(data).toEqual({ seller: { name: "A" } });
    expect(warnings).toEqual(["`seller.fax` is no field of the template and was not used."]);
  });

  it("names at most twenty unknown keys", () => {
    const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));

    const { warnings } = checkData([], data);

    expect(warnings).toHaveLength(20);
  });

  it("names a hundred problems of each kind, and counts the others", () => {
    const fields = [field("a", "number", { required: true }), field("b", "number")];
    const items = Array.from({ length: 130 }, () => ({ b: "x" }));

    const { missing, mistyped, unnamed } = checkData([field("items", "list", { fields })], { items });

    expect([missing.length, mistyped.length, unnamed]).toEqual([100, 100, 60]);
  });

  it("answers a small bad request with an error that is not many times its size", () => {
    const fields = ["a", "b", "c"].map((key) => field(key, "number", { required: true }));
    const items = Array.from({ length: 50_000 }, () => ({}));

    const { missing } = checkData([field("items", "list", { fields })], { items });

    const { message, details } = missingField(missing);
    const requestChars = JSON.stringify({ items }).length;
    expect(JSON.stringify({ message, details }).length).toBeLessThan(10 * requestChars);
  });
});

describe("isDeeperThan", () => {
  const nested = (levels: number) => {
    let value: unknown = 1;
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { a: value };
    return value;
  };

  it("takes as many levels as the limit says", () => {
    const deeper = isDeeperThan(nested(maxDataDepth), maxDataDepth);

    expect(deeper).toBe(false);
  });

  it("refuses one level more", () => {
    const deeper = isDeeperThan(nested(maxDataDepth + 1), maxDataDepth);

    expect(deeper).toBe(true);
  });

  it("survives depth that would overflow the stack", () => {
    const deeper = isDeeperThan(nested(200_000), maxDataDepth);

    expect(deeper).toBe(true);
  });

  it("looks at every sibling", () => {
    const deeper = isDeeperThan([1, "x", null, { a: [] }], 2);

    expect(deeper).toBe(true);
  });
});
