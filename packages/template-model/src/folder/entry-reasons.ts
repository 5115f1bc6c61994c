// The reasons for refusing an entry, which all readers of folders share.
import { maxEntries } from "./template-files.ts";

export const linkReason = "this is a symbolic link; a template folder must not contain any";
export const specialReason = "this is not a file, but a device, a socket or a named pipe";
export const notFileReason = "this is a folder, but must be a file";
export const notFolderReason = "this is a file, but must be a folder";
export const notUtf8Reason = "the file's name is not valid UTF-8";
export const tooManyReason = `the folder has more than ${maxEntries} entries`;

export function tooLargeReason(maxBytes: number): string {
  return `the file is larger than ${maxBytes.toLocaleString("en-US")} bytes`;
}

/** Returns a reason if the name differs from a known name only in case, because some systems would treat them as the same. */
export function caseReason(name: string, known: readonly string[]): string | null {
  const lower = name.toLowerCase();
  return !known.includes(name) && known.includes(lower) ? `its name must be written as ${lower}` : null;
}
