import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { init } from "../../src/commands/init.ts";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-authoring-"));
afterAll(() => rm(root, { recursive: true }));
let paths = 0;
const newPath = () => join(root, `path-${paths++}`);

const run = (options: Record<string, string>) => init.runOnFiles(options);

it("init creates a template that a push accepts without a warning", async () => {
  const folder = newPath();

  expect(await run({ DIR: folder })).toEqual({
    folder,
    files: expect.arrayContaining(["pages/1.liquid", "template.json"]),
  });

  expect(await readTemplateFolder(folder)).toMatchObject({ status: "ok", warnings: [] });
});

it("init copies a sample without the picture that the documentation shows", async () => {
  const folder = newPath();

  await run({ DIR: folder, from: "invoice" });

  const files = readdirSync("templates/invoice", { recursive: true }).filter((file) => file !== "preview.png");
  expect(readdirSync(folder, { recursive: true }).sort()).toEqual(files.sort());
});

it("init writes only to an empty folder", async () => {
  const folder = newPath();
  await mkdir(folder);
  await run({ DIR: folder });
  const before = await readFile(join(folder, "template.json"), "utf8");

  await expect(run({ DIR: folder, from: "invoice" })).rejects.toThrow("already exists");
  await expect(run({ DIR: join(folder, "template.json") })).rejects.toThrow("already exists");

  expect(await readFile(join(folder, "template.json"), "utf8")).toBe(before);
});

it.each(["nothing", "."])("init refuses the sample %j with the names of those that there are", async (from) => {
  await expect(run({ DIR: newPath(), from })).rejects.toThrow(
    `there is no sample ${JSON.stringify(from)}; the samples are ${readdirSync("templates").join(", ")}`,
  );
});

const newFile = async (text: string) => {
  const file = newPath();
  await writeFile(file, text);
  return file;
};

it("init --data creates a template that accepts the data and shows every value, and that a push accepts without a warning", async () => {
  const folder = newPath();
  const data = {
    name: "Ada",
    due: "2026-12-20",
    seller: { city: "Utrecht" },
    tags: ["a"],
    items: [{ title: "Lamp" }],
  };

  const created = await run({ DIR: folder, data: await newFile(JSON.stringify(data)) });

  expect(created).toMatchObject({ folder, warnings: [] });
  const read = await readTemplateFolder(folder);
  expect(read).toMatchObject({ status: "ok", warnings: [], content: { sampleData: data } });
  const page = await readFile(join(folder, "pages/1.liquid"), "utf8");
  expect(page.replace(/\s+/g, "")).toContain('<thead><tr><thscope="col">Title</th></tr></thead><tbody>{%for');
  expect(page.match(/\{\{.*?\}\}/g)).toEqual([
    "{{ name }}",
    '{{ due | date: "long" }}',
    "{{ seller.city }}",
    "{{ item }}",
    "{{ item.title }}",
  ]);
});

it("init --data writes the fields in the order and style of a person, and derives the title from the folder's name", async () => {
  const folder = join(newPath(), "delivery-note {{x}}");
  await run({ DIR: folder, data: await newFile('{ "name": "Ada", "items": [{ "title": "Lamp" }] }') });

  expect(await readFile(join(folder, "template.json"), "utf8")).toBe(
    [
      "{",
      '  "title": "Delivery note x",',
      '  "pageSize": "A4",',
      '  "fields": [',
      '    { "key": "name", "label": "Name", "type": "string", "example": "Ada" },',
      '    { "key": "items", "label": "Items", "type": "list", "fields": [',
      '      { "key": "title", "label": "Title", "type": "string", "example": "Lamp" }',
      "    ] }",
      "  ]",
      "}",
      "",
    ].join("\n"),
  );
});

it("init --data leaves data that no field can have out of the sample data, and warns about it with its line", async () => {
  const [folder, file] = [newPath(), await newFile('{\n "a": [{ "b": 1, "c d": 2 }],\n "mixed": [1, "a"]\n}')];

  expect(await run({ DIR: folder, data: file })).toMatchObject({
    warnings: [
      { file, line: 2, message: "`c d` is not a valid key of a field, and was left out" },
      { file, line: 3, message: expect.stringMatching(/^`mixed` is a list whose items .* and was left out$/) },
    ],
  });

  expect(JSON.parse(await readFile(join(folder, "sample.json"), "utf8"))).toEqual({ a: [{ b: 1 }] });
  expect(await readTemplateFolder(folder)).toMatchObject({ status: "ok", warnings: [] });
});

it("init --data leaves fields whose names are reserved in Liquid out of the page", async () => {
  const folder = newPath();
  await run({
    DIR: folder,
    data: await newFile('{ "true": 1, "nil": 2, "document": { "id": 3 }, "a": { "nil": 4 } }'),
  });

  expect(await readTemplateFolder(folder)).toMatchObject({ status: "ok", warnings: [] });
  expect(await readFile(join(folder, "pages/1.liquid"), "utf8")).toMatch(/^[^{]*\{\{ a\.nil \| number \}\}[^{]*$/);
});

it.each([
  ["[1]", ":1: the file must contain a JSON object"],
  ['{\n "a": 1,\n}', ":2:8: the file is not valid JSON"],
])("init --data refuses %j and creates nothing", async (text, message) => {
  const [folder, file] = [newPath(), await newFile(text)];

  await expect(run({ DIR: folder, data: file })).rejects.toThrow(`${file}${message}`);
  await expect(readFile(join(folder, "template.json"))).rejects.toThrow("ENOENT");
});

it("init --data refuses a folder and a file that does not exist", async () => {
  await expect(run({ DIR: newPath(), data: join(root, "nothing") })).rejects.toThrow("there is no file");
  await expect(run({ DIR: newPath(), data: root })).rejects.toThrow("there is no file");
});
