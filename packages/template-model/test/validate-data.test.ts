import { expect, it } from "vitest";
import { field } from "colophon-test-kit/template-content";
import type { TemplateData } from "../src/template-data.ts";
import type { FieldType } from "../src/template.ts";
import { validateData } from "../src/validate-data.ts";

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
  [
    "decimal",
    ["", "1,5", "1.", ".5", "+1", "01", "1e3", " 1", "1 ", "١", "0x1", "NaN", "1".repeat(301), 1e301, true, []],
  ],
  ["boolean", ["true", 0, 1]],
  ["date", ["2026-02-29", "2026-13-01", "21.11.2026", "2026-11-21T00:00:00Z", 20261121, ""]],
  ["datetime", ["2026-11-21", "2026-11-21T09:30:00", "2026-02-30T09:30:00Z", "2026-11-21T24:00:00Z", 0]],
  ["image", ["http://example.com/a.png", "logo.png", "data:text/html,<b>", "javascript:alert(1)", "https://"]],
  ["object", ["x", [], 1]],
];

const one = (type: FieldType) => [field("f", type)];

it.each(accepted.flatMap(([type, values]) => values.map((value) => [value, type] as const)))(
  "validateData accepts and keeps %o in a %s field",
  (value, type) => {
    const { data, ...found } = validateData(one(type), { f: value });

    expect(data.values).toEqual({ f: value });
    expect(found).toEqual({ missing: [], mistyped: [], unnamed: 0, unknownKeys: [], warnings: [] });
  },
);

it.each(refused.flatMap(([type, values]) => values.map((value) => [value, type] as const)))(
  "validateData rejects %o in a %s field",
  (value, type) => {
    const { mistyped } = validateData(one(type), { f: value });

    expect(mistyped.map(({ path }) => path)).toEqual(["data.f"]);
  },
);

it.each<[type: FieldType, value: unknown, message: string]>([
  ["number", "12", '`f` must be a number, got the string "12".'],
  ["string", true, "`f` must be a string, got true."],
  ["text", 1, "`f` must be a string, got 1."],
  ["integer", 1.5, "`f` must be a whole number, got 1.5."],
  ["decimal", 1e300, '`f` must be a decimal such as "19.00", of at most 300 characters, got 1e+300.'],
  ["decimal", 1.5e300, '`f` must be a decimal such as "19.00", of at most 300 characters, got 1.5e+300.'],
  ["decimal", -1e-298, '`f` must be a decimal such as "19.00", of at most 300 characters, got -1e-298.'],
  ["decimal", "1,50", '`f` must be a decimal such as "19.00", of at most 300 characters, got the string "1,50".'],
  ["boolean", 0, "`f` must be true or false, got 0."],
  ["date", 1, "`f` must be a date in the form YYYY-MM-DD, got 1."],
  ["date", "2026-02-30", "`f` is 2026-02-30, a day that does not exist."],
  ["date", "30.02.2026", '`f` must be a date in the form YYYY-MM-DD, got the string "30.02.2026".'],
  ["datetime", "2026-04-31T10:00:00Z", "`f` is 2026-04-31, a day that does not exist."],
  ["datetime", 1, "`f` must be an RFC 3339 date and time, e.g. 2026-11-21T09:30:00Z, got 1."],
  ["object", [], "`f` must be an object, got a list."],
  ["list", {}, "`f` must be a list, got an object."],
  ["list", [null], "`f.0` must be an object, got null."],
])("validateData states for a %s what was expected and that %j was given", (type, value, message) => {
  const { mistyped } = validateData(one(type), { f: value });

  expect(mistyped.map((problem) => problem.message)).toEqual([message]);
});

it.each([
  ["19.00", "19.00"],
  ["-0.50", "-0.50"],
  ["12345678901234567890.123", "12345678901234567890.123"],
  [19.0, "19"],
  [0.1, "0.1"],
  [1e-7, "0.0000001"],
  [1e21, "1000000000000000000000"],
  [-1.5e298, `-15${"0".repeat(297)}`],
])("validateData keeps the digits of the decimal %j", (value, text) => {
  const { data, mistyped } = validateData(one("decimal"), { f: value });

  expect(mistyped).toEqual([]);
  expect(data.values["f"]).toMatchObject({ text });
});

it("validateData reads decimals in a default and in the items of a list", () => {
  const fields = [field("fee", "decimal", { default: "1.50" }), field("rates", "list", { items: "decimal" })];

  const { data } = validateData(fields, { rates: ["7.0", 19] });

  expect(data.values).toMatchObject({ fee: { text: "1.50" }, rates: [{ text: "7.0" }, { text: "19" }] });
});

it("validateData names a missing field in a list item by its path", () => {
  const items = field("items", "list", { fields: [field("price", "number", { required: true })] });
  const data = { items: [{ price: 1 }, { price: 2 }, { price: 3 }, {}] };

  const { missing } = validateData([items], data);

  expect(missing).toEqual([{ path: "data.items.3.price", message: "`items.3.price` is required." }]);
});
it("validateData finds all problems in one pass, in the order of the fields", () => {
  const fields = [
    field("a", "string", { required: true }),
    field("b", "number"),
    field("c", "string", { required: true }),
    field("d", "boolean"),
  ];

  const { missing, mistyped } = validateData(fields, { d: 1, b: "x" });

  expect(missing.map(({ path }) => path)).toEqual(["data.a", "data.c"]);
  expect(mistyped.map(({ path }) => path)).toEqual(["data.b", "data.d"]);
});
it("validateData reports a required field as missing if only the prototype of the data has it", () => {
  const { missing } = validateData([field("constructor", "string", { required: true })], {});

  expect(missing.map(({ path }) => path)).toEqual(["data.constructor"]);
});

it("validateData treats a default of null as no default", () => {
  const { data, mistyped } = validateData([field("f", "string", { default: null })], {});

  expect([data.values, mistyped]).toEqual([{}, []]);
});

it.each([undefined, null])("validateData fills in the default when the value is %s", (value) => {
  const { data } = validateData([field("currency", "string", { default: "EUR" })], { currency: value });

  expect(data.values["currency"]).toBe("EUR");
});

it("validateData does not let a default replace a given value that is 0, false or empty", () => {
  const fields = (["number", "boolean", "string"] as const).map((type) => field(type, type, { default: "other" }));
  const given = { number: 0, boolean: false, string: "" };

  const { data } = validateData(fields, given);

  expect(data.values).toEqual(given);
});

it("validateData fills in the defaults in each item of a list", () => {
  const items = field("items", "list", { fields: [field("rate", "number", { default: 21 })] });

  const { data } = validateData([items], { items: [{}, { rate: 9 }] });

  expect(data.values).toEqual({ items: [{ rate: 21 }, { rate: 9 }] });
});

it("validateData neither creates an absent optional object to fill in its defaults nor requires its fields", () => {
  const fields = [field("currency", "string", { default: "EUR" }), field("iban", "string", { required: true })];

  const { data, missing } = validateData([field("payment", "object", { fields })], {});

  expect([data.values, missing]).toEqual([{}, []]);
});
it("validateData leaves out keys that are not fields, with a warning for each path", () => {
  const seller = field("seller", "object", { fields: [field("name", "string")] });

  const { data, warnings } = validateData([seller], { seller: { name: "A", fax: "1" } });

  expect(data.values).toEqual({ seller: { name: "A" } });
  expect(warnings).toEqual(["`seller.fax` is not a field of the template and was ignored."]);
});

it("validateData quotes only the beginning of a long key or value, without splitting a surrogate pair", () => {
  const long = `${"x".repeat(39)}${"😀".repeat(100)}`;

  const { warnings, mistyped } = validateData(one("number"), { f: long, [long]: 1 });

  const texts = [...warnings, ...mistyped.map(({ message }) => message)];
  expect(texts.map((text) => text.isWellFormed() && text.length < 120)).toEqual([true, true]);
});

it("validateData names at most twenty unknown keys", () => {
  const data = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 1]));

  const { warnings } = validateData([], data);

  expect(warnings).toHaveLength(20);
});

it("validateData lists the first hundred problems of each kind and counts the rest", () => {
  const fields = [field("a", "number", { required: true }), field("b", "number")];
  const items = Array.from({ length: 130 }, () => ({ b: "x" }));

  const { missing, mistyped, unnamed } = validateData([field("items", "list", { fields })], { items });

  expect([missing.length, mistyped.length, unnamed]).toEqual([100, 100, 60]);
});

const photos = field("photos", "list", { items: "image" });
const people = field("people", "list", { fields: [field("name", "string"), field("face", "image")] });
const sources = ({ images }: TemplateData) => images.map(({ path, source }) => [path, source]);

it("the images in the data are collected with their paths, in the order of the fields", () => {
  const url = "https://example.com/a.png";
  const given = { people: [{ face: pixel }, { name: "B" }, { face: url, name: "C" }], photos: [url, pixel] };

  const { data } = validateData([photos, people], given);

  expect(sources(data)).toEqual([
    ["photos.0", url],
    ["photos.1", pixel],
    ["people.0.face", pixel],
    ["people.2.face", url],
  ]);
});

it.each(["string", "text"] as const)(
  "the images in a %s field are found as `data:` URIs, not as https URLs",
  (type) => {
    const lines = field("lines", "list", { items: type });
    const behindSpace = ` \n${pixel.toUpperCase()}`;

    const { data } = validateData([...one(type), lines], {
      f: behindSpace,
      lines: ["https://example.com/a.png", pixel],
    });

    expect(sources(data)).toEqual([
      ["f", behindSpace],
      ["lines.1", pixel],
    ]);
  },
);
it("the images in the data are replaced by `show` even in fields named `__proto__` or `constructor`", () => {
  const inner = [field("__proto__", "image"), field("constructor", "image")];
  const fields = [...inner, photos, field("inside", "object", { fields: inner })];
  const own = JSON.parse(`{ "__proto__": "${pixel}", "constructor": "${pixel}" }`) as object;
  const { data } = validateData(fields, { ...own, photos: [pixel, pixel], inside: own });

  for (const [index, { show }] of data.images.entries()) show(`shown ${index}`);

  expect(JSON.stringify(data.values)).toBe(
    '{"__proto__":"shown 0","constructor":"shown 1","photos":["shown 2","shown 3"],' +
      '"inside":{"__proto__":"shown 4","constructor":"shown 5"}}',
  );
});

it("the images in the data are replaced by `show` without changing the given data or the template's defaults", () => {
  const fallback = field("album", "object", { fields: [photos], default: { photos: [pixel] } });
  const given = { people: [{ face: pixel }] };
  const { data } = validateData([people, fallback], given);

  for (const { show } of data.images) show("");

  expect(given).toEqual({ people: [{ face: pixel }] });
  expect(fallback.default).toEqual({ photos: [pixel] });
  expect(data.values).toEqual({ people: [{ face: "" }], album: { photos: [""] } });
});

it("validateData creates ordinary objects, so that filters can convert them to text", () => {
  const { data } = validateData([field("seller", "object", { fields: [field("name", "string")] })], {
    seller: Object.assign(Object.create(null) as object, { name: "A" }),
  });

  expect(String(data.values["seller"])).toBe("[object Object]");
});

it("validateData stops at lists whose items have more than 400,000 fields in total", () => {
  const fields = Array.from({ length: 200 }, (_, index) => field(`f${index}`, "string", { required: true }));
  const rows = field("rows", "list", { fields });

  const { mistyped, missing, unnamed } = validateData([rows], { rows: Array.from({ length: 300_000 }, () => ({})) });

  const message =
    "The lists of the data have too many items: together, their items may have at most 400,000 fields, including omitted fields.";
  expect(mistyped).toEqual([{ path: "data.rows.1999", message }]);
  expect(missing.length + unnamed).toBeLessThanOrEqual(400_000);
});

it("validateData counts a decimal as four fields, because its value takes more memory", () => {
  const decimals = (count: number) =>
    validateData([field("f", "list", { items: "decimal" })], { f: Array(count).fill(1) });

  expect(decimals(99_999).mistyped).toEqual([]);
  expect(decimals(100_001).mistyped.map(({ path }) => path)).toEqual(["data.f.99999"]);
});
