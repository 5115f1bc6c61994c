// Reads the files of a template folder from the disk. `core` decides whether they form a valid template.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import type { TemplateContent } from "../../core/templates/template.ts";
import {
  validateTemplate,
  type FileProblem,
  type FolderEntry,
  type TemplateFiles,
} from "../../core/templates/folder/validate-template.ts";

export type FolderResult =
  | { status: "ok"; folder: string; content: TemplateContent }
  | { status: "broken"; problems: FileProblem[] };

export async function readTemplateFolder(directory: string): Promise<FolderResult> {
  if (!existsSync(directory)) {
    return { status: "broken", problems: [{ file: directory, line: 1, reason: "there is no such folder" }] };
  }
  const validated = validateTemplate(await readFiles(directory));
  if (validated.status === "broken") return validated;
  return { status: "ok", folder: basename(resolve(directory)), content: validated.content };
}

async function readFiles(directory: string): Promise<TemplateFiles> {
  const text = (file: string) => nullIfMissing(readFile(join(directory, file), "utf8"));
  return {
    manifest: await text("template.json"),
    sample: await text("sample.json"),
    css: await text("style.css"),
    header: await text("header.liquid"),
    footer: await text("footer.liquid"),
    pages: await readEntries(join(directory, "pages"), (path) => readFile(path, "utf8")),
    assets: await readEntries(join(directory, "assets"), (path) => readFile(path)),
  };
}

/**
 * Returns the entries of a folder. The content of an entry is null if the entry is not a file. Hidden files are
 * skipped, because operating systems add such files to folders. A missing folder has no entries.
 */
async function readEntries<T>(folder: string, read: (path: string) => Promise<T>): Promise<FolderEntry<T>[]> {
  const found = (await nullIfMissing(readdir(folder, { withFileTypes: true }))) ?? [];
  const entries = found.filter(({ name }) => !name.startsWith("."));
  return Promise.all(
    entries.map(async (entry) => ({
      name: entry.name,
      content: entry.isFile() ? await read(join(folder, entry.name)) : null,
    })),
  );
}

async function nullIfMissing<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) return null;
    throw error;
  }
}
