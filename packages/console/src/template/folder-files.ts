// The files of a template folder that the reader dropped or chose, and the zip in which they are sent.
import { zipSync } from "fflate";

/** A file with its path, which begins with the name of the dropped folder. */
export type FolderFile = { path: string; file: File };

/** The files that the service needs, by path in the zip. */
export type TemplateFolder = { name: string; bytes: Record<string, Uint8Array> };

/** Folders that only the template's author needs, so they are not sent. */
const unsent = ["samples", "tests"];
const sharedFolder = "shared";
const maxBytes = 20_000_000;

/** Must be called before the first `await` in a drop handler, because the items are not available afterwards. */
export function droppedFiles(items: DataTransferItemList): Promise<FolderFile[]> {
  const entries = [...items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  return Promise.all(entries.map(filesOf)).then((files) => files.flat());
}

export function chosenFiles(list: FileList): FolderFile[] {
  return [...list].map((file) => ({ path: file.webkitRelativePath || file.name, file }));
}

async function filesOf(entry: FileSystemEntry): Promise<FolderFile[]> {
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
    return [{ path: entry.fullPath.slice(1), file }];
  }
  if (!isDirectory(entry)) return [];
  const reader = entry.createReader();
  const files: FolderFile[] = [];
  // A reader returns up to a hundred entries at a time, and an empty list at the end.
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return files;
    files.push(...(await Promise.all(entries.map(filesOf))).flat());
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/**
 * Reads the folder that contains `template.json`, and `shared` if it was also dropped. Throws an error that names the problem.
 */
export async function readFolder(files: FolderFile[]): Promise<TemplateFolder> {
  const roots = files.filter(({ path }) => path.split("/").length === 2 && path.endsWith("/template.json"));
  const [root, second] = roots;
  if (!root) throw new Error("The folder has no template.json. Drop the folder that contains it.");
  if (second)
    throw new Error("These are several templates. Drop a single folder, and `shared` if the template uses it.");
  const name = root.path.slice(0, root.path.indexOf("/"));
  const sent = files.flatMap(({ path, file }) => {
    const [top = "", second = ""] = path.split("/");
    const isHidden = path.split("/").some((part) => part.startsWith("."));
    if (isHidden || (top !== name && top !== sharedFolder) || (top === name && unsent.includes(second))) return [];
    return [{ path: top === name ? path.slice(name.length + 1) : path, file }];
  });
  if (sent.reduce((sum, { file }) => sum + file.size, 0) > maxBytes) {
    throw new Error("The files of the folder have more than 20 MB in total, which is the maximum.");
  }
  const read = sent.map(async ({ path, file }) => [path, new Uint8Array(await file.arrayBuffer())] as const);
  return { name, bytes: Object.fromEntries(await Promise.all(read)) };
}

export function zipOf({ bytes }: TemplateFolder): Uint8Array<ArrayBuffer> {
  // Identical files give an identical zip.
  return new Uint8Array(zipSync(bytes, { level: 6, mtime: new Date(1980, 0, 1) }));
}
