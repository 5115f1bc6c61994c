// Reads the files of a template folder from the disk. `core` decides whether they form a valid template.
import { basename, dirname, resolve } from "node:path";
import type { FileWarning, TemplateContent } from "../../core/templates/template.ts";
import {
  maxEntries,
  maxFileBytes,
  maxFolderBytes,
  maxSharedBytes,
  sharedFolder,
  sharedSubfolders,
  singleFiles,
  subfolders,
  type FileProblem,
  type TemplateFiles,
} from "../../core/templates/folder/template-files.ts";
import { validateTemplate, type ValidationOptions } from "../../core/templates/folder/validate-template.ts";
import { linkReason, openUserFolder, type FolderHandle, type ReadFile } from "./folder-handle.ts";

export type FolderResult =
  | { status: "ok"; folder: string; content: TemplateContent; warnings: FileWarning[]; moreWarnings: number }
  | { status: "broken"; problems: FileProblem[]; warnings: FileWarning[] };

/**
 * Reads the template at `directory`, and the folder `shared` beside it. The name of the template is the last part of that
 * path. `shared` is what `readSharedFolder` has read, if several templates are read at once.
 */
export async function readTemplateFolder(
  directory: string,
  shared?: TemplateFiles,
  options?: ValidationOptions,
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
  const opened = await openUserFolder(directory);
  if (opened.status === "missing") return broken("there is no such folder");
  if (opened.status === "refused") return broken(opened.reason);
  const own = await readFiles(opened.handle).finally(() => opened.handle.close());
  const others = shared ?? (await readSharedFolder(dirname(resolve(directory))));
  const files = [...own.files, ...others.files];
  const validated = validateTemplate({ files, problems: [...own.problems, ...others.problems] }, options);
  if (validated.status === "broken") return validated;
  // What browsers support takes a while to load, and other commands do not need it.
  const { withStyleWarnings } = await import("./styles/style-warnings.ts");
  return { ...withStyleWarnings(validated), status: "ok", folder };
}

/** Reads the folder `shared` in `parent`. There are no files if there is no such folder, or if `parent` cannot be opened. */
export async function readSharedFolder(parent: string): Promise<TemplateFiles> {
  const reading: Reading = { files: [], problems: [], maxBytes: maxSharedBytes, bytesLeft: maxSharedBytes };
  const opened = await openUserFolder(parent);
  if (opened.status !== "open") return reading;
  const shared = await opened.handle.openFolder(sharedFolder).finally(() => opened.handle.close());
  if (shared.status === "missing") return reading;
  if (shared.status === "refused") {
    reading.problems.push({ file: sharedFolder, line: 1, reason: shared.reason });
    return reading;
  }
  try {
    await checkEntries(reading, shared.handle, [...sharedSubfolders], `${sharedFolder}/`);
    for (const folder of sharedSubfolders) await readSubfolder(reading, shared.handle, folder, `${sharedFolder}/`);
  } finally {
    await shared.handle.close();
  }
  return reading;
}

async function readFiles(root: FolderHandle): Promise<TemplateFiles> {
  const reading: Reading = { files: [], problems: [], maxBytes: maxFolderBytes, bytesLeft: maxFolderBytes };
  await checkEntries(reading, root, [...singleFiles, ...subfolders]);
  for (const file of singleFiles) await addFile(reading, file, (maxBytes) => root.read(file, maxBytes));
  for (const folder of subfolders) await readSubfolder(reading, root, folder);
  return reading;
}

/** What has been read so far. `bytesLeft` is how much more of `maxBytes` may be read. */
type Reading = TemplateFiles & { maxBytes: number; bytesLeft: number };

/**
 * Refuses symbolic links, even those with names that are not read. Also refuses names that differ from a known name
 * only in case, because only some systems would read them.
 */
async function checkEntries({ problems }: Reading, root: FolderHandle, known: string[], prefix = ""): Promise<void> {
  for (const name of await namesIn(root, prefix === "" ? "." : prefix.slice(0, -1), problems)) {
    const lower = name.toLowerCase();
    const file = `${prefix}${name}`;
    if (!known.includes(name) && known.includes(lower)) {
      problems.push({ file, line: 1, reason: `its name must be written ${lower}` });
    } else if (!known.includes(name) && (await root.isLink(name))) {
      problems.push({ file, line: 1, reason: linkReason });
    }
  }
}

/** Reads the files of a subfolder. Hidden files are skipped, because operating systems add such files to folders. */
async function readSubfolder(reading: Reading, root: FolderHandle, name: string, prefix = ""): Promise<void> {
  const { problems } = reading;
  const opened = await root.openFolder(name);
  const folder = `${prefix}${name}`;
  if (opened.status === "missing") return;
  if (opened.status === "refused") {
    problems.push({ file: folder, line: 1, reason: opened.reason });
    return;
  }
  const { handle } = opened;
  try {
    for (const name of await namesIn(handle, folder, problems)) {
      const path = `${folder}/${name}`;
      if (!name.startsWith(".")) await addFile(reading, path, (maxBytes) => handle.read(name, maxBytes));
      else if (await handle.isLink(name)) problems.push({ file: path, line: 1, reason: linkReason });
    }
  } finally {
    await handle.close();
  }
}

async function addFile(reading: Reading, path: string, read: (maxBytes: number) => Promise<ReadFile>): Promise<void> {
  const { files, problems, bytesLeft } = reading;
  const limit = maxFileBytes(path);
  if (bytesLeft < 0) return;
  const result = await read(limit);
  if (result.status === "refused") {
    problems.push({ file: path, line: 1, reason: result.reason });
  } else if (result.status === "read") {
    files.push({ path, bytes: result.bytes });
    reading.bytesLeft -= result.bytes.length;
    if (reading.bytesLeft < 0) {
      problems.push({ file: path, line: 1, reason: `with this file, the ${path.startsWith(`${sharedFolder}/`) ? "shared folder" : "template"} is larger than ${reading.maxBytes / 1e6} MB` });
    }
  }
}

/**
 * The sorted names in a folder. A folder that cannot be listed, or that has too many entries, is reported as a problem.
 */
async function namesIn(handle: FolderHandle, folder: string, problems: FileProblem[]): Promise<string[]> {
  const refuse = (file: string, reason: string) => problems.push({ file, line: 1, reason });
  const listed = await handle.list(maxEntries + 1);
  if (listed.status === "refused") refuse(folder, listed.reason);
  const found = listed.status === "listed" ? listed.names : [];
  if (found.length > maxEntries) {
    refuse(folder, `the folder has more than ${maxEntries} entries`);
    return [];
  }
  const names: string[] = [];
  for (const bytes of found) {
    const name = bytes.toString("utf8");
    if (Buffer.from(name, "utf8").equals(bytes)) names.push(name);
    else refuse(`${folder}/${name}`, "the file's name is not valid UTF-8");
  }
  return names.sort();
}
