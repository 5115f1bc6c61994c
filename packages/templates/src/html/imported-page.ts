// Makes the files of a template from a finished HTML page: its markup, its styles, and the local images and fonts. Reads only files inside
// the page's folder, and nothing over the network. Everything that cannot be used is left out and named in a warning.
import { realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { lineCounter } from "colophon-base/line-counter";
import { markupPieces } from "colophon-template-checks/markup-styles";
import { withEdits } from "colophon-template-model/reference-styles";
import type { FileWarning } from "colophon-template-model/template";
import { maxFileBytes, maxFolderBytes } from "colophon-template-model/template-files";
import { CommandError } from "../command.ts";
import { readEntry } from "../folder/folder-entries.ts";
import { foreignEngines } from "./foreign-engine.ts";
import { decodedFile } from "./local-files.ts";
import { withoutPageSize, type PageSettings } from "./page-size.ts";
import { takeTag, type OpenPage } from "./page-tags.ts";

/** `settings` are members of `template.json`; `title` is null if the page has none. */
export type ImportedPage = {
  title: string | null;
  settings: PageSettings & { locale?: string };
  files: Record<string, string | Uint8Array>;
  warnings: FileWarning[];
};

export async function importedPage(path: string): Promise<ImportedPage> {
  const root = await realpath(dirname(resolve(path))).catch(() => null);
  const read = root === null ? null : await readEntry(join(root, basename(path)), maxFolderBytes);
  if (root === null || !read || read.status === "missing") throw new CommandError(`there is no file ${path}`);
  if (read.status === "refused") throw new CommandError(`${path}: ${read.reason}`);
  const text = decodedFile(path, read.bytes, /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w-]+)/i);
  const assets = { root, files: new Map<string, Uint8Array>(), names: new Map<string, string>(), base64Chars: 0 };
  const page: OpenPage = {
    file: basename(path),
    text,
    pieces: markupPieces(text).pieces,
    lineAt: lineCounter(text),
    styles: { assets, warnings: [], open: [], sheets: 0, chars: 0 },
    edits: [],
    cutUntil: 0,
    kept: new Set(),
    sheets: [],
    sources: null,
    title: null,
    locale: null,
  };
  for (const index of page.pieces.keys()) await takeTag(page, index);
  const first = page.pieces.find(({ kind }) => kind !== "text");
  for (const { index, 0: written } of text.slice(0, first?.start).matchAll(/<(?:!doctype\b|\?xml\b)[^>]*>/gi))
    page.edits.push({ start: index, end: index + written.length, text: "" });
  const { css, settings } = withoutPageSize(page.sheets.filter((sheet) => sheet !== "").join("\n\n"));
  const edits = page.edits.toSorted((a, b) => a.start - b.start);
  const texts = { "pages/1.liquid": `${withEdits(text, edits).trim()}\n`, "style.css": `${css}\n` };
  for (const [name, content] of Object.entries(texts)) {
    const [bytes, max] = [Buffer.byteLength(content), maxFileBytes(name)];
    const limit = `at most ${max.toLocaleString("en-US")} are allowed`;
    if (bytes > max)
      throw new CommandError(
        `${path} is too large: ${name} would have ${bytes.toLocaleString("en-US")} bytes; ${limit}`,
      );
  }
  const files = Object.fromEntries(Array.from(assets.files, ([name, bytes]) => [`assets/${name}`, bytes]));
  const engines = foreignEngines(texts["pages/1.liquid"]).join(" or ");
  const message = `the page is written for ${engines}; docs/coming-from.md says what to write instead`;
  if (engines !== "") page.styles.warnings.unshift({ file: page.file, line: 1, message });
  const { title, locale } = page;
  return {
    title,
    settings: { ...settings, ...(locale && { locale }) },
    files: { ...texts, ...files },
    warnings: page.styles.warnings,
  };
}
