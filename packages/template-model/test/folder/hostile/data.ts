// Folders whose template.json or sample.json is well-formed JSON, but wrong.
import { inFile, type HostileFile, type HostileFolder } from "colophon-test-kit/hostile-folder";
import { dataUri, png } from "colophon-test-kit/images";
import { manifest } from "colophon-test-kit/template-files";

/** The mistake, the changed properties, and the problem. */
type Change = [what: string, change: object, problem: string];
const written = ([what, change, problem]: Change): HostileFile => [what, manifest(change), problem];
const oneField = ([what, field, problem]: Change): HostileFile => [
  `has a field that ${what}`,
  manifest({ fields: [{ key: "a", ...field }] }),
  problem,
];

const manyProperties = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`p${index}`, 1]));
const fieldOften = (field: unknown, times: number) =>
  JSON.stringify({ title: "x", pageSize: "A4", fields: Array.from({ length: times }, () => field) });
const nestedField = (depth: number): object =>
  depth === 0 ? { key: "a", type: "string" } : { key: "a", type: "object", fields: [nestedField(depth - 1)] };
const bomb = dataUri("png", png(16_000, 16_000));
const text = { key: "name", type: "string" };
const required = { ...text, required: true };

const wrongProperties: Change[] = [
  ["has a number as its title", { title: 7 }, "2 title: must be a string, got 7"],
  ["has a title of spaces", { title: " \u00a0 " }, "2 title: must not be empty"],
  ["has a line break in its title", { title: "a\nb" }, "2 title: must not contain line breaks or other control …"],
  ["has an escape in its description", { description: "\u001b" }, "11 description: must not contain control …"],
  ["has a width of 1e308", { pageSize: undefined, width: 1e308, height: 100 }, "10 width: must be a whole number …"],
  ["has a negative margin", { margin: { top: -1 } }, "12 margin.top: must be at least 0, got -1"],
  ["has a margin of 1,000 digits", { margin: { top: `${"9".repeat(1_000)}px` } }, "11 margin: the margins leave no …"],
  ["has a long locale", { locale: `en-x${"-abcdefgh".repeat(110)}` }, "11 locale: must have at most 100 characters"],
  ["has an unknown time zone", { timeZone: "Mars/Olympus" }, "11 timeZone: not an IANA time zone"],
  ["has yes for isPublished", { isPublished: "yes" }, '11 isPublished: must be true or false, got "yes"'],
  [
    "has an unknown conformance",
    { conformance: ["pdf/a-1b"] },
    '12 conformance.0: must be one of "pdf/a-2b", "pdf/a-2u", …',
  ],
  [
    "has two conformances",
    { conformance: ["pdf/a-2b", "pdf/a-3b"] },
    '11 conformance: has "pdf/a-2b" and "pdf/a-3b", but …',
  ],
  ["has a word as its conformance", { conformance: "pdf/a-2b" }, '11 conformance: must be a list, got "pdf/a-2b"'],
  ["has an unknown access", { access: "secret" }, '11 access: must be one of "public", "private", got "secret"'],
  ["has null as its access", { access: null }, '11 access: must be one of "public", "private", got null'],
  ["allows public documents", { allowPublic: true }, '11 allowPublic: needs `"access": "private"` beside it'],
  [
    "is public and allows public documents",
    { access: "public", allowPublic: true },
    '12 allowPublic: needs `"access": "private"` beside it',
  ],
  ["has 1 for allowPublic", { access: "private", allowPublic: 1 }, "12 allowPublic: must be true or false, got 1"],
  ["has 10,000 unknown properties", manyProperties, '11 template.json: "p0" is not a known property'],
  ["has null as its fields", { fields: null }, "4 fields: must be a list, got null"],
  ["has fields nested 70 levels deep", { fields: [nestedField(70)] }, "257 objects and lists are nested …"],
];

const wrongFields: Change[] = [
  ["has no type", {}, '5 fields.0.type: must be one of "string", "text", "number", "integer", …'],
  [
    "is required with default",
    { type: "string", required: true, default: "x" },
    "9 fields.0.default: a required field …",
  ],
  ["has an example of another type", { type: "number", example: "7" }, "8 fields.0.example: `a` must be a number, …"],
  ["has a large default", { type: "image", default: bomb }, "8 fields.0.default: the image `a` …"],
  ["has an empty default", { type: "object", fields: [required], default: {} }, "15 fields.0.default: `a.name` …"],
  ["has a misspelt property", { type: "string", requried: true }, '8 fields.0: "requried" is not a known property'],
  ["has an object as its label", { type: "string", label: {} }, "8 fields.0.label: must be a string, got an object"],
  ["is a list with neither items nor fields", { type: "list" }, "7 fields.0.type: a list must have either `fields` …"],
  [
    "is a list with both items and fields",
    { type: "list", items: "string", fields: [text] },
    "7 fields.0.type: a list must have either `fields` …",
  ],
  ["is an object without fields", { type: "object" }, "7 fields.0.type: an object must have `fields`, …"],
  ["is a string with items", { type: "string", items: "string" }, "7 fields.0.type: only objects and lists can …"],
  ["allows a value twice", { type: "string", enum: ["a", "b", "a"] }, "11 fields.0.enum.2: is in the list already"],
  ["has a key that is not a name", { type: "string", key: "1st" }, "6 fields.0.key: a key consists of letters, …"],
  ["repeats a key", { type: "object", fields: [text, text] }, '14 fields.0.fields.1: the key "name" is used twice'],
];

export const manifests: HostileFolder[] = [
  ...inFile("template.json", [
    ["is missing", null, "1 the file is missing"],
    ["is a list", "[]", "1 template.json: must be an object, got a list"],
    ["is an empty object", "{}", "1 title: is missing; it must be a string"],
    [
      "has a property called __proto__",
      manifest().replace("{", '{\n "__proto__": { "title": "x" },'),
      '2 template.json: "__proto__" is not a known property',
    ],
    ...wrongProperties.map(written),
  ]),
  ...inFile(
    "template.json",
    [
      ...wrongFields.map(oneField),
      ["has 7,500 fields with the same key", fieldOften(text, 7_500), '1 fields.1: the key "name" is …'],
      ["has a thousand mistakes", fieldOften(7, 1_000), "1 fields.0: must be an object, got 7"],
    ],
    { "sample.json": "{}" },
  ),
  [
    "keys are names that are special in JavaScript",
    {
      "template.json": manifest({ fields: ["__proto__", "constructor"].map((key) => ({ key, type: "string" })) }),
      "sample.json": '{ "__proto__": "a", "constructor": "b" }',
    },
    "",
  ],
];

const fields = [
  text,
  { key: "n", type: "number" },
  { key: "i", type: "integer" },
  { key: "code", type: "string", pattern: "^[A-Z]+$" },
  { key: "logo", type: "image" },
  { key: "strings", type: "list", items: "string" },
  { key: "images", type: "list", items: "image" },
  { key: "l", type: "list", fields: [required] },
];
const pictureOf40Megapixels = (index: number) => `${dataUri("png", png(8_000, 5_000))}#${index}`;

export const samples: HostileFolder[] = [
  ...inFile("sample.json", [
    ["is missing", null, "1 the file is missing"],
    ["lacks a required field", "{}", "1 `name` is required."],
  ]),
  ...inFile(
    "sample.json",
    [
      ["lacks a nested field", '{\n "l": [\n  { "name": "" },\n  { }\n ]\n}', "4 `l.1.name` is required."],
      ["breaks a pattern", '{ "code":\n "ab" }', "2 `code` must match the pattern …"],
      ["has a number that is too large", '{ "n":\n 1e999 }', "2 `n` must be a number, got Infinity."],
      [
        "has a wrong key inside",
        '{ "l": [{ "name": "" },\n { "name": "", "nmae": "" }] }',
        "2 `l.1.nmae` is not a field …",
      ],
      ["has an unknown key with a dot", '{\n "a.b": 1 }', "2 `a.b` is not a field of the template"],
      ["has a key __proto__", '{\n "__proto__": {} }', "2 `__proto__` is not a field of the template"],
      ["has a long key", `{"${"k".repeat(1e6)}":1}`, `1 \`${"k".repeat(60)}…\` is not a field of the template`],
      [
        "has 50,000 unknown keys",
        JSON.stringify(Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 0]))),
        "1 `k0` is not a field of the template",
      ],
      ["has a wrong image", '{ "logo":\n "data:image/png;base64,AAAA" }', "2 the image `logo` cannot be used: its …"],
      ["has an image on the host", '{ "logo": "https://127.0.0.1/a.png" }', "1 the image `logo` cannot be used: …"],
      [
        "has more than 100 megapixels in its images",
        JSON.stringify({ images: [1, 2, 3].map(pictureOf40Megapixels) }),
        "1 the image `images.2` cannot be used: the images of one document may have at most 100 megapixels …",
      ],
      ["has null for an optional field", '{ "name": null }', ""],
      ["has an image on a public host", '{ "logo": "https://example.com/a.png" }', ""],
    ],
    { "template.json": manifest({ fields }) },
  ),
  ["fields are nested 62 deep", { "template.json": manifest({ fields: [nestedField(62)] }), "sample.json": "{}" }, ""],
];
