// Bundles `src/page`, the script that runs inside a page of the browser, into a string constant of the Worker.
// `npm run page:build` writes the file. `npm run page:check` fails if the file is out of date.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const root = new URL("..", import.meta.url).pathname;
const output = "src/objects/rendering/page/page-script.generated.ts";

const generated = generatedModule(await bundle());
if (!process.argv.includes("--check")) {
  await writeFile(`${root}${output}`, generated);
} else if ((await readFile(`${root}${output}`, "utf8").catch(() => "")) !== generated) {
  console.error(`${output} is out of date. Run \`npm run page:build\`.`);
  process.exitCode = 1;
}

/**
 * Returns a JavaScript expression whose value is an object with the functions of the page script. Evaluating it adds no global names to the
 * page.
 */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ["src/page/page-script.ts"],
    tsconfig: "src/page/tsconfig.json",
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

function generatedModule(script: string): string {
  const literal = script.replace(/[\\`]|\$\{/g, "\\$&");
  return [
    "// Generated from `src/page` by `npm run page:build`. Edit the sources, not this file.",
    "",
    "/** A JavaScript expression. Inside a page, its value is `pageScript` of `src/page/page-script.ts`. */",
    `export const pageScript = \`${literal}\`;`,
    "",
  ].join("\n");
}
