// Reads the files of a template folder from the disk. `validateTemplate` decides whether they form a valid template.
import { basename, dirname, join, resolve } from "node:path";
import { advice, type CheckOptions } from "colophon-template-checks/check-template";
import type { FileWarning, TemplateContent } from "colophon-template-model/template";
import {
  caseReason,
  linkReason,
  notUtf8Reason,
  tooManyReason,
  maxEntries,
  maxFileBytes,
  maxFolderBytes,
  maxSharedBytes,
  sharedFolder,
  sharedSubfolders,
  singleFiles,
  subfolders,
  type FileProblem,
  type TemplateFile,
  type TemplateFiles,
} from "colophon-template-model/template-files";
import { validateTemplate } from "colophon-template-model/validate-template";
import { isLink, listFolder, listUserFolder, readEntry, type Listed } from "./folder-entries.ts";

/** `files` contains the files of the folder, and the shared files that it uses. */
export type FolderResult =
  | { status: "ok"; folder: string; files: TemplateFile[]; content: TemplateContent; warnings: FileWarning[] }
  | { status: "broken"; problems: FileProblem[]; warnings: FileWarning[] };

/**
 * Reads the template at `directory`, and the folder `shared` next to it. The last part of the path is the template's name.
 * `sharedFiles` is the result of `readSharedFolder`, so that several templates can share one reading.
 */
export async function readTemplateFolder(
  directory: string,
  sharedFiles?: TemplateFiles,
  options?: CheckOptions,
): Promise<FolderResult> {
  const folder = basename(resolve(directory));
  const broken = (reason: string): FolderResult => ({
    status: "broken",
    problems: [{ file: directory || "DIR", line: 1, reason }],
    warnings: [],
  });
  if (directory === "") return broken("the path of the folder is empty");
  if (folder === "") return broken("the root of the file system cannot be a template");
  if (/\p{Cc}/u.test(folder)) return broken("the folder's name contains control characters");
  const listed = await listUserFolder(directory, maxEntries + 1);
  if (listed.status === "missing") return broken("this folder does not exist");
  if (listed.status === "refused") return broken(listed.reason);
  const ownReading = await readFiles(directory, listed);
  const others = sharedFiles ?? (await readSharedFolder(dirname(resolve(directory))));
  const all = [...ownReading.files, ...others.files];
  const given = { files: all, problems: [...ownReading.problems, ...others.problems] };
  const validated = validateTemplate(given, { advise: advice(options) });
  if (validated.status === "broken") return validated;
  // The browser support data is slow to load, and other commands do not need it.
  const { styleWarnings } = await import("../styles/style-warnings.ts");
  const { content, sheets } = validated;
  const warnings = [...validated.warnings, ...styleWarnings({ ...content, sheets })];
  return { status: "ok", folder, files: usedFiles(all, content, sheets), content, warnings };
}

/** Leaves out the shared files that make no difference, including an asset that the template's own asset hides. */
function usedFiles(files: TemplateFile[], { parts = [], assets }: TemplateContent, sheets: { file: string }[]) {
  const paths = files.map(({ path }) => path.normalize("NFC"));
  const names = Object.keys(assets).filter((name) => !paths.includes(`assets/${name}`));
  const used = [...parts, ...sheets].map(({ file }) => file);
  const shared = new Set([...used, ...names.map((name) => `${sharedFolder}/assets/${name}`)]);
  return files.filter((_, index) => !paths[index]?.startsWith(`${sharedFolder}/`) || shared.has(paths[index]));
}

/** Reads the folder `shared` in `parent`. Returns no files if it does not exist, or if `parent` cannot be opened. */
export async function readSharedFolder(parent: string): Promise<TemplateFiles> {
  const reading: Reading = { files: [], problems: [], maxBytes: maxSharedBytes, bytesLeft: maxSharedBytes };
  const root = join(parent, sharedFolder);
  const listed = await listFolder(root, maxEntries + 1);
  if (listed.status === "missing") return reading;
  if (listed.status === "refused") {
    reading.problems.push({ file: sharedFolder, line: 1, reason: listed.reason });
    return reading;
  }
  await checkEntries(reading, { path: root, shown: sharedFolder, listed }, [...sharedSubfolders]);
  for (const name of sharedSubfolders) await readSubfolder(reading, join(root, name), `${sharedFolder}/${name}`);
  return reading;
}

async function readFiles(root: string, listed: Listed): Promise<TemplateFiles> {
  const reading: Reading = { files: [], problems: [], maxBytes: maxFolderBytes, bytesLeft: maxFolderBytes };
  await checkEntries(reading, { path: root, shown: "", listed }, [...singleFiles, ...subfolders]);
  for (const file of singleFiles) await addFile(reading, join(root, file), file);
  for (const name of subfolders) await readSubfolder(reading, join(root, name), name);
  return reading;
}

/** The files that have been read so far. `bytesLeft` is the unused part of `maxBytes`. */
type Reading = TemplateFiles & { maxBytes: number; bytesLeft: number };

/**
 * Refuses symbolic links, even those with names that are not read, and names that differ from a known name only in case, because only
 * some systems would read them.
 */
async function checkEntries({ problems }: Reading, { path, shown, listed }: Folder, known: string[]): Promise<void> {
  for (const name of namesIn(listed, shown || ".", problems)) {
    const file = shown === "" ? name : `${shown}/${name}`;
    const reason = caseReason(name, known);
    if (reason !== null) {
      problems.push({ file, line: 1, reason });
    } else if (!known.includes(name) && (await isLink(join(path, name)))) {
      problems.push({ file, line: 1, reason: linkReason });
    }
  }
}

/** A folder on disk. `shown` is its path in messages. */
type Folder = { path: string; shown: string; listed: Listed };

/** Reads the files of a subfolder. Hidden files are skipped, because operating systems add such files to folders. */
async function readSubfolder(reading: Reading, path: string, shown: string): Promise<void> {
  const { problems } = reading;
  const listed = await listFolder(path, maxEntries + 1);
  for (const name of namesIn(listed, shown, problems)) {
    const file = `${shown}/${name}`;
    if (!name.startsWith(".")) await addFile(reading, join(path, name), file);
    else if (await isLink(join(path, name))) problems.push({ file, line: 1, reason: linkReason });
  }
}

async function addFile(reading: Reading, path: string, file: string): Promise<void> {
  const { files, problems, bytesLeft, maxBytes } = reading;
  if (bytesLeft < 0) return;
  const result = await readEntry(path, maxFileBytes(file), file);
  if (result.status === "refused") problems.push({ file, line: 1, reason: result.reason });
  if (result.status !== "read") return;
  files.push({ path: file, bytes: result.bytes });
  reading.bytesLeft -= result.bytes.length;
  if (reading.bytesLeft >= 0) return;
  const what = file.startsWith(`${sharedFolder}/`) ? "shared folder" : "template";
  problems.push({ file, line: 1, reason: `with this file, the ${what} is larger than ${maxBytes / 1e6} MB` });
}

/** Returns the sorted names in a folder. A folder that cannot be listed or has too many entries is reported as a problem. */
function namesIn(listed: Listed, folder: string, problems: FileProblem[]): string[] {
  const refuse = (file: string, reason: string) => problems.push({ file, line: 1, reason });
  if (listed.status === "refused") refuse(folder, listed.reason);
  const listedNames = listed.status === "listed" ? listed.names : [];
  if (listedNames.length > maxEntries) {
    refuse(folder, tooManyReason);
    return [];
  }
  const names: string[] = [];
  for (const bytes of listedNames) {
    const name = bytes.toString("utf8");
    if (Buffer.from(name, "utf8").equals(bytes)) names.push(name);
    else refuse(`${folder}/${name}`, notUtf8Reason);
  }
  return names.sort();
}
