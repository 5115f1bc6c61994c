// The files of a template folder as they were read, the problems found in them, and the maximum size of each file.

/** A file of the folder. `path` is its path inside the folder, such as `pages/1.liquid`. */
export type TemplateFile = { path: string; bytes: Uint8Array };

/** A problem in a template folder. `file` is the path inside the folder, and `line` and `column` are counted from 1. */
export type FileProblem = { file: string; line: number; column?: number; reason: string };

/**
 * The content of a template folder. Files may be in any order. `problems` contains the files and folders that could not be read; they are
 * not in `files`.
 */
export type TemplateFiles = { files: TemplateFile[]; problems: FileProblem[] };

/** The files that a template folder may contain directly. Other files are not read. */
export const singleFiles = ["template.json", "sample.json", "style.css", "header.liquid", "footer.liquid"] as const;
export type SingleFile = (typeof singleFiles)[number];

/** The folders that a template folder may contain. Other folders are not read. */
export const subfolders = ["pages", "parts", "locales", "assets"] as const;

/**
 * The folder next to the templates, whose files all templates can use. The paths of its files begin with its name, as in
 * `shared/parts/row.liquid`.
 */
export const sharedFolder = "shared";
/** The folders that the shared folder may contain. Other files and folders in it are not read. */
export const sharedSubfolders = ["parts", "styles", "assets"] as const;

/** The maximum number of problems that are reported for one file. A hostile file could have millions. */
export const maxProblems = 100;
/** The maximum number of entries in a folder of the template. */
export const maxEntries = 1_000;
/** The maximum total size of all files, so that reading stops before memory is exhausted. */
export const maxFolderBytes = 20_000_000;

/** The maximum size of the shared folder. A template contains only the shared files that it uses. */
export const maxSharedBytes = 100_000_000;

/** The maximum size of a file in bytes. */
export function maxFileBytes(path: string): number {
  if (/^(?:shared\/)?assets\//.test(path)) return maxFolderBytes;
  if (path.startsWith("locales/")) return maxLocaleBytes;
  return fileBytes[path as SingleFile] ?? maxLiquidBytes;
}

/** Markup is limited to two million characters, so a longer source is a mistake. */
const maxLiquidBytes = 2_000_000;
const maxLocaleBytes = 250_000;
const fileBytes: Record<SingleFile, number> = {
  // Every page of the list of templates reads up to a hundred manifests.
  "template.json": 250_000,
  // The API accepts bodies of at most 1 MiB; the difference leaves room for the rest of the body.
  "sample.json": 1_048_000,
  "style.css": 2_000_000,
  "header.liquid": maxLiquidBytes,
  "footer.liquid": maxLiquidBytes,
};

// The reasons for refusing an entry, which all readers of folders share.
export const linkReason = "this is a symbolic link; a template folder must not contain any";
export const specialReason = "this is not a file, but a device, a socket or a named pipe";
export const notFolderReason = "this is a file, but must be a folder";
export const notUtf8Reason = "the file's name is not valid UTF-8";
export const tooManyReason = `the folder has more than ${maxEntries} entries`;

/** `file` is the path inside the template folder. */
export function notFileReason(file: string): string {
  const [, folder] = /^(.+)\/[^/]*$/.exec(file) ?? [];
  return `this is a folder, but must be a file${folder ? `; move its files to ${folder}/` : ""}`;
}

export function tooLargeReason(maxBytes: number): string {
  return `the file is larger than ${maxBytes.toLocaleString("en-US")} bytes`;
}

/** Returns a reason if the name differs from a known name only in case, because some systems would treat them as the same. */
export function caseReason(name: string, known: readonly string[]): string | null {
  const lower = name.toLowerCase();
  return !known.includes(name) && known.includes(lower) ? `its name must be written as ${lower}` : null;
}
