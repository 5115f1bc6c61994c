// Adds the lines of the source to problems and warnings, as the page shows them.
import { dirname, join } from "node:path";
import { maxFileBytes, sharedFolder } from "colophon-template-model/template-files";
import type { Problem, SourceLine } from "./messages.ts";
import { readEntry } from "../folder/folder-entries.ts";

type Place = { file: string; line: number; column?: number; message: string };

const linesAround = 2;
const maxLineChars = 240;
/** Reading a source takes time, and nobody reads more at once. */
const maxWithSource = 20;

/** `directory` is the folder of the template. Files outside it, and of folders that cannot be read, have no source. */
export async function withSource(directory: string, places: Place[]): Promise<Problem[]> {
  return Promise.all(
    places.map(async (place, index) => ({
      ...place,
      source: index < maxWithSource ? excerpt(await readLines(directory, place.file), place.line) : [],
    })),
  );
}

function excerpt(lines: string[], line: number): SourceLine[] {
  if (line > lines.length) return [];
  const first = Math.max(1, line - linesAround);
  return lines.slice(first - 1, line + linesAround).map((text, index) => ({
    number: first + index,
    text: text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text,
  }));
}

async function readLines(directory: string, file: string): Promise<string[]> {
  const segments = file.split("/");
  if (!/\.(liquid|css|json|svg|html)$/.test(file) || segments.some((name) => ["", ".", ".."].includes(name))) return [];
  const read = await readEntry(
    join(segments[0] === sharedFolder ? dirname(directory) : directory, file),
    maxFileBytes(file),
  );
  return read.status === "read" ? new TextDecoder().decode(read.bytes).split(/\r\n|\r|\n/) : [];
}
