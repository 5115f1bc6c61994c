// A push by the command and a push over HTTP report the same problems in a template.
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { templateZip } from "colophon-template-model/template-zip";
import { readTemplateFolder } from "../../../packages/templates/src/folder/template-folder.ts";
import type { Account } from "../../../src/core/accounts/account.ts";
import { ServiceError } from "../../../src/core/errors.ts";
import { putTemplate } from "../../../src/operations/manage/put-template.ts";
import type { OperatorServices } from "../../../src/ports/services.ts";
import { fakeServices } from "../../fakes/services.ts";
import { makeMistake, mistakes } from "../../fixtures/template-mistakes.ts";

const samples = new URL("../../../templates/", import.meta.url).pathname;
let folder: string;
beforeAll(async () => {
  folder = join(await mkdtemp(join(tmpdir(), "colophon-verdict-")), "invoice");
  await cp(join(samples, "invoice"), folder, { recursive: true });
});
afterAll(() => rm(join(folder, ".."), { recursive: true }));

type Place = { line?: number; message: string };
const shown = (file: string, { line, message }: Place) => `${file}:${line} ${message}`;

/** The command's findings. Only the command has warnings about CSS. */
async function ofCommand(directory: string): Promise<string[]> {
  const read = await readTemplateFolder(directory);
  return read.status === "broken"
    ? read.problems.map(({ file, line, reason }) => shown(file, { line, message: reason }))
    : read.warnings.filter(({ file }) => !file.endsWith(".css")).map((each) => `warning ${shown(each.file, each)}`);
}

async function ofService(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const files = paths.map(async (path) => ({ path: path.slice(directory.length + 1), bytes: await readFile(path) }));
  const zip = templateZip(await Promise.all(files));
  const services = fakeServices();
  const manage = { ...services, templates: { find: async () => null } } as unknown as OperatorServices;
  const input = { folder: "invoice", readZip: async () => zip, lenient: false, dryRun: true, actor: "a" };
  try {
    const { warnings } = await putTemplate(services, manage, { id: crypto.randomUUID() } as Account, input);
    return warnings.map((each) => `warning ${shown(each.file, each)}`);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.details ?? []).map((each) => shown(each.path, each));
  }
}

it.each(mistakes)("a push by command and a push over HTTP report the same about $name", async (mistake) => {
  const correct = await makeMistake(folder, mistake);

  const [command, service] = [await ofCommand(folder), await ofService(folder)];
  await correct();

  expect(service).toEqual(command);
  expect(service.join("\n")).toContain(mistake.message);
});

it.each([
  ["a field that does not exist", "{{ curse }}"],
  ["an element that is never closed", "<div>"],
  ["a remote image", '<img src="https://example.com/a.png">'],
  ["a handler that never runs", '<p onclick="x">x</p>'],
])("a push by command and a push over HTTP report the same problems about %s", async (_what, added) => {
  const page = join(folder, "pages/1.liquid");
  const before = await readFile(page, "utf8");
  await writeFile(page, before + added);

  const [command, service] = [await ofCommand(folder), await ofService(folder)];
  await writeFile(page, before);

  expect(service).toEqual(command);
  expect(service).toHaveLength(1);
});

it("a push by command and a push over HTTP accept every sample", async () => {
  const own = (await readdir(samples, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of own) {
    const directory = join(samples, name);
    expect([name, ...(await ofService(directory))]).toEqual([name, ...(await ofCommand(directory))]);
  }
});
