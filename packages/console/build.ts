// Builds the files of the page at /console.
import { build } from "esbuild";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const folder = import.meta.dirname;

export type ConsoleFiles = { html: string; style: string; script: string };

/** `html` names the others `style.css` and `start.js`. */
export async function consoleFiles(): Promise<ConsoleFiles> {
  const shared = ["frame", "controls"].map((name) => createRequire(import.meta.url).resolve(`colophon-ui/${name}.css`));
  const [html, ...styles] = await Promise.all(
    [`${folder}/console.html`, ...shared, `${folder}/src/style.css`].map((file) => readFile(file, "utf8")),
  );
  return { html: html ?? "", style: styles.join("\n"), script: await bundled() };
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
