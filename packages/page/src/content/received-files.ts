// The files of a document. They arrive in parts before the markup, so that every message of the DevTools protocol is
// small.
import type { FilesPart } from "../prepared-page.ts";
import type { InlinedFile, SentFile } from "./resolve-files.ts";

let parts: string[] = [];
let documentFiles: InlinedFile[] = [];

export function receiveFiles({ isFirst, text }: FilesPart): void {
  if (isFirst) parts = [];
  parts.push(text);
}

/** Extracts the files from the parts, in the order in which they were received. */
export function takeFiles(files: readonly SentFile[]): InlinedFile[] {
  const text = parts.join("");
  parts = [];
  if (text.length !== files.reduce((sum, { chars }) => sum + chars, 0)) throw new Error("the files are incomplete");
  let position = 0;
  return files.map(({ placeholder, chars }) => {
    const uri = text.slice(position, position + chars);
    position += chars;
    return { placeholder, uri };
  });
}

/** Keeps the document's files for headers and footers that read `page`. */
export function keepDocumentFiles(files: InlinedFile[]): void {
  documentFiles = files;
}

export function keptDocumentFiles(): readonly InlinedFile[] {
  return documentFiles;
}
