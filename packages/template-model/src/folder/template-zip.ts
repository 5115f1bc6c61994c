// A template folder as a zip, for uploads and downloads. Writes zips, and reads untrusted zips by the rules for a folder on disk:
// other files and hidden files are ignored, and names must not differ from known names only in case.
import { crc32, deflateRawSync } from "node:zlib";
import { shortened } from "colophon-base/text";
import { fileNameProblems } from "./file-names.ts";
import {
  maxEntries,
  maxFileBytes,
  maxFolderBytes,
  maxProblems,
  sharedFolder,
  sharedSubfolders,
  singleFiles,
  subfolders,
  type FileProblem,
  type TemplateFile,
  type TemplateFiles,
  caseReason,
  notFileReason,
  notFolderReason,
  tooLargeReason,
  tooManyReason,
} from "./template-files.ts";
import { BrokenZip, inflateEntry, zipEntries, type ZipEntry } from "./zip-entries.ts";

/**
 * The maximum size of a zip. Its files, including shared ones, may have `maxFolderBytes` in total: with the base64 of its assets and
 * the text of the version, a template of that size takes three quarters of a Worker's memory.
 */
export const maxZipBytes = maxFolderBytes + 1_000_000;

const rootNames: string[] = [...singleFiles, ...subfolders, sharedFolder];
const folders = [...subfolders, ...sharedSubfolders.map((name) => `${sharedFolder}/${name}`)];

/** Returns a zip of the files. The same files give the same bytes, whatever their order. */
export function templateZip(files: TemplateFile[]): Uint8Array {
  const entries = files.map(({ path, bytes }): ZipEntry => {
    const packed = deflateRawSync(bytes, { level: 9 });
    return { path, size: bytes.length, isDeflated: true, crc: crc32(bytes), packed };
  });
  return new Uint8Array(Buffer.concat(zipParts(entries)));
}

/** Returns the bytes of a zip of these entries, in parts, so that their content is not copied. */
function zipParts(entries: ZipEntry[]): Uint8Array[] {
  const contents: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, size, isDeflated, crc, packed } of entries.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = new TextEncoder().encode(path);
    // Version 2.0, a UTF-8 name, and 1 January 1980, which is the first day that a zip can express.
    const method = isDeflated ? 8 : 0;
    const common = [...u16(20, 0x800, method, 0, 0x21), ...u32(crc, packed.length, size), ...u16(name.length, 0)];
    const content = Buffer.from([...u32(0x04034b50), ...common]);
    contents.push(content, name, packed);
    directory.push(Buffer.from([...u32(0x02014b50), ...u16(20), ...common, ...u16(0, 0, 0), ...u32(0, offset)]), name);
    offset += content.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [...u32(0x06054b50), ...u16(0, 0, entries.length, entries.length), ...u32(size, offset), ...u16(0)];
  return [...contents, ...directory, Buffer.from(end)];
}

function u16(...values: number[]): number[] {
  return values.flatMap((value) => [value & 0xff, value >>> 8]);
}

function u32(...values: number[]): number[] {
  return values.flatMap((value) => u16(value & 0xffff, value >>> 16));
}

/** A zip whose directory has been read. It contains only files of a template; ignored files are never decompressed. */
export type OpenedZip = {
  /** If there are any, the upload must be refused. */
  problems: FileProblem[];
  /** The total size of its files, according to the directory. `read` decompresses no more than that. */
  sizeBytes: number;
  /** If it returns problems, it returns no files. */
  read(): TemplateFiles;
  /** Returns the parts of a zip of the same files, which remain compressed. */
  parts(): Uint8Array[];
};

/** Reads an upload, and never throws. If it returns problems, it returns no files, and the upload must be refused. */
export function readTemplateZip(bytes: Uint8Array): TemplateFiles {
  return openTemplateZip(bytes).read();
}

/** Never throws. */
export function openTemplateZip(bytes: Uint8Array): OpenedZip {
  const opened = unlessBroken(() => {
    if (bytes.length > maxZipBytes) throw new BrokenZip(null, tooLargeReason(maxZipBytes));
    return templateEntries(withoutTopFolder(zipEntries(bytes)));
  });
  const problems = opened.problems.slice(0, maxProblems);
  const entries = problems.length > 0 || !("entries" in opened) ? [] : opened.entries;
  const inflated = () => ({ files: entries.map((entry) => ({ path: entry.path, bytes: inflateEntry(entry) })) });
  return {
    problems,
    sizeBytes: entries.reduce((sum, { size }) => sum + size, 0),
    read: () => ({ files: [], problems, ...unlessBroken(inflated) }),
    parts: () => zipParts(entries),
  };
}

function unlessBroken<T>(read: () => T): T | { problems: FileProblem[] } {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof BrokenZip)) throw error;
    return { problems: [problem(error.file ?? "the zip", error.message)] };
  }
}

function problem(file: string, reason: string): FileProblem {
  return { file: shortened(file, 200), line: 1, reason };
}

/** Some programs put the whole folder into the zip, and some add files of the operating system. */
function withoutTopFolder(all: ZipEntry[]): ZipEntry[] {
  const entries = all.filter(({ path }) => !path.startsWith(".") && !path.startsWith("__MACOSX/"));
  const top = `${entries[0]?.path.split("/", 1)[0]}/`;
  const isTemplate =
    !rootNames.includes(top.slice(0, -1)) || entries.some(({ path }) => path === `${top}template.json`);
  if (!isTemplate || !entries.every(({ path }) => path.startsWith(top))) return entries;
  return entries.map((entry) => ({ ...entry, path: entry.path.slice(top.length) })).filter(({ path }) => path !== "");
}

/** Returns the files that belong to a template, sorted, and the problems of the entries' names, types and sizes. */
function templateEntries(all: ZipEntry[]): { entries: ZipEntry[]; problems: FileProblem[] } {
  const byPath = new Map<string, ZipEntry>();
  const problems = new Map<string, FileProblem>();
  const refuse = (file: string, reason: string) => problems.set(file, problem(file, reason));
  for (const folder of ["", sharedFolder, ...folders]) {
    if (countNames(all, folder) > maxEntries) refuse(folder || ".", tooManyReason);
  }
  let bytesLeft = maxFolderBytes;
  for (const entry of all.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const { path, size } = entry;
    const placed = placeOf(path);
    if (placed.status === "refused") refuse(placed.file, placed.reason);
    if (placed.status !== "file") continue;
    if (byPath.has(path)) refuse(path, "the zip contains this file twice");
    byPath.set(path, entry);
    if (size > maxFileBytes(path)) refuse(path, tooLargeReason(maxFileBytes(path)));
    else bytesLeft -= size;
    if (bytesLeft < 0) {
      refuse(path, `with this file, the template is larger than ${maxFolderBytes / 1e6} MB`);
      break;
    }
  }
  for (const folder of folders) {
    const names = [...byPath.keys()].filter((path) => path.startsWith(`${folder}/`));
    const nameProblems = fileNameProblems(
      folder,
      names.map((path) => path.slice(folder.length + 1)),
    );
    for (const { file, reason } of nameProblems) refuse(file, reason);
  }
  return { entries: [...byPath.values()], problems: [...problems.values()] };
}

function countNames(entries: ZipEntry[], folder: string): number {
  const start = folder === "" ? 0 : folder.length + 1;
  const inside = entries.filter(({ path }) => path.length > start && (start === 0 || path.startsWith(`${folder}/`)));
  return new Set(inside.map(({ path }) => path.slice(start).split("/", 1)[0])).size;
}

type Place = { status: "file" } | { status: "ignored" } | { status: "refused"; file: string; reason: string };

function placeOf(path: string): Place {
  const [root = "", second = ""] = path.split("/");
  const refused = (file: string, reason: string): Place => ({ status: "refused", file, reason });
  const rootReason = caseReason(root, rootNames);
  if (rootReason !== null) return refused(root, rootReason);
  const sharedReason = root === sharedFolder ? caseReason(second, sharedSubfolders) : null;
  if (sharedReason !== null) return refused(`${root}/${second}`, sharedReason);
  if (singleFiles.some((file) => file === root))
    return path === root ? { status: "file" } : refused(root, notFileReason(root));
  if (path === sharedFolder || folders.includes(path)) return refused(path, notFolderReason);
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  if (folder === undefined) return { status: "ignored" };
  const name = path.slice(folder.length + 1);
  if (name === "" || name.startsWith(".")) return { status: "ignored" };
  if (!name.includes("/")) return { status: "file" };
  const inner = `${folder}/${name.split("/", 1)[0]}`;
  return refused(inner, notFileReason(inner));
}
