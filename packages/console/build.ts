// Builds the files of the page at /console.
import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { uiStyles } from "colophon-ui/styles";

const folder = import.meta.dirname;

/** `html` refers to the other files as `style.css` and `start.js`. */
export async function consoleFiles(): Promise<{ html: string; style: string; script: string }> {
  const [html, style, { frame, controls }, script] = await Promise.all([
    readFile(`${folder}/console.html`, "utf8"),
    readFile(`${folder}/src/style.css`, "utf8"),
    uiStyles(),
    bundled(),
  ]);
  return { html, style: [frame, controls, style].join("\n"), script };
}

async function bundled(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: ["src/start.tsx"],
    tsconfig: "tsconfig.json",
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
  });
  return outputFiles.map(({ text }) => text).join("");
}
