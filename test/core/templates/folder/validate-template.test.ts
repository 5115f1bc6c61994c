import { describe, expect, it } from "vitest";
import type { TemplateFiles } from "../../../../src/core/templates/folder/template-files.ts";
import { validateTemplate } from "../../../../src/core/templates/folder/validate-template.ts";
import { bytesOf, gif, validFiles, manifest, type Files } from "../../../fixtures/template-files.ts";

/** Returns the files of a valid template with `changes`: each path gets the given content, or is left out for null. */
function files(changes: Files = {}): TemplateFiles {
  const all = Object.entries({ ...validFiles, ...changes });
  return {
    files: all.flatMap(([path, content]) => (content === null ? [] : [{ path, bytes: bytesOf(content) }])),
    problems: [],
  };
}

function problemsOf(changes: Files) {
  const result = validateTemplate(files(changes));
  return result.status === "broken" ? result.problems : [];
}

const fields = (...list: object[]) => ({
  "template.json": manifest({ fields: list }),
  "sample.json": "{}",
  "pages/1.liquid": "<p>Hello</p>",
});

/** Problems, each with the changes that cause it, and with the file, line and reason to report. */
const broken: [string, Files, { file: string; line: number; column?: number; reason: string | RegExp }][] = [
  [
    "a Liquid syntax error on line 3",
    { "pages/1.liquid": "<p>\n<p>\n{{ name | nonsense }}" },
    { file: "pages/1.liquid", line: 3, reason: "there is no filter `nonsense`" },
  ],
  [
    "a problem that appears only with the sample data",
    { "pages/1.liquid": "\n\n{{ name | barcode: 'ean13' }}" },
    { file: "pages/1.liquid", line: 3, reason: /EAN-13/ },
  ],
  [
    "no page",
    { "pages/1.liquid": null },
    { file: "pages", line: 1, reason: "there is no page file; add pages/1.liquid" },
  ],
  [
    "a page file of another type",
    { "pages/2.html": "x" },
    { file: "pages/2.html", line: 1, reason: "page files must end in .liquid" },
  ],
  ["an @import", { "style.css": "\n\n@import 'x.css';" }, { file: "style.css", line: 3, reason: /@import/ }],
  [
    "an asset that is a program",
    { "assets/tool.exe": "MZ" },
    { file: "assets/tool.exe", line: 1, reason: /\.png .*\.woff2/ },
  ],
  [
    "an image asset whose bytes are not an image",
    { "assets/logo.png": "<html>" },
    { file: "assets/logo.png", line: 1, reason: /its content is not a PNG/ },
  ],
  [
    "an image asset that would decode to gigabytes",
    { "assets/bomb.gif": gif.replace("GIF89a\x01\0\x01\0", "GIF89a\0\x7f\0\x7f") },
    { file: "assets/bomb.gif", line: 1, reason: /32512 x 32512 pixels/ },
  ],
  ["no template.json", { "template.json": null }, { file: "template.json", line: 1, reason: "the file is missing" }],
  ["no sample.json", { "sample.json": null }, { file: "sample.json", line: 1, reason: "the file is missing" }],
  [
    "a template.json that is not JSON",
    { "template.json": '{\n "title": "x",\n "pageSize" "A4"\n}' },
    { file: "template.json", line: 3, column: 12, reason: /^the file is not valid JSON: a colon is missing/ },
  ],
  [
    "a template.json with a comment",
    { "template.json": manifest().replace("{", "{\n// no") },
    { file: "template.json", line: 2, column: 1, reason: /^the file is not valid JSON: / },
  ],
  ["an empty template.json", { "template.json": "" }, { file: "template.json", line: 1, column: 1, reason: /^the file is not valid JSON: / }],
  [
    "a sample.json that is a list",
    { "sample.json": "[]" },
    { file: "sample.json", line: 1, reason: "the file must contain a JSON object" },
  ],
  [
    "a sample.json without a required field",
    { "sample.json": "{}" },
    { file: "sample.json", line: 1, reason: "`name` is required." },
  ],
  [
    "a sample.json with a value of the wrong type",
    { "sample.json": '{\n\n "name": 7\n}' },
    { file: "sample.json", line: 3, reason: "`name` must be a string, got 7." },
  ],
  [
    "a sample.json without a required nested field",
    {
      ...fields({ key: "items", type: "list", fields: [{ key: "price", type: "number", required: true }] }),
      "sample.json": '{\n "items": [\n  { "price": 1 },\n  { }\n ]\n}',
    },
    { file: "sample.json", line: 4, reason: "`items.1.price` is required." },
  ],
  [
    "an unknown page size",
    { "template.json": manifest({ pageSize: "A9" }) },
    { file: "template.json", line: 3, reason: /^pageSize: .*"A4".*"Ledger"/ },
  ],
  [
    "a page five pixels wide",
    { "template.json": manifest({ pageSize: undefined, width: 5, height: 400 }) },
    { file: "template.json", line: 10, reason: /^width: .*16/ },
  ],
  [
    "a margin in an unknown unit",
    { "template.json": manifest({ margin: { top: "2em" } }) },
    { file: "template.json", line: 12, reason: /^margin\.top: / },
  ],
  [
    "margins that leave no room on the page",
    { "template.json": manifest({ margin: { top: "200mm", bottom: "200mm" } }) },
    { file: "template.json", line: 11, reason: "margin: the margins leave no room on the page" },
  ],
  [
    "an unknown property",
    { "template.json": manifest({ papersize: "A4" }) },
    { file: "template.json", line: 11, reason: 'template.json: "papersize" is not a known property' },
  ],
  [
    "an unknown locale",
    { "template.json": manifest({ locale: "english!" }) },
    { file: "template.json", line: 11, reason: 'locale: must be a BCP 47 language tag such as `de` or `en-GB`, got "english!"' },
  ],
  [
    "an unknown time zone",
    { "template.json": manifest({ timeZone: "Mars/Olympus" }) },
    { file: "template.json", line: 11, reason: "timeZone: not an IANA time zone" },
  ],
  [
    "a duplicate key",
    fields({ key: "a", type: "string" }, { key: "a", type: "number" }),
    { file: "template.json", line: 10, reason: 'fields.1: the key "a" is used twice' },
  ],
  [
    "a key that is not a name",
    fields({ key: "1st", type: "string" }),
    { file: "template.json", line: 6, reason: /^fields\.0\.key: a key consists of letters, digits and _/ },
  ],
  [
    "an unknown type",
    fields({ key: "a", type: "money" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: .*"integer"/ },
  ],
  [
    "a required field with a default",
    fields({ key: "a", type: "string", required: true, default: "x" }),
    { file: "template.json", line: 9, reason: "fields.0.default: a required field cannot have a default" },
  ],
  [
    "a default of the wrong type",
    fields({ key: "a", type: "date", default: "today" }),
    { file: "template.json", line: 8, reason: /^fields\.0\.default: `a` must be a date/ },
  ],
  [
    "a list with neither items nor fields",
    fields({ key: "a", type: "list" }),
    { file: "template.json", line: 7, reason: "fields.0.type: a list must have either `fields` or `items`" },
  ],
  [
    "a list with both items and fields",
    fields({ key: "a", type: "list", items: "string", fields: [{ key: "b", type: "string" }] }),
    { file: "template.json", line: 7, reason: "fields.0.type: a list must have either `fields` or `items`" },
  ],
  [
    "an object without fields",
    fields({ key: "a", type: "object" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: an object must have `fields`/ },
  ],
  [
    "items on a scalar",
    fields({ key: "a", type: "string", items: "string" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: only objects and lists/ },
  ],
  [
    "a duplicate nested key",
    fields({
      key: "a",
      type: "object",
      fields: [
        { key: "b", type: "string" },
        { key: "b", type: "string" },
      ],
    }),
    { file: "template.json", line: 14, reason: 'fields.0.fields.1: the key "b" is used twice' },
  ],
];

describe("a broken template", () => {
  it.each(broken)("is refused with the file, the line and the reason (%s)", (_what, changes, { reason, ...place }) => {
    const problems = problemsOf(changes);

    expect(problems).toEqual([
      { ...place, reason: expect.stringMatching(reason instanceof RegExp ? reason : literally(reason)) },
    ]);
  });

  it.each([
    ["a comma that comes last", '{\n "name": "Ada",\n\n}', 2, 15],
    ["no comma", '{\n "a": [1],\n "name": "Ada"\n\n "x": 1 }', 3, 15],
    ["no comma in a list", '{ "a": [1\n 2] }', 1, 10],
    ["no colon", '{\n "name"\n\n "Ada" }', 2, 8],
    ["no value", '{\n "name": }', 2, 10],
  ])("is refused at the place that has to change if its JSON has %s", (_what, json, line, column) => {
    expect(problemsOf({ "sample.json": json })).toMatchObject([{ file: "sample.json", line, column }]);
  });

  it("is refused with the problems of all its files at once", () => {
    const problems = problemsOf({
      "template.json": manifest({ pageSize: "A9", locale: "english!" }),
      "sample.json": null,
      "assets/tool.exe": "MZ",
    });

    expect(problems.map(({ file }) => file).sort()).toEqual([
      "assets/tool.exe",
      "sample.json",
      "template.json",
      "template.json",
    ]);
  });

  it("is refused with a problem for each page that does not parse", () => {
    const problems = problemsOf({ "pages/1.liquid": "{% nope %}", "pages/2.liquid": "\n{% nope %}" });

    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(["pages/1.liquid:1", "pages/2.liquid:2"]);
  });

  it("is refused when it is over 20 MB", () => {
    const problems = problemsOf({ "assets/huge.gif": gif + "x".repeat(15_100_000) });

    expect(problems).toEqual([{ file: "assets", line: 1, reason: "the template is larger than 20 MB" }]);
  });

  it("is refused with the problems of all pages and of the styles at once", () => {
    const problems = problemsOf({ "pages/1.liquid": "{% nope %}", "header.liquid": "{{ x", "style.css": "@import 'x'" });

    expect(problems.map(({ file }) => file)).toEqual(["pages/1.liquid", "header.liquid", "style.css"]);
  });

  it("is refused with unreadable files listed before invalid asset files", () => {
    const unread = { file: "assets/icons.png", line: 1, reason: "this is a folder, but must be a file" };
    const tool = { path: "assets/tool.exe", bytes: bytesOf("MZ") };

    const result = validateTemplate({ files: [...files().files, tool], problems: [unread] });

    expect(result.status === "broken" && result.problems.map(({ file }) => file)).toEqual([
      "assets/icons.png",
      "assets/tool.exe",
    ]);
  });

  it("is refused for an unreadable file, but not also for a missing file", () => {
    const unread = { file: "sample.json", line: 1, reason: "this is a symbolic link" };

    const result = validateTemplate({ files: files({ "sample.json": null }).files, problems: [unread] });

    expect(result.status === "broken" && result.problems).toEqual([unread]);
  });
});

it("creates the same content whatever the order of the files", () => {
  const { files: all } = files({
    "assets/b.gif": gif,
    "assets/a.gif": gif,
    "pages/10.liquid": "ten",
    "pages/2.liquid": "two",
  });

  const first = validateTemplate({ files: all, problems: [] });
  const second = validateTemplate({ files: all.toReversed(), problems: [] });

  expect(first.status).toBe("valid");
  expect(JSON.stringify(second)).toBe(JSON.stringify(first));
});

/** Returns a pattern that matches exactly the given text. */
function literally(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}

describe("text in an SVG image", () => {
  const inSvg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg">\n${content}</svg>`;
  const warningsOf = (changes: Files) => {
    const result = validateTemplate(files(changes));
    return result.status === "valid" ? result.warnings.filter(({ file }) => file.endsWith(".svg")) : null;
  };

  it("is named with its line, because its font depends on the machine", () => {
    const message = expect.stringContaining("the font of its text depends on the machine");

    expect(warningsOf({ "assets/a.svg": inSvg("<!-- <text> -->\n<g><text>a</text></g><text/>") })).toEqual([
      { file: "assets/a.svg", line: 3, message },
    ]);
    const prefixed = '<s:svg xmlns:s="http://www.w3.org/2000/svg">\n<s:text>a</s:text></s:svg>';
    expect(warningsOf({ "assets/a.svg": prefixed })).toEqual([{ file: "assets/a.svg", line: 2, message }]);
  });

  it.each([
    ["is inside a comment", "<!-- <text>a</text> -->"],
    ["has a font in the image", "<style>@font-face{font-family:a;src:url(data:font/woff2;base64,AA)}</style><text>a</text>"],
    ["is a path", "<path d='M0 0'/><textPath/>"],
  ])("is not named if it %s", (_, content) => {
    expect(warningsOf({ "assets/a.svg": inSvg(content) })).toEqual([]);
  });
});
