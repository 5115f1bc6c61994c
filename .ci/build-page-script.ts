// `npm run page:build`: bundles `src/page`, the program that runs inside the browser's page, into one string constant that
// the Worker can send to the page. `npm run page:check` fails when the stored file differs from the bundle of the current
// sources.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const root = new URL("..", import.meta.url).pathname;
const output = "src/objects/rendering/page-script.generated.ts";

const generated = generatedModule(await bundle());
if (!process.argv.includes("--check")) {
  await writeFile(`${root}${output}`, generated);
} else if ((await readFile(`${root}${output}`, "utf8").catch(() => "")) !== generated) {
  console.error(`${output} is out of date: run \`npm run page:build\`.`);
  process.exitCode = 1;
}

/**
 * Returns the source of an expression that evaluates to the function `preparePage` and declares no global name in the page.
 */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/page/prepare-page.ts"],
    tsconfig: "src/page/tsconfig.json",
    bundle: true,
    write: false,
    format: "esm",
    target: "esnext",
  });
  const module = outputFiles.map(({ text }) => text).join("");
  const onlyExport = "export {\n  preparePage\n};\n";
  if (!module.endsWith(onlyExport)) throw new Error("The bundle must have preparePage as its only export.");
  return `(() => {\n"use strict";\n${module.slice(0, -onlyExport.length)}return preparePage;\n})()`;
}

function generatedModule(script: string): string {
  const literal = script.replace(/[\\`]|\$\{/g, "\\$&");
  return [
    "// Generated from src/page by `npm run page:build`; edit the sources there.",
    "",
    "/** Evaluates, inside a page, to the function `preparePage` of `src/page/prepare-page.ts`. */",
    `export const pageScript = \`${literal}\`;`,
    "",
  ].join("\n");
}
