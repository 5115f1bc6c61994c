// Builds the page of `template dev`. It is built in memory at each start, and is not deployed.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build } from "esbuild";
import { uiStyles } from "colophon-ui/styles";

const source = join(import.meta.dirname, "../../dev-page");

export type PageFile = { contentType: string; content: string | Buffer };

const script = "text/javascript; charset=utf-8";

/** Returns the files, by path on the server. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const [html, style, start, worker] = await Promise.all([
    readFile(join(source, "index.html")),
    pageStyle(),
    bundled(join(source, "start.tsx")),
    readFile(createRequire(import.meta.url).resolve("pdfjs-dist/legacy/build/pdf.worker.min.mjs")),
  ]);
  return new Map([
    ["/", { contentType: "text/html; charset=utf-8", content: html }],
    ["/style.css", { contentType: "text/css; charset=utf-8", content: style }],
    ["/start.js", { contentType: script, content: start }],
    ["/pdf.worker.js", { contentType: script, content: worker }],
  ]);
}

/** Returns the styles of the page, which the test report also uses. */
export async function pageStyle(): Promise<string> {
  const [{ frame, controls }, own] = await Promise.all([uiStyles(), readFile(join(source, "style.css"), "utf8")]);
  return [frame, controls, own].join("\n");
}

/** Returns the file bundled with everything that it imports. */
export async function bundled(file: string, minify = true): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: "esm",
    minify,
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}
