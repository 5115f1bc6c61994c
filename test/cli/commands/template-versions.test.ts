import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { templateVersionCommands } from "../../../src/cli/commands/template-versions.ts";
import { readTemplateFolder } from "../../../src/cli/templates/template-folder.ts";
import { base64 } from "../../../src/core/encoding.ts";
import { pushTemplate } from "../../../src/operations/templates/push-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { png } from "../../fixtures/images.ts";
import { templateContent } from "../../fixtures/tenant.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-versions-"));
afterAll(() => rm(root, { recursive: true }));
let folders = 0;
const newPath = () => join(root, `folder-${folders++}`);

const sampleData = { name: "Ada" };
const picture = png(1, 1);
const logo = { contentType: "image/png", base64: base64(picture) };

/** Pushes a template with these pages, one version after the other. */
async function world(...pages: string[]) {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const services = { templates, now, newId } as unknown as OperatorServices;
  let id = "";
  for (const page of pages) {
    const content = templateContent({ page, content: { sampleData, assets: { "logo.png": logo } } });
    const result = await pushTemplate(services, { accountId: "a", folder: "letter", content });
    if (result.status === "pushed") id = result.template.id;
  }
  const run = (verb: string, options: Record<string, string> = {}) =>
    templateVersionCommands[`template ${verb}`]?.run(services, { id, ...options });
  return { id, templates, run };
}

describe("template versions", () => {
  it("lists all versions, newest first", async () => {
    const { run } = await world("one", "two");

    expect(await run("versions")).toMatchObject({
      versions: [
        { version: 2, title: "Test template", pagesCount: 1 },
        { version: 1, title: "Test template", pagesCount: 1 },
      ],
    });
  });

  it("refuses an unknown template", async () => {
    const { run } = await world("one");

    await expect(run("versions", { id: "unknown" })).rejects.toThrow("there is no template unknown");
  });
});

describe("template rollback", () => {
  it("makes an earlier content the newest version", async () => {
    const { id, templates, run } = await world("one", "two");

    expect(await run("rollback", { to: "1" })).toEqual({ id, version: 3, content: "version 1", changed: true });

    const newest = await templates.findById(id);
    expect(newest && (await templates.content(newest)).pages).toEqual([{ name: "1.liquid", source: "one" }]);
  });

  it.each([
    ["7", "the template has no version 7; its versions are 1 to 2"],
    ["0", '--to must be the number of a version, got "0"'],
    ["1.5", '--to must be the number of a version, got "1.5"'],
  ])("refuses version %s", async (to, message) => {
    const { run } = await world("one", "two");

    await expect(run("rollback", { to })).rejects.toThrow(message);
  });
});

describe("template pull", () => {
  it("writes a folder that a push would not change", async () => {
    const { id, run, templates } = await world("one", "two");
    const folder = newPath();

    expect(await run("pull", { DIR: folder })).toMatchObject({ id, version: 2, folder });

    const read = await readTemplateFolder(folder);
    const newest = await templates.findById(id);
    expect(read.status === "ok" && read.content).toEqual(newest && (await templates.content(newest)));
  });

  it("writes an earlier version", async () => {
    const { run } = await world("one", "two");
    const folder = newPath();

    await run("pull", { DIR: folder, version: "1" });

    expect(await readFile(join(folder, "pages/1.liquid"), "utf8")).toBe("one");
  });

  it("leaves a folder with content as it is", async () => {
    const { run } = await world("one", "two");
    const folder = newPath();
    await run("pull", { DIR: folder, version: "1" });

    await expect(run("pull", { DIR: folder })).rejects.toThrow(
      `${folder} exists already; name a folder that does not exist or is empty`,
    );

    expect(await readFile(join(folder, "pages/1.liquid"), "utf8")).toBe("one");
  });

  it("writes nothing if there is no such version", async () => {
    const { run } = await world("one");
    const folder = newPath();

    await expect(run("pull", { DIR: folder, version: "2" })).rejects.toThrow("the template has no version 2");

    expect(existsSync(folder)).toBe(false);
  });
});

describe("template diff", () => {
  it("finds no difference in a folder that was pulled", async () => {
    const { id, run } = await world("one");
    const folder = newPath();
    await run("pull", { DIR: folder });

    expect(await run("diff", { DIR: folder })).toEqual({ id, version: 1, changed: false, files: [] });
  });

  it("shows changed, added and removed files", async () => {
    const { run } = await world("one\ntwo\n");
    const folder = newPath();
    await run("pull", { DIR: folder });
    await writeFile(join(folder, "pages/1.liquid"), "one\nthree\n");
    await writeFile(join(folder, "footer.liquid"), "\u001b[31mPage");
    await rm(join(folder, "assets/logo.png"));

    await expect(run("diff", { DIR: folder })).rejects.toThrow(
      "footer.liquid:1: the line contains the control character",
    );
    await writeFile(join(folder, "footer.liquid"), "Page\n");

    expect(await run("diff", { DIR: folder })).toMatchObject({
      changed: true,
      files: [
        { file: "assets/logo.png", change: "removed", text: `assets/logo.png: removed (${picture.length} bytes)` },
        { file: "footer.liquid", change: "added", text: "--- /dev/null\n+++ b/footer.liquid\n@@ -0,0 +1,1 @@\n+Page" },
        {
          file: "pages/1.liquid",
          change: "changed",
          text: "--- a/pages/1.liquid\n+++ b/pages/1.liquid\n@@ -1,2 +1,2 @@\n one\n-two\n+three",
        },
      ],
    });
  });

  it("compares with an earlier version", async () => {
    const { run } = await world("one", "two");
    const folder = newPath();
    await run("pull", { DIR: folder });

    expect(await run("diff", { DIR: folder, version: "1" })).toMatchObject({ version: 1, changed: true });
  });

  it("compares a folder with mistakes that do not prevent a render if `lenient`", async () => {
    const { run } = await world("one");
    const folder = newPath();
    await run("pull", { DIR: folder });
    await writeFile(join(folder, "pages/1.liquid"), "{{ numbr }}");

    await expect(run("diff", { DIR: folder })).rejects.toThrow("pages/1.liquid:1: `numbr`");
    expect(await run("diff", { DIR: folder, lenient: "on" })).toMatchObject({ changed: true });
  });

  it("lists the problems of a broken folder", async () => {
    const { run } = await world("one");
    const folder = newPath();
    await run("pull", { DIR: folder });
    await writeFile(join(folder, "pages/1.liquid"), "{% if %}");

    await expect(run("diff", { DIR: folder })).rejects.toThrow("pages/1.liquid:1: ");
  });
});
