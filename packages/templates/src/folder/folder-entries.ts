// Reads the files and folders of a template folder. Symbolic links, pipes, sockets and devices are refused.
import { lstat, opendir, readFile } from "node:fs/promises";
import {
  linkReason,
  notFileReason,
  notFolderReason,
  specialReason,
  tooLargeReason,
} from "colophon-template-model/template-files";

export type ReadFile = { status: "read"; bytes: Uint8Array } | { status: "missing" } | Refused;
export type Listed = { status: "listed"; names: Buffer[] } | { status: "missing" } | Refused;
type Refused = { status: "refused"; reason: string };

/** Reads a file of at most `maxBytes`. `file` is its path inside the template folder. */
export function readEntry(path: string, maxBytes: number, file = ""): Promise<ReadFile> {
  return translated(async () => {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return refused(linkReason);
    if (stats.isDirectory()) return refused(notFileReason(file));
    if (!stats.isFile()) return refused(specialReason);
    if (stats.size > maxBytes) return refused(tooLargeReason(maxBytes));
    return { status: "read", bytes: new Uint8Array(await readFile(path)) };
  });
}

/** Returns at most `limit` names in a folder inside the template, as the bytes that the file system stores. */
export function listFolder(path: string, limit: number): Promise<Listed> {
  return translated(async () => {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return refused(linkReason);
    if (stats.isFile()) return refused(notFolderReason);
    return stats.isDirectory() ? listUserFolder(path, limit) : refused(specialReason);
  });
}

/** Like `listFolder`, for a folder that the user named, whose path may lead through symbolic links. */
export function listUserFolder(path: string, limit: number): Promise<Listed> {
  return translated(async () => {
    const names: Buffer[] = [];
    // Node's types do not express that the names are buffers with this encoding.
    for await (const { name } of await opendir(path, { encoding: "buffer" as BufferEncoding })) {
      names.push(name as unknown as Buffer);
      if (names.length >= limit) break;
    }
    return { status: "listed", names };
  });
}

export async function isLink(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => null);
  return stats?.isSymbolicLink() ?? false;
}

/** Describes a file system error. */
async function translated<T>(work: () => Promise<T>): Promise<T | Refused | { status: "missing" }> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return { status: "missing" };
    return refused(errorReasons[code] ?? `it cannot be read (${code || String(error)})`);
  }
}

const errorReasons: Record<string, string> = {
  EACCES: "it cannot be read: permission denied",
  EPERM: "it cannot be read: permission denied",
  ELOOP: "this is a symbolic link, or its path has too many symbolic links",
  ENOTDIR: "this is not a folder",
  ENAMETOOLONG: "its path is too long",
};

function refused(reason: string): Refused {
  return { status: "refused", reason };
}
