import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { isReport, type CommandReport } from "colophon-templates/command";
import { pushTemplates } from "../../../src/cli/commands/template-push.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeServices } from "../../fakes/services.ts";
import { fakeTemplateStore } from "../../fakes/templates.ts";
import { validFiles, type Files } from "../../fixtures/template-files.ts";

const root = await mkdtemp(join(tmpdir(), "colophon-push-"));
afterAll(() => rm(root, { recursive: true }));
let folders = 0;

/** Creates a folder with these templates, each a valid one with some files changed, and with other files. */
async function folderOf(templates: Record<string, Files>, others: Files = {}): Promise<string> {
  const directory = join(root, `templates-${folders++}`);
  const files = Object.entries(templates).flatMap(([name, changes]) =>
    Object.entries({ ...validFiles, ...changes }).map(([path, content]) => [`${name}/${path}`, content] as const),
  );
  for (const [path, content] of [...files, ...Object.entries(others)]) {
    if (content !== null) await write(directory, path, content);
  }
  return directory;
}

async function write(directory: string, path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(directory, path)), { recursive: true });
  await writeFile(join(directory, path), content);
}

function world() {
  const { state, now, newId } = fakeServices();
  const templates = fakeTemplateStore({ state });
  const accounts = { findAccount: (id: string) => Promise.resolve(id === "a" ? {} : null) };
  const services = { accounts, templates, now, newId } as unknown as OperatorServices;
  const push = async (DIR: string, options: Record<string, string> = {}): Promise<CommandReport> => {
    const result = await pushTemplates(services, { DIR, account: "a", all: "on", ...options });
    if (!isReport(result)) throw new Error("it pushed one template");
    return result;
  };
  return { templates, push };
}

const firstWords = ({ lines }: CommandReport) => lines.map((line) => line.trim().split(/\s+/).slice(0, 3).join(" "));

describe("template push --all", () => {
  it("says of every folder with a template.json whether it has changed", async () => {
    const directory = await folderOf(
      { b: {}, a: {} },
      { "README.md": "x", "notes/a.txt": "x", ".hidden/template.json": "{}" },
    );
    const { push, templates } = world();

    const first = await push(directory);
    await write(directory, "b/pages/1.liquid", "changed for {{ name }}");
    const second = await push(directory);

    expect(firstWords(first)).toEqual(["changed a version=1", "changed b version=1"]);
    expect(firstWords(second)).toEqual(["unchanged a version=1", "changed b version=2"]);
    expect(second.entries).toMatchObject([
      { folder: "a", status: "unchanged", template: { version: 1 }, warnings: [] },
      { folder: "b", status: "changed", template: { version: 2 } },
    ]);
    expect([first.hasFailures, second.hasFailures]).toEqual([false, false]);
    expect(await templates.listAll("a")).toHaveLength(2);
  });

  it("warns if it changes the title of a template, because it may have replaced a different one", async () => {
    const titled = (title: string) =>
      validFiles["template.json"]?.toString().replace(/"title": ?"[^"]*"/, `"title": "${title}"`);
    const directory = await folderOf({ a: { "template.json": titled("Invoice") ?? null } });
    const { push } = world();
    const first = await push(directory);
    await write(directory, "a/pages/1.liquid", "changed for {{ name }}");
    const sameTitle = await push(directory);

    await write(directory, "a/template.json", titled("Letter") ?? "");
    const report = await push(directory);

    const [{ template }] = report.entries as [{ template: { id: string } }];
    const message = `this replaces version 2 of “a”, whose title was “Invoice”; \`template rollback --id ${template.id} --to 2\` undoes it`;
    expect([first, sameTitle].map(({ lines }) => lines.length)).toEqual([1, 1]);
    expect(report.entries).toMatchObject([{ warnings: [{ file: "template.json", line: 1, message }] }]);
    expect(report.lines[1]).toBe(`  warning: template.json:1: ${message}`);
  });

  it("makes a new version of exactly those templates that use a shared file which has changed", async () => {
    const uses = { "pages/1.liquid": "{% render 'row' %}{{ name }}" };
    const directory = await folderOf(
      { a: uses, b: {}, c: uses },
      { "shared/parts/row.liquid": "1", "shared/parts/other.liquid": "1" },
    );
    const { push } = world();
    await push(directory);

    await write(directory, "shared/parts/other.liquid", "2");
    const unrelated = await push(directory);
    await write(directory, "shared/parts/row.liquid", "2");
    const related = await push(directory);

    expect(firstWords(unrelated)).toEqual(["unchanged a version=1", "unchanged b version=1", "unchanged c version=1"]);
    expect(firstWords(related)).toEqual(["changed a version=2", "unchanged b version=1", "changed c version=2"]);
  });

  it("pushes the other templates when it lists the problems of some", async () => {
    const directory = await folderOf({
      a: { "pages/1.liquid": "\n{% nope %}" },
      b: {},
      c: { "template.json": "{", "sample.json": null },
    });
    const { push } = world();

    const report = await push(directory);

    expect(report.hasFailures).toBe(true);
    expect(report.lines.slice(0, 2)).toEqual(["refused    a", "  pages/1.liquid:2: there is no tag `nope`"]);
    expect(report.entries).toMatchObject([
      { folder: "a", status: "refused", problems: ["pages/1.liquid:2: there is no tag `nope`"] },
      { folder: "b", status: "changed" },
      { folder: "c", status: "refused", problems: [expect.any(String), expect.stringMatching(/^sample\.json:1: /)] },
    ]);
  });

  it("pushes the other templates when one cannot be stored", async () => {
    const directory = await folderOf({ a: {}, b: {} });
    const { push, templates } = world();
    const { insert } = templates;
    templates.insert = (template, folder) =>
      folder === "a" ? Promise.reject(new Error("D1 is down")) : insert(template, folder);

    const report = await push(directory);

    expect(report.entries).toMatchObject([
      { folder: "a", status: "refused", problems: ["D1 is down"] },
      { folder: "b", status: "changed" },
    ]);
  });

  it("leaves out symbolic links", async () => {
    const directory = await folderOf({ a: {} });
    await symlink(join(directory, "a"), join(directory, "b"));
    const { push } = world();

    expect((await push(directory)).entries).toMatchObject([{ folder: "a", status: "changed" }]);
  });

  it("refuses a folder without templates as well as an unknown account or an id", async () => {
    const directory = await folderOf({}, { "a/notes.txt": "x" });
    const { push } = world();

    await expect(push(directory)).rejects.toThrow(`there is no template in ${directory}`);
    await expect(push(join(directory, "missing"))).rejects.toThrow(/cannot be read: ENOENT/);
    await expect(push(directory, { account: "unknown" })).rejects.toThrow("there is no account unknown");
    await expect(push(directory, { id: "x" })).rejects.toThrow("--id names one template");
  });
});
