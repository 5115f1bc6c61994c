import { expect, it } from "vitest";
import { bytesOf, gif, manifest, svg, templateFiles, validFiles, type Files } from "colophon-test-kit/template-files";
import { maxFileBytes, type TemplateFiles } from "../../src/folder/template-files.ts";
import { validateTemplate } from "../../src/folder/validate-template.ts";

/** Returns the files of a valid template with `changes`: each path gets the given content, or is left out for null. */
function files(changes: Files = {}): TemplateFiles {
  return { files: templateFiles({ ...validFiles, ...changes }), problems: [] };
}

function problemsOf(changes: Files) {
  const result = validateTemplate(files(changes));
  return result.status === "broken" ? result.problems : [];
}

it.each([
  ["a comma that comes last", '{\n "name": "Ada",\n\n}', 2, 15],
  ["no comma", '{\n "a": [1],\n "name": "Ada"\n\n "x": 1 }', 3, 15],
  ["no comma in a list", '{ "a": [1\n 2] }', 1, 10],
  ["no colon", '{\n "name"\n\n "Ada" }', 2, 8],
  ["no value", '{\n "name": }', 2, 10],
])("a template whose JSON has %s is refused at the position that has to change", (_what, json, line, column) => {
  expect(problemsOf({ "sample.json": json })).toMatchObject([{ file: "sample.json", line, column }]);
});

it("a broken template is refused with the problems of all its files together", () => {
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

it("a template of more than 20 MB is refused before the content of its assets is checked", () => {
  const problems = problemsOf({ "assets/huge.gif": "x".repeat(15_100_000) });

  expect(problems).toEqual([{ file: "assets", line: 1, reason: "the template is larger than 20 MB" }]);
});

it("a template whose SVG files have more than 300,000 elements together is refused, starting with the file that exceeds the limit", () => {
  const drawing = svg.replace("/>", `>${"<a/>".repeat(100_000)}</svg>`);
  const problems = problemsOf({
    "assets/1.svg": drawing,
    "assets/2.svg": drawing,
    "assets/3.svg": drawing,
    "assets/4.svg": svg,
  });

  const reason = expect.stringMatching("^the SVG files up to this one have more than 300,000 elements");
  expect(problems).toEqual([
    { file: "assets/3.svg", line: 1, reason },
    { file: "assets/4.svg", line: 1, reason },
  ]);
});

it("a broken template is refused with the problems of all pages and of the styles together", () => {
  const problems = problemsOf({
    "pages/1.liquid": "{% nope %}",
    "header.liquid": "{{ x",
    "style.css": "@import 'x'",
  });

  expect(problems.map(({ file }) => file)).toEqual(["pages/1.liquid", "header.liquid", "style.css"]);
});

it("a broken template is refused with unreadable files listed before invalid asset files", () => {
  const unread = { file: "assets/icons.png", line: 1, reason: "this is a folder, but must be a file" };
  const tool = { path: "assets/tool.exe", bytes: bytesOf("MZ") };

  const result = validateTemplate({ files: [...files().files, tool], problems: [unread] });

  expect(result.status === "broken" && result.problems.map(({ file }) => file)).toEqual([
    "assets/icons.png",
    "assets/tool.exe",
  ]);
});

it("an unreadable file of a template is not also reported as missing", () => {
  const unread = { file: "sample.json", line: 1, reason: "this is a symbolic link" };

  const result = validateTemplate({ files: files({ "sample.json": null }).files, problems: [unread] });

  expect(result.status === "broken" && result.problems).toEqual([unread]);
});

it("a file of a template may have as many bytes as the documentation says", () => {
  const paths = ["pages/1.liquid", "style.css", "template.json", "locales/de.json", "sample.json"];

  expect(paths.map(maxFileBytes)).toEqual([2_000_000, 2_000_000, 250_000, 250_000, 1_048_000]);
});

it("the content of a template does not depend on the order of its files", () => {
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
