import { existsSync, readdirSync, readFileSync } from "node:fs";
import { chmod, symlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { avif, jpeg, png, webpLossy } from "colophon-test-kit/images";
import { gif, svg, ttf, validFiles, woff, woff2, type Files } from "colophon-test-kit/template-files";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { newFolder } from "../folders.ts";

/** Creates a valid template folder with these changes, and returns its path. */
const folder = (changes: Files = {}) => newFolder({ ...validFiles, ...changes });

async function contentOf(changes: Files = {}) {
  const result = await readTemplateFolder(await folder(changes));
  if (result.status === "ok") return result.content;
  throw new Error(JSON.stringify(result.problems));
}

async function problemsOf(changes: Files) {
  const result = await readTemplateFolder(await folder(changes));
  return result.status === "broken" ? result.problems : [];
}

/** Returns a font of a package. */
function realFont(path: string): Uint8Array {
  return readFileSync(join(import.meta.dirname, "../../../../node_modules", path));
}

it("CSS that browsers ignore causes a warning for the author and remains in the content", async () => {
  const result = await readTemplateFolder(await folder({ "style.css": "a {\n colr: red }" }));

  const message = "Chromium does not support the property `colr`; did you mean `color`?";
  expect(result.warnings).toEqual([{ file: "style.css", line: 2, message }]);
  const { css: _, ...content } = await contentOf({ "style.css": "a {\n colr: red }" });
  expect(await contentOf({ "style.css": "a { color: red }" })).toMatchObject(content);
});

it("a valid folder is read with its manifest, its pages in the order of their numbers, and its other files", async () => {
  const files = { "pages/10.liquid": "ten", "pages/2.liquid": "two", "style.css": "a{}", "header.liquid": "H" };

  expect(await contentOf(files)).toMatchObject({
    manifest: { title: "Letter", pageSize: "A4", locale: "en-US", timeZone: "UTC", isPublished: true },
    pages: [
      { name: "1.liquid", source: "<p>Hello {{ name }}</p>" },
      { name: "2.liquid", source: "two" },
      { name: "10.liquid", source: "ten" },
    ],
    css: "a{}",
    header: "H",
    footer: null,
    assets: {},
    sampleData: { name: "Ada" },
  });
});

it("a template is named after its folder", async () => {
  const directory = await folder();

  const result = await readTemplateFolder(`${directory}/`);

  expect(result.status === "ok" && result.folder).toBe(directory.split("/").at(-1));
});

it("a template is named after the symbolic link through which its folder is read", async () => {
  const directory = await folder();
  const path = join(await newFolder(), "link");
  await symlink(directory, path);

  const result = await readTemplateFolder(path);

  expect(result).toMatchObject({ status: "ok", folder: path.split("/").at(-1) });
});

it.each([
  ["a.png", "image/png", png(1, 1)],
  ["a.jpg", "image/jpeg", jpeg(1, 1)],
  ["a.jpeg", "image/jpeg", jpeg(1, 1)],
  ["a.webp", "image/webp", webpLossy(1, 1)],
  ["a.avif", "image/avif", avif(1, 1)],
  ["a.gif", "image/gif", gif],
  ["a.svg", "image/svg+xml", svg],
  ["a.woff2", "font/woff2", woff2()],
  ["a.ttf", "font/ttf", ttf()],
  ["a.ttf", "font/ttf", ttf({ signature: "true" })],
  ["a.ttf", "font/ttf", ttf({ signature: "OTTO" })],
  ["a.otf", "font/otf", ttf({ signature: "OTTO" })],
  ["a.otf", "font/otf", ttf()],
  ["a.woff", "font/woff", woff()],
  ["a.woff", "font/woff", woff({ flavor: "OTTO" })],
  ["open.otf", "font/otf", realFont("bwip-js/fonts/Inconsolata.otf")],
  ["noto.woff", "font/woff", realFont("@fontsource/noto-sans/files/noto-sans-latin-400-normal.woff")],
  ["A.PNG", "image/png", png(1, 1)],
])("a valid folder is read with its asset %s as %s", async (name, contentType, content) => {
  const { assets } = await contentOf({ [`assets/${name}`]: content });

  expect(assets).toEqual({ [name]: { contentType, base64: Buffer.from(content).toString("base64") } });
});

it("other files in a valid folder, such as a preview, do not change the template", async () => {
  const withPreview = await contentOf({ "preview.png": "PNG", "LICENSE.txt": "free" });

  expect(withPreview).toEqual(await contentOf());
});

it("a valid folder gives the same result when it is read twice, so a second push changes nothing", async () => {
  const directory = await folder({ "assets/b.gif": gif, "assets/a.gif": gif, "pages/2.liquid": "two" });

  const [first, second] = [await readTemplateFolder(directory), await readTemplateFolder(directory)];

  expect(JSON.stringify(first)).toBe(JSON.stringify(second));
});

it("an invalid folder is refused with the file, line and reason of each problem", async () => {
  const problems = await problemsOf({ "pages/1.liquid": "<p>\n{% nope %}", "style.css": "@import 'x.css';" });

  expect(problems).toEqual([
    { file: "pages/1.liquid", line: 2, reason: "there is no tag `nope`" },
    { file: "style.css", line: 1, reason: expect.stringContaining("@import") },
  ]);
});

it("an invalid folder is refused when one of its assets is a folder", async () => {
  const problems = await problemsOf({ "assets/icons.png/a.png": "x" });

  expect(problems.map(({ file }) => file)).toEqual(["assets/icons.png"]);
});

it.each([
  ["it does not exist", "/nowhere/at/all", "this folder does not exist"],
  ["its path is empty", "", "the path of the folder is empty"],
  ["it is the root of the file system", "/", "the root of the file system cannot be a template"],
  ["its path has a null character", "/tmp/a\0b", "the folder's name contains control characters"],
  ["its path is too long", `/tmp/${"a/".repeat(3_000)}`, "its path is too long"],
  ["its name is too long", `/tmp/${"a".repeat(300)}`, "its path is too long"],
])("an invalid folder is refused when %s", async (_what, path, reason) => {
  const result = await readTemplateFolder(path);

  expect(result).toEqual({ status: "broken", problems: [{ file: path || "DIR", line: 1, reason }], warnings: [] });
});

it("a file is refused as a template folder", async () => {
  const file = join(await folder(), "template.json");

  const result = await readTemplateFolder(file);

  expect(result).toMatchObject({ status: "broken", problems: [{ reason: "this is not a folder" }] });
});

it("a template folder is refused when its path is a symbolic link that leads to itself", async () => {
  const path = join(await newFolder(), "link");
  await symlink(path, path);

  const result = await readTemplateFolder(path);

  expect(result).toMatchObject({
    status: "broken",
    problems: [{ reason: expect.stringContaining("symbolic link") }],
  });
});

// The superuser may read every file.
it.skipIf(process.getuid?.() === 0)("an invalid folder is refused when a file may not be read", async () => {
  const directory = await folder();
  await chmod(join(directory, "pages/1.liquid"), 0);

  const result = await readTemplateFolder(directory);

  expect(result).toEqual({
    status: "broken",
    problems: [{ file: "pages/1.liquid", line: 1, reason: "it cannot be read: permission denied" }],
    warnings: [],
  });
});

const root = new URL("../../../../", import.meta.url).pathname;
const directories = ["templates", "bench"].flatMap((parent) =>
  readdirSync(join(root, parent))
    .map((name) => join(parent, name))
    .filter((directory) => existsSync(join(root, directory, "template.json"))),
);

it.each(directories)("the templates of the repository are valid, without warnings (%s)", async (directory) => {
  const result = await readTemplateFolder(join(root, directory));

  expect(result).toMatchObject({ status: "ok", folder: basename(directory), warnings: [] });
});
