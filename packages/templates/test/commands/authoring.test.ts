import { readdirSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { authoringCommands } from "../../src/commands/authoring.ts";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-authoring-"));
afterAll(() => rm(root, { recursive: true }));
let paths = 0;
const newPath = () => join(root, `path-${paths++}`);

const run = (verb: string, options: Record<string, string>) => authoringCommands[verb]?.runOnFiles(options);

describe("init", () => {
  it("creates a template that a push accepts without a warning", async () => {
    const folder = newPath();

    expect(await run("init", { DIR: folder })).toEqual({
      folder,
      files: expect.arrayContaining(["pages/1.liquid", "template.json"]),
    });

    expect(await readTemplateFolder(folder)).toMatchObject({ status: "ok", warnings: [], moreWarnings: 0 });
  });

  it.each(readdirSync("templates"))("copies the sample %s", async (name) => {
    const folder = newPath();

    await run("init", { DIR: folder, from: name });

    const [copy, sample] = [await readTemplateFolder(folder), await readTemplateFolder(join("templates", name))];
    expect(copy.status === "ok" && copy.content).toEqual(sample.status === "ok" && sample.content);
    const files = readdirSync(join("templates", name));
    expect(readdirSync(folder).sort()).toEqual(files.filter((file) => file !== "preview.png").sort());
  });

  it("writes only into an empty folder", async () => {
    const folder = newPath();
    await mkdir(folder);
    await run("init", { DIR: folder });
    const before = await readFile(join(folder, "template.json"), "utf8");

    await expect(run("init", { DIR: folder, from: "invoice" })).rejects.toThrow("exists already");
    await expect(run("init", { DIR: join(folder, "template.json") })).rejects.toThrow("exists already");

    expect(await readFile(join(folder, "template.json"), "utf8")).toBe(before);
  });

  it.each(["nothing", "../src", "."])("refuses the sample %j with the names of those that there are", async (from) => {
    await expect(run("init", { DIR: newPath(), from })).rejects.toThrow(
      `there is no sample ${JSON.stringify(from)}; the samples are ${readdirSync("templates").join(", ")}`,
    );
  });
});

describe("infer", () => {
  it("prints fields for template.json", async () => {
    const file = newPath();
    await writeFile(file, '{ "name": "Ada", "total": 3, "items": [{ "title": "Lamp" }] }');

    const result = await run("infer", { FILE: file });

    expect(authoringCommands["infer"]?.text?.({ ...result })).toBe(
      [
        "[",
        '  { "key": "name", "label": "Name", "type": "string", "required": true, "example": "Ada" },',
        '  { "key": "total", "label": "Total", "type": "number", "required": true, "example": 3 },',
        '  { "key": "items", "label": "Items", "type": "list", "required": true, "fields": [',
        '    { "key": "title", "label": "Title", "type": "string", "required": true, "example": "Lamp" }',
        "  ] }",
        "]",
      ].join("\n"),
    );
  });

  it("warns about what no field can have, with its line", async () => {
    const file = newPath();
    await writeFile(file, '{\n "name": "Ada",\n "first name": "Ada"\n}');

    expect(await run("infer", { FILE: file })).toMatchObject({
      warnings: [{ file, line: 3, message: "`first name` is not a key that a field can have, and was left out" }],
    });
  });

  it.each([
    ["[1]", ":1: the file must contain a JSON object"],
    ['{\n "a": 1,\n}', ":2:8: the file is not valid JSON"],
  ])("refuses %j", async (text, message) => {
    const file = newPath();
    await writeFile(file, text);

    await expect(run("infer", { FILE: file })).rejects.toThrow(`${file}${message}`);
  });

  it("refuses a folder as well as a file that does not exist", async () => {
    await expect(run("infer", { FILE: join(root, "nothing") })).rejects.toThrow("there is no file");
    await expect(run("infer", { FILE: root })).rejects.toThrow("there is no file");
  });
});
