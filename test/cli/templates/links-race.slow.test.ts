// A program that replaces files and folders of a template with symbolic links, again and again, while the template is read.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { readTemplateFolder } from "../../../src/cli/templates/template-folder.ts";
import { validFiles } from "../../fixtures/template-files.ts";

const secret = "a secret of the host";
const reads = 500;

/** Programs for a child process. Each changes the template at `directory` until the process is killed. */
const swaps = {
  "a page is replaced": `
    for (;;) {
      fs.symlinkSync(outside + "/1.liquid", directory + "/link");
      fs.renameSync(directory + "/link", directory + "/pages/1.liquid");
      fs.writeFileSync(directory + "/file", "<p>");
      fs.renameSync(directory + "/file", directory + "/pages/1.liquid");
    }`,
  "the folder of the pages is replaced": `
    for (;;) {
      fs.renameSync(directory + "/pages", directory + "/kept");
      fs.symlinkSync(outside, directory + "/pages");
      wait();
      fs.unlinkSync(directory + "/pages");
      fs.renameSync(directory + "/kept", directory + "/pages");
      wait();
    }`,
};

let swapper: ChildProcess | undefined;
const made: string[] = [];
afterEach(async () => {
  swapper?.kill("SIGKILL");
  if (swapper?.exitCode === null && swapper.signalCode === null) await once(swapper, "exit");
  await Promise.all(made.splice(0).map((directory) => rm(directory, { recursive: true, force: true })));
});

it.each(Object.entries(swaps))("never reads a file outside the template while %s by a link", async (_what, program) => {
  const [directory, outside] = [await mkdtemp(join(tmpdir(), "colophon-race-")), await mkdtemp(join(tmpdir(), "colophon-secret-"))];
  made.push(directory, outside);
  await mkdir(join(directory, "pages"));
  for (const [path, content] of Object.entries(validFiles)) await writeFile(join(directory, path), content ?? "");
  await writeFile(join(outside, "1.liquid"), secret);
  const setUp = `const fs = require("fs"), [directory, outside] = process.argv.slice(1);
    const wait = () => { for (const end = performance.now() + Math.random() / 2; performance.now() < end; ); };`;
  swapper = spawn(process.execPath, ["-e", setUp + program, directory, outside], { stdio: "ignore" });
  await once(swapper, "spawn");

  const results = [];
  for (let read = 0; read < reads; read++) results.push(JSON.stringify(await readTemplateFolder(directory)));

  expect(swapper.exitCode).toBeNull();
  expect(new Set(results).size).toBeGreaterThan(1);
  expect(results.filter((result) => result.includes(secret))).toEqual([]);
});
