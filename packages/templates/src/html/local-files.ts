// Reads the local files of an HTML page. Only files inside the page's folder are read: a reference that leaves it, also through a symbolic
// link, is refused, and nothing is fetched.
import { isUtf8 } from "node:buffer";
import { realpath } from "node:fs/promises";
import { join, posix, relative, sep } from "node:path";
import { percentDecoded } from "colophon-base/encoding";
import { maxFolderBytes } from "colophon-template-model/template-files";
import { readEntry } from "../folder/folder-entries.ts";

/** `path` is the path inside the page's folder, with slashes. */
export type LocalFile = { status: "file"; path: string; bytes: Uint8Array };
export type Refused = { status: "refused"; reason: string };

/** `folder` is the folder of the referring file inside the page's folder `root`, whose path must be real. */
export async function readLocal(root: string, folder: string, reference: string): Promise<LocalFile | Refused> {
  // A browser ignores line breaks and tabs, and reads a backslash as a slash.
  const target = reference.trim().replace(/[\t\r\n]/g, "");
  const written = percentDecoded(target.split(/[?#]/)[0] ?? "").replaceAll("\\", "/");
  if (/^[a-z][a-z\d+.-]*:|^[\\/]{2}/i.test(target)) return refused("nothing is loaded from other places");
  if (written === "" || /\p{Cc}/u.test(written)) return refused("it names no file");
  const path = posix.join(folder, written);
  if (/^\/|^\.\.(?:\/|$)/.test(written.startsWith("/") ? written : path))
    return refused("it is outside the page's folder");
  const real = await realpath(join(root, path)).catch(() => null);
  const inside = relative(root, real ?? root);
  if (inside === ".." || inside.startsWith(`..${sep}`))
    return refused("a symbolic link leads out of the page's folder");
  const read = real === null ? null : await readEntry(real, maxFolderBytes);
  if (read?.status === "refused") return read;
  return read?.status === "read" ? { status: "file", path, bytes: read.bytes } : refused(`there is no file ${path}`);
}

function refused(reason: string): Refused {
  return { status: "refused", reason };
}

/** The first characters of a file as Latin-1, with the encoding for which they stand. */
const byteOrderMarks = new Map([
  ["\xef\xbb", "utf-8"],
  ["\xff\xfe", "utf-16le"],
  ["\xfe\xff", "utf-16be"],
]);

/**
 * Decodes a page or a style sheet as a browser does: by its byte order mark, by the encoding that `declaration` finds in its beginning, or
 * else as UTF-8 or windows-1252. Leaves out control characters, which a template cannot contain. Returns null if the bytes are not in the
 * encoding.
 */
export function decodedFile(bytes: Uint8Array, declaration: RegExp): string | null {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString("latin1");
  const marked = byteOrderMarks.get(start.slice(0, 2));
  const declared = declaration.exec(start)?.[1]?.replace(/^utf-?16.*/i, "utf-8");
  const encoding = marked ?? declared ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  try {
    const text = new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- it finds control characters
    return text.replace(/[\0-\x08\x0b\x0e-\x1f\x7f\ufffd]/g, "");
  } catch {
    return null;
  }
}
