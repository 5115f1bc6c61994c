import { existsSync, readdirSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readTemplateFolder } from "../../src/cli/template-folder.ts";

type Files = Record<string, string | null>;

const manifest = (change: object = {}) =>
  JSON.stringify(
    { title: "Letter", pageSize: "A4", fields: [{ key: "name", type: "string", required: true }], ...change },
    null,
    1,
  );

const good: Files = {
  "template.json": manifest(),
  "sample.json": '{ "name": "Ada" }',
  "pages/1.liquid": "<p>Hello {{ name }}</p>",
};

/** One pixel. What is told by the bytes has to be told by these, whatever the file is called. */
const gif = "GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0";

const made: string[] = [];
afterAll(() => Promise.all(made.map((directory) => rm(directory, { recursive: true }))));

/** A good folder with changes; null takes a file away. */
async function folder(changes: Files = {}): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "colophon-template-"));
  made.push(directory);
  for (const [path, text] of Object.entries({ ...good, ...changes })) {
    if (text === null) continue;
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  return directory;
}

async function contentOf(changes: Files = {}) {
  const result = await readTemplateFolder(await folder(changes));
  if (result.status === "ok") return result.content;
  throw new Error(JSON.stringify(result.problems));
}

async function problemsOf(changes: Files) {
  const result = await readTemplateFolder(await folder(changes));
  return result.status === "broken" ? result.problems : [];
}

const fields = (...list: object[]) => ({ "template.json": manifest({ fields: list }), "sample.json": "{}" });

describe("a good folder", () => {
  it("is read", async () => {
    const content = await contentOf();

    expect(content).toMatchObject({
      manifest: { title: "Letter", pageSize: "A4", locale: "en-US", timeZone: "UTC", isPublished: true },
      pages: [{ name: "1.liquid", source: "<p>Hello {{ name }}</p>" }],
      css: "",
      header: null,
      footer: null,
      assets: {},
      sampleData: { name: "Ada" },
    });
  });

  it("is known by its name", async () => {
    const directory = await folder();

    const result = await readTemplateFolder(`${directory}/`);

    expect(result.status === "ok" && result.folder).toBe(directory.split("/").at(-1));
  });

  it("has its pages in the order of their numbers", async () => {
    const { pages } = await contentOf({ "pages/10.liquid": "ten", "pages/2.liquid": "two" });

    expect(pages.map(({ name }) => name)).toEqual(["1.liquid", "2.liquid", "10.liquid"]);
  });

  it("has its styles, header and footer", async () => {
    const content = await contentOf({ "style.css": "a{}", "header.liquid": "H", "footer.liquid": "F" });

    expect([content.css, content.header, content.footer]).toEqual(["a{}", "H", "F"]);
  });

  it.each([
    ["a.png", "image/png"],
    ["a.jpg", "image/jpeg"],
    ["a.jpeg", "image/jpeg"],
    ["a.webp", "image/webp"],
    ["a.gif", "image/gif"],
    ["a.svg", "image/svg+xml"],
    ["a.woff2", "font/woff2"],
    ["a.ttf", "font/ttf"],
    ["A.PNG", "image/png"],
  ])("takes the asset %s as %s", async (name, contentType) => {
    const { assets } = await contentOf({ [`assets/${name}`]: gif });

    expect(assets).toEqual({ [name]: { contentType, base64: btoa(gif) } });
  });

  it("is the same with other files beside its own, such as a preview", async () => {
    const withPreview = await contentOf({ "preview.png": "PNG", "LICENSE.txt": "free" });

    expect(withPreview).toEqual(await contentOf());
  });

  it("reads the same twice, so that a second push changes nothing", async () => {
    const directory = await folder({ "assets/b.png": gif, "assets/a.png": gif, "pages/2.liquid": "two" });

    const [first, second] = [await readTemplateFolder(directory), await readTemplateFolder(directory)];

    expect(JSON.stringify(first)).toBe(JSON.stringify(second));
  });
});

/** What is wrong, and where and why it is said to be wrong. */
const broken: [string, Files, { file: string; line: number; reason: string | RegExp }][] = [
  [
    "a Liquid syntax error on line 3",
    { "pages/1.liquid": "<p>\n<p>\n{{ name | nonsense }}" },
    { file: "pages/1.liquid", line: 3, reason: "undefined filter: nonsense" },
  ],
  [
    "a block that is never closed",
    { "pages/1.liquid": "<p>\n{% if name %}\n" },
    { file: "pages/1.liquid", line: 2, reason: /not closed/ },
  ],
  [
    "a problem in the header",
    { "header.liquid": "\n{% nope %}" },
    { file: "header.liquid", line: 2, reason: 'tag "nope" not found' },
  ],
  [
    "a problem that only the sample data shows",
    { "pages/1.liquid": "\n\n{{ name | barcode: 'ean13' }}" },
    { file: "pages/1.liquid", line: 3, reason: /EAN-13/ },
  ],
  [
    "no page",
    { "pages/1.liquid": null },
    { file: "pages", line: 1, reason: "there is no page file; add pages/1.liquid" },
  ],
  [
    "pages of another kind",
    { "pages/2.html": "x" },
    { file: "pages/2.html", line: 1, reason: "page files end with .liquid" },
  ],
  [
    "an unknown asset in a page",
    { "pages/1.liquid": "\n{{ 'nope.png' | asset }}" },
    { file: "pages/1.liquid", line: 2, reason: "there is no file assets/nope.png" },
  ],
  [
    "an unknown asset in the styles",
    { "style.css": "a{}\nb{c:url(nope.woff2)}" },
    { file: "style.css", line: 2, reason: /assets\/nope\.woff2/ },
  ],
  ["an @import", { "style.css": "\n\n@import 'x.css';" }, { file: "style.css", line: 3, reason: /@import/ }],
  [
    "an asset that is a program",
    { "assets/tool.exe": "MZ" },
    { file: "assets/tool.exe", line: 1, reason: /\.png .*\.woff2/ },
  ],
  [
    "an image asset that is none by its bytes",
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
    "a template.json that is no JSON",
    { "template.json": '{\n "title": "x",\n "pageSize" "A4"\n}' },
    { file: "template.json", line: 3, reason: /^it is not JSON: / },
  ],
  [
    "a template.json with a comment",
    { "template.json": manifest().replace("{", "{\n// no") },
    { file: "template.json", line: 2, reason: /^it is not JSON: / },
  ],
  ["an empty template.json", { "template.json": "" }, { file: "template.json", line: 1, reason: /^it is not JSON: / }],
  [
    "a sample.json that is a list",
    { "sample.json": "[]" },
    { file: "sample.json", line: 1, reason: "it must be a JSON object" },
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
    "a sample.json without a required field deep inside",
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
    "no page size",
    { "template.json": manifest({ pageSize: undefined }) },
    { file: "template.json", line: 1, reason: /^pageSize: give either/ },
  ],
  [
    "a width without a height",
    { "template.json": manifest({ pageSize: undefined, width: 400 }) },
    { file: "template.json", line: 1, reason: /^pageSize: give either/ },
  ],
  [
    "a page of five pixels",
    { "template.json": manifest({ pageSize: undefined, width: 5, height: 400 }) },
    { file: "template.json", line: 10, reason: /^width: .*16/ },
  ],
  [
    "a margin in an unknown unit",
    { "template.json": manifest({ margin: { top: "2em" } }) },
    { file: "template.json", line: 12, reason: /^margin\.top: / },
  ],
  [
    "margins that leave nothing",
    { "template.json": manifest({ margin: { top: "200mm", bottom: "200mm" } }) },
    { file: "template.json", line: 11, reason: "margin: it leaves no room on the page" },
  ],
  [
    "an unknown property",
    { "template.json": manifest({ papersize: "A4" }) },
    { file: "template.json", line: 1, reason: /papersize/ },
  ],
  [
    "an unknown locale",
    { "template.json": manifest({ locale: "english!" }) },
    { file: "template.json", line: 11, reason: "locale: not a BCP 47 language tag" },
  ],
  [
    "an unknown time zone",
    { "template.json": manifest({ timeZone: "Mars/Olympus" }) },
    { file: "template.json", line: 11, reason: "timeZone: not an IANA time zone" },
  ],
  [
    "a key twice",
    fields({ key: "a", type: "string" }, { key: "a", type: "number" }),
    { file: "template.json", line: 10, reason: 'fields.1: the key "a" is used twice' },
  ],
  [
    "a key that is no name",
    fields({ key: "1st", type: "string" }),
    { file: "template.json", line: 6, reason: /^fields\.0\.key: a key is letters, digits and _/ },
  ],
  [
    "an unknown type",
    fields({ key: "a", type: "money" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: .*"integer"/ },
  ],
  [
    "a required field with a default",
    fields({ key: "a", type: "string", required: true, default: "x" }),
    { file: "template.json", line: 9, reason: "fields.0.default: a required field has no default" },
  ],
  [
    "a default of the wrong type",
    fields({ key: "a", type: "date", default: "today" }),
    { file: "template.json", line: 8, reason: /^fields\.0\.default: `a` must be a date/ },
  ],
  [
    "a list without items and fields",
    fields({ key: "a", type: "list" }),
    { file: "template.json", line: 7, reason: "fields.0.type: a list has either `fields` or `items`" },
  ],
  [
    "a list with items and fields",
    fields({ key: "a", type: "list", items: "string", fields: [{ key: "b", type: "string" }] }),
    { file: "template.json", line: 7, reason: "fields.0.type: a list has either `fields` or `items`" },
  ],
  [
    "an object without fields",
    fields({ key: "a", type: "object" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: an object has `fields`/ },
  ],
  [
    "items on a scalar",
    fields({ key: "a", type: "string", items: "string" }),
    { file: "template.json", line: 7, reason: /^fields\.0\.type: only objects and lists/ },
  ],
  [
    "a key twice deep inside",
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

describe("a broken folder", () => {
  it.each(broken)("is refused with file, line and reason: %s", async (_what, changes, { file, line, reason }) => {
    const problems = await problemsOf(changes);

    expect(problems).toEqual([
      { file, line, reason: expect.stringMatching(reason instanceof RegExp ? reason : literally(reason)) },
    ]);
  });

  it("is refused for a trailing comma", async () => {
    const [problem] = await problemsOf({ "sample.json": '{\n "name": "Ada",\n}' });

    expect(problem).toMatchObject({ file: "sample.json", line: 3 });
  });

  it("names the problems of all its files at once", async () => {
    const problems = await problemsOf({
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

  it("names every page that does not parse", async () => {
    const problems = await problemsOf({ "pages/1.liquid": "{% nope %}", "pages/2.liquid": "\n{% nope %}" });

    expect(problems.map(({ file, line }) => `${file}:${line}`)).toEqual(["pages/1.liquid:1", "pages/2.liquid:2"]);
  });

  it("is refused when it is over 20 MB", async () => {
    const problems = await problemsOf({ "assets/huge.png": gif + "x".repeat(15_100_000) });

    expect(problems).toEqual([{ file: "assets", line: 1, reason: "the template is larger than 20 MB" }]);
  });

  it("is refused, not crashed on, when an asset is a folder", async () => {
    const problems = await problemsOf({ "assets/icons.png/a.png": "x" });

    expect(problems.map(({ file }) => file)).toEqual(["assets/icons.png"]);
  });

  it("may be missing altogether", async () => {
    const result = await readTemplateFolder("/nowhere/at/all");

    expect(result.status).toBe("broken");
  });
});

describe("the templates of the repository", () => {
  const directory = new URL("../../templates", import.meta.url).pathname;
  const names = readdirSync(directory).filter((name) => existsSync(join(directory, name, "template.json")));

  it("are there", () => {
    expect(names).not.toEqual([]);
  });

  it.each(names)("are right: %s", async (name) => {
    const result = await readTemplateFolder(join(directory, name));

    expect(result).toMatchObject({ status: "ok", folder: name });
  });
});

/** A pattern of exactly this text. */
function literally(text: string): RegExp {
  return new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)}$`);
}
