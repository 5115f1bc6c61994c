// Adds source lines to problems and warnings for the page.
import { dirname, join } from "node:path";
import { maxFileBytes, sharedFolder } from "colophon-template-model/template-files";
import { excerpt, type Finding } from "colophon-ui/excerpt";
import { readEntry } from "../folder/folder-entries.ts";

/** Reading a source takes time, and nobody reads more problems than this. */
const maxWithSource = 20;

/** `directory` is the template's folder. Files outside it, and in folders that cannot be read, have no source. */
export async function withSource(directory: string, places: Omit<Finding, "source">[]): Promise<Finding[]> {
  return Promise.all(
    places.map(async (place, index) => ({
      ...place,
      source: index < maxWithSource ? excerpt(await bytesOf(directory, place.file), place.line) : [],
    })),
  );
}

async function bytesOf(directory: string, file: string): Promise<Uint8Array | undefined> {
  const segments = file.split("/");
  if (!/\.(liquid|css|json|svg|html)$/.test(file) || segments.some((name) => ["", ".", ".."].includes(name))) return;
  const root = segments[0] === sharedFolder ? dirname(directory) : directory;
  const read = await readEntry(join(root, file), maxFileBytes(file));
  return read.status === "read" ? read.bytes : undefined;
}
