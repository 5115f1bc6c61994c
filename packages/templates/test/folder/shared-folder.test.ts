import { mkdir, rm, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { svg, validFiles, type Files } from "colophon-test-kit/template-files";
import { readTemplateFolder } from "../../src/folder/template-folder.ts";
import { inFolder, newFolder } from "../folders.ts";

const uses = { "letter/pages/1.liquid": "{% render 'row' %}{{ 'logo.svg' | asset }}" };
const shared = { "shared/parts/row.liquid": "row", "shared/assets/logo.svg": svg };

/** Creates a folder with the template `letter` and these files. Returns the path of the folder. */
const parentFolder = (changes: Files) => newFolder({ ...inFolder("letter", validFiles), ...changes });

async function outcomeOf(parent: string) {
  const result = await readTemplateFolder(join(parent, "letter"));
  return result.status === "ok" ? result.content : result.problems.map(({ file, reason }) => `${file}: ${reason}`);
}

const link = "this is a symbolic link; a template folder must not contain any";

it("the folder `shared` next to a template provides the parts and assets that the template uses", async () => {
  const parent = await parentFolder({ ...uses, ...shared, "shared/notes.txt": "x", "shared/parts/.hidden": "x" });

  expect(await outcomeOf(parent)).toMatchObject({
    parts: [{ file: "shared/parts/row.liquid", source: "row" }],
    assets: { "logo.svg": { contentType: "image/svg+xml" } },
  });
});

it("the folder `shared` next to a template may be missing", async () => {
  expect(await outcomeOf(await parentFolder({}))).toMatchObject({ assets: {} });
});

it("`shared` may be a file if the template needs nothing from it", async () => {
  expect(await outcomeOf(await parentFolder({ shared: "x" }))).toMatchObject({ assets: {} });
});

it("the folder `shared` next to a template is refused if it is a symbolic link, even to a folder in the same place", async () => {
  const parent = await parentFolder({ ...uses, "other/parts/row.liquid": "x" });
  await symlink(join(parent, "other"), join(parent, "shared"));

  expect(await outcomeOf(parent)).toContain(`shared: ${link}`);
});

it.each(["parts", "assets", "styles", "notes"])("the folder `shared` is refused if `%s` is a link", async (name) => {
  const parent = await parentFolder({
    ...uses,
    ...shared,
    [`shared/${name}/x`]: null,
    "other/row.liquid": "secret",
  });
  await rm(join(parent, "shared", name), { recursive: true, force: true });
  await symlink(join(parent, "other"), join(parent, "shared", name));

  expect(await outcomeOf(parent)).toContain(`shared/${name}: ${link}`);
});

it.each(["parts/row.liquid", "parts/other.liquid", "assets/logo.svg", "styles/.hidden"])(
  "the folder `shared` beside a template is refused if its file %s is a symbolic link",
  async (name) => {
    const parent = await parentFolder({ ...uses, ...shared, "secret.txt": "secret" });
    await mkdir(dirname(join(parent, "shared", name)), { recursive: true });
    await rm(join(parent, "shared", name), { force: true });
    await symlink(join(parent, "secret.txt"), join(parent, "shared", name));

    expect(await outcomeOf(parent)).toContain(`shared/${name}: ${link}`);
  },
);

it("the folder `shared` next to a template is refused if a folder in it has a name with capital letters", async () => {
  const parent = await parentFolder({ ...uses, ...shared, "shared/Styles/a.css": "" });

  expect(await outcomeOf(parent)).toEqual(["shared/Styles: its name must be written as styles"]);
});

it("the folder `shared` is looked for next to the given path, even if that path is a symbolic link", async () => {
  const parent = await parentFolder({ ...shared, "letter/pages/1.liquid": "{% render 'row' %}" });
  const other = await parentFolder({ "letter/pages/1.liquid": "x" });
  await symlink(join(parent, "letter"), join(other, "link"));

  const result = await readTemplateFolder(join(other, "link"));

  expect(result.status === "broken" && result.problems[0]?.reason).toMatch(/there is no part `row`/);
});

it("the folder `parts` of a template must not contain symbolic links", async () => {
  const parent = await parentFolder({ "secret.txt": "secret", "letter/parts/a.liquid": "x" });
  await symlink(join(parent, "secret.txt"), join(parent, "letter/parts/b.liquid"));

  expect(await outcomeOf(parent)).toEqual([`parts/b.liquid: ${link}`]);
});
