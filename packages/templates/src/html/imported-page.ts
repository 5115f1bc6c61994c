// Makes the files of a template from a finished HTML page: its markup, its styles, and the local images and fonts. Reads only files inside
// the page's folder, and nothing over the network. Everything that cannot be used is left out and named in a warning.
import { readdir, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { lineCounter } from "colophon-base/line-counter";
import { quoted } from "colophon-base/text";
import { markupPieces } from "colophon-template-checks/markup-styles";
import { withEdits } from "colophon-template-model/reference-styles";
import type { FileWarning } from "colophon-template-model/template";
import { maxFileBytes, maxFolderBytes } from "colophon-template-model/template-files";
import { CommandError } from "../command.ts";
import { readEntry } from "../folder/folder-entries.ts";
import { foreignEngines } from "./foreign-engine.ts";
import { decodedFile } from "./local-files.ts";
import { takeTag, type OpenPage } from "./page-tags.ts";

/** `title` and `locale` are null if the page has none. */
export type ImportedPage = {
  title: string | null;
  locale: string | null;
  files: Record<string, string | Uint8Array>;
  warnings: FileWarning[];
};

/** Every style of the page overrides the layer. Margins of the paper differ between engines, so they stay as in other templates. */
const browserDefaults = `/* The defaults of browsers, with which the page was designed. */
@layer browser {
  :root { font: 16px serif }
  body { margin: 8px }
}`;

export async function importedPage(path: string): Promise<ImportedPage> {
  const { root, text } = await readPage(path);
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
    title: null,
    locale: null,
  };
  for (const index of page.pieces.keys()) await takeTag(page, index);
  const css = [browserDefaults, ...page.sheets].filter((sheet) => sheet !== "").join("\n\n");
  const texts = { "pages/1.liquid": `${markupOf(page)}\n`, "style.css": `${css}\n` };
  for (const [name, content] of Object.entries(texts)) checkSize(path, name, Buffer.byteLength(content));
  const files = Object.fromEntries(Array.from(assets.files, ([name, bytes]) => [`assets/${name}`, bytes]));
  const { title, locale, styles } = page;
  const engines = foreignEngines(texts["pages/1.liquid"]).join(" or ");
  const message = `the page is written for ${engines}; docs/coming-from.md says what to write instead`;
  const named = text.replace(/<\?xml-stylesheet[^>]*>/g, "");
  const beside = page.sheets.join("") === "" ? await readdir(root) : [];
  const unlinked = beside.filter((name) => /\.css$/i.test(name) && !named.includes(name));
  const messages = [
    ...(engines === "" ? [] : [message]),
    ...unlinked.toSorted().map((name) => `${quoted(name)} lies beside the page, but the page does not link it`),
  ];
  const warnings = [...messages.map((each) => ({ file: page.file, line: 1, message: each })), ...styles.warnings];
  return { title, locale, files: { ...texts, ...files }, warnings };
}

async function readPage(path: string): Promise<{ root: string; text: string }> {
  const root = await realpath(dirname(resolve(path))).catch(() => null);
  const read = root === null ? null : await readEntry(join(root, basename(path)), maxFolderBytes);
  if (root === null || !read || read.status === "missing") throw new CommandError(`there is no file ${path}`);
  if (read.status === "refused")
    throw new CommandError(`${path}: ${read.reason.replace(/; a template folder .*/, "")}`);
  const text = decodedFile(read.bytes, /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w-]+)/i);
  if (text === null) throw new CommandError(`${path} does not match its declared encoding; save it as UTF-8`);
  return { root, text };
}

/** The declarations before the first tag do not belong in a page file. */
function markupOf({ text, pieces, edits }: OpenPage): string {
  const start = text.slice(0, pieces.find(({ kind }) => kind !== "text")?.start);
  const declarations = Array.from(start.matchAll(/<(?:!doctype\b|\?xml\b)[^>]*>/gi), ({ index, 0: written }) => {
    return { start: index, end: index + written.length, text: "" };
  });
  return withEdits(
    text,
    [...declarations, ...edits].sort((a, b) => a.start - b.start),
  ).trim();
}

function checkSize(path: string, name: string, bytes: number): void {
  if (bytes <= maxFileBytes(name)) return;
  const [size, max] = [bytes, maxFileBytes(name)].map((each) => each.toLocaleString("en-US"));
  throw new CommandError(`${path} is too large: ${name} would have ${size} bytes; at most ${max} are allowed`);
}
