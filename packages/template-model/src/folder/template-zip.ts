// A template folder as a zip: what an author uploads, and gets back. Writes one, and reads what anybody has sent, by the rules of
// a folder on the disk: other files are ignored, hidden ones too, and names may not differ from known ones only in case.
import { crc32, deflateRawSync } from "node:zlib";
import { shortened } from "colophon-base/text";
import { caseReason, notFileReason, notFolderReason, tooLargeReason, tooManyReason } from "./entry-reasons.ts";
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
} from "./template-files.ts";
import { BrokenZip, inflateEntry, zipEntries, type ZipEntry } from "./zip-entries.ts";

/**
 * The maximum size of a zip. Its files may have `maxFolderBytes` together, shared ones included: with the base64 of its assets and the
 * text of the version, a template of that size takes three quarters of a Worker's memory.
 */
export const maxZipBytes = maxFolderBytes + 1_000_000;

const rootNames: string[] = [...singleFiles, ...subfolders, sharedFolder];
const folders = [...subfolders, ...sharedSubfolders.map((name) => `${sharedFolder}/${name}`)];

/** Returns a zip of the files. The same files give the same bytes, in whatever order they are. */
export function templateZip(files: TemplateFile[]): Uint8Array {
  const contents: Uint8Array[] = [];
  const directory: Uint8Array[] = [];
  let offset = 0;
  for (const { path, bytes } of files.toSorted((a, b) => (a.path < b.path ? -1 : 1))) {
    const name = new TextEncoder().encode(path);
    const packed = deflateRawSync(bytes, { level: 9 });
    // Version 2.0, a name in UTF-8, deflate, and 1 January 1980, which is the first day that a zip knows.
    const sizes = [crc32(bytes), packed.length, bytes.length];
    const common = [...u16(20, 0x800, 8, 0, 0x21), ...u32(...sizes), ...u16(name.length, 0)];
    const content = Buffer.from([...u32(0x04034b50), ...common]);
    contents.push(content, name, packed);
    directory.push(Buffer.from([...u32(0x02014b50), ...u16(20), ...common, ...u16(0, 0, 0), ...u32(0, offset)]), name);
    offset += content.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [...u32(0x06054b50), ...u16(0, 0, files.length, files.length), ...u32(size, offset), ...u16(0)];
  return new Uint8Array(Buffer.concat([...contents, ...directory, Buffer.from(end)]));
}

function u16(...values: number[]): number[] {
  return values.flatMap((value) => [value & 0xff, value >>> 8]);
}

function u32(...values: number[]): number[] {
  return values.flatMap((value) => u16(value & 0xffff, value >>> 16));
}

/** Reads an upload, and never throws. If it returns problems, it returns no files, and the upload must be refused. */
export function readTemplateZip(bytes: Uint8Array): TemplateFiles {
  try {
    if (bytes.length > maxZipBytes) throw new BrokenZip(null, tooLargeReason(maxZipBytes));
    const { entries, problems } = templateEntries(withoutTopFolder(zipEntries(bytes)));
    if (problems.length > 0) return { files: [], problems: problems.slice(0, maxProblems) };
    return { files: entries.map((entry) => ({ path: entry.path, bytes: inflateEntry(entry) })), problems };
  } catch (error) {
    if (!(error instanceof BrokenZip)) throw error;
    return { files: [], problems: [problem(error.file ?? "the zip", error.message)] };
  }
}

function problem(file: string, reason: string): FileProblem {
  return { file: shortened(file, 200), line: 1, reason };
}

/** Programs put a folder as a whole into a zip, some of them with files of the operating system beside it. */
function withoutTopFolder(all: ZipEntry[]): ZipEntry[] {
  const entries = all.filter(({ path }) => !path.startsWith(".") && !path.startsWith("__MACOSX/"));
  const top = `${entries[0]?.path.split("/", 1)[0]}/`;
  const isTemplate =
    !rootNames.includes(top.slice(0, -1)) || entries.some(({ path }) => path === `${top}template.json`);
  if (!isTemplate || !entries.every(({ path }) => path.startsWith(top))) return entries;
  return entries.map((entry) => ({ ...entry, path: entry.path.slice(top.length) })).filter(({ path }) => path !== "");
}

/** Returns the files that belong to a template, sorted, and what is wrong with the names, kinds and sizes of the entries. */
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
    const found = fileNameProblems(
      folder,
      names.map((path) => path.slice(folder.length + 1)),
    );
    for (const { file, reason } of found) refuse(file, reason);
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
    return path === root ? { status: "file" } : refused(root, notFileReason);
  if (path === sharedFolder || folders.includes(path)) return refused(path, notFolderReason);
  const folder = folders.find((each) => path.startsWith(`${each}/`));
  if (folder === undefined) return { status: "ignored" };
  const name = path.slice(folder.length + 1);
  if (name === "" || name.startsWith(".")) return { status: "ignored" };
  return name.includes("/") ? refused(`${folder}/${name.split("/", 1)[0]}`, notFileReason) : { status: "file" };
}
