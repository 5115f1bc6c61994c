// Bundles the page script into `dist/bundle.js`, a module that exports it as a string. The file is not committed: every command
// that starts, tests or deploys the Worker builds it first. Run as a program, this module builds it.
import { randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const folder = import.meta.dirname;
const output = `${folder}/dist/bundle.js`;

/** Idempotent: an up-to-date file is not touched, so a running service does not reload. */
export async function buildPageScript(): Promise<void> {
  const generated = `export const pageScript = ${JSON.stringify(await bundled())};\n`;
  if ((await readFile(output, "utf8").catch(() => "")) === generated) return;
  await mkdir(`${folder}/dist`, { recursive: true });
  // Services that start at the same time may build it together.
  const temporary = `${output}.${randomUUID()}`;
  await writeFile(temporary, generated);
  await rename(temporary, output);
}

/**
 * Returns a JavaScript expression whose value is an object with the functions of the page script. Evaluating it adds no global
 * names to the page.
 */
async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["src/page-script.ts"],
    tsconfig: "tsconfig.json",
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
  });
  const module = outputFiles.map(({ text }) => text).join("");
  const onlyExport = "export {\n  pageScript\n};\n";
  if (!module.endsWith(onlyExport)) throw new Error("The bundle must have pageScript as its only export.");
  return `(() => {\n"use strict";\n${module.slice(0, -onlyExport.length)}return pageScript;\n})()`;
}

if (import.meta.main) await buildPageScript();
