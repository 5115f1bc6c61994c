// A folder that is open for reading. Symbolic links below it are not followed. On Linux, this holds even if a link
// replaces a file or a folder during the read, because every path begins at the open folder itself.
import { constants, existsSync } from "node:fs";
import { lstat, open, opendir, type FileHandle } from "node:fs/promises";

export type FolderHandle = {
  /** Returns at most `limit` names in the folder, as the bytes that the file system stores. */
  list(limit: number): Promise<Listed>;
  /** Reads a file of at most `maxBytes`. */
  read(name: string, maxBytes: number): Promise<ReadFile>;
  openFolder(name: string): Promise<OpenedFolder>;
  /** Whether the entry is a symbolic link. */
  isLink(name: string): Promise<boolean>;
  close(): Promise<void>;
};

export type ReadFile = { status: "read"; bytes: Uint8Array } | { status: "missing" } | Refused;
export type Listed = { status: "listed"; names: Buffer[] } | { status: "missing" } | Refused;
export type OpenedFolder = { status: "open"; handle: FolderHandle } | { status: "missing" } | Refused;
type Refused = { status: "refused"; reason: string };
type EntryKind = "file" | "folder" | "link" | "special";

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Linux lists the open files of this process here. */
const openFiles = "/proc/self/fd";
const hasOpenFiles = existsSync(openFiles);

/** Opens the folder at a path that the user gave. The path itself may lead through symbolic links. */
export function openUserFolder(path: string): Promise<OpenedFolder> {
  return openAt(path, O_RDONLY | O_DIRECTORY);
}

async function openAt(path: string, flags: number): Promise<OpenedFolder> {
  return translated(async () => {
    const handle = await open(path, flags);
    // Names below this path are looked up in the open folder, even if something else is now at the folder's own path.
    const base = hasOpenFiles ? `${openFiles}/${handle.fd}` : path;
    return { status: "open", handle: folderHandle(base, handle) };
  });
}

function folderHandle(base: string, handle: FileHandle): FolderHandle {
  const at = (name: string) => `${base}/${name}`;
  return {
    list: (limit) => translated(() => listAtMost(base, limit)),
    read: (name, maxBytes) => translated(() => readFile(at(name), maxBytes)),
    openFolder: (name) => translated(() => openSubfolder(at(name))),
    isLink: async (name) => (await translated(() => kindOf(at(name)))) === "link",
    close: () => handle.close(),
  };
}

async function listAtMost(path: string, limit: number): Promise<Listed> {
  const names: Buffer[] = [];
  // Node's types do not express that the names are buffers with this encoding.
  for await (const { name } of await opendir(path, { encoding: "buffer" as BufferEncoding })) {
    names.push(name as unknown as Buffer);
    if (names.length >= limit) break;
  }
  return { status: "listed", names };
}

async function readFile(path: string, maxBytes: number): Promise<ReadFile> {
  const kind = await kindOf(path);
  if (kind !== "file") return refused(kindReasons[kind]);
  // A named pipe that has just replaced the file must not block the read.
  const file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  return readAtMost(file, maxBytes).finally(() => file.close());
}

async function openSubfolder(path: string): Promise<OpenedFolder> {
  const kind = await kindOf(path);
  if (kind === "file") return refused("this is a file, but must be a folder");
  if (kind !== "folder") return refused(kindReasons[kind]);
  return openAt(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
}

export const linkReason = "this is a symbolic link; a template folder must not contain any";

const kindReasons = {
  folder: "this is a folder, but must be a file",
  link: linkReason,
  special: "this is not a file, but a device, a socket or a named pipe",
};

async function kindOf(path: string): Promise<EntryKind> {
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return "link";
  if (stats.isDirectory()) return "folder";
  return stats.isFile() ? "file" : "special";
}

/** Reads the file. Its size is checked before anything is read, and again while it is read, because it may grow. */
async function readAtMost(file: FileHandle, maxBytes: number): Promise<ReadFile> {
  const stats = await file.stat();
  if (!stats.isFile()) return refused(kindReasons.special);
  if (stats.size > maxBytes) return refused(tooLarge(maxBytes));
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(65_536), 0, 65_536, null);
    if (bytesRead === 0) return { status: "read", bytes: new Uint8Array(Buffer.concat(chunks, length)) };
    length += bytesRead;
    if (length > maxBytes) return refused(tooLarge(maxBytes));
    chunks.push(buffer.subarray(0, bytesRead));
  }
}

function tooLarge(maxBytes: number): string {
  return `the file is larger than ${maxBytes.toLocaleString("en-US")} bytes`;
}

/** Describes an error of the file system. */
async function translated<T>(work: () => Promise<T>): Promise<T | Refused | { status: "missing" }> {
  try {
    return await work();
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT") return { status: "missing" };
    return refused(errorReasons[code] ?? `it cannot be read (${code || String(error)})`);
  }
}

const errorReasons: Record<string, string> = {
  EACCES: "it cannot be read: permission denied",
  EPERM: "it cannot be read: permission denied",
  ELOOP: "this is a symbolic link, or its path has too many symbolic links",
  ENOTDIR: "this is not a folder",
  EISDIR: "this is a folder, but must be a file",
  ENAMETOOLONG: "its path is too long",
  ENXIO: kindReasons.special,
  ENODEV: kindReasons.special,
  EMFILE: "too many files are open; try again",
  ENFILE: "too many files are open; try again",
  EIO: "it cannot be read: the disk reports an error",
  ERR_INVALID_ARG_VALUE: "its path contains a null character",
};

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function refused(reason: string): Refused {
  return { status: "refused", reason };
}
