// Problems and warnings, with the lines of a file around their places.

/** A line of a file, counted from 1. A long line is cut. */
export type SourceLine = { number: number; text: string };

/**
 * A problem or a warning, and the lines of the source around it. The line is 0 if it is about the whole file, and the file is empty if
 * it is about no file.
 */
export type Finding = { file: string; line: number; column?: number; message: string; source: SourceLine[] };

const linesAround = 2;
const maxLineChars = 240;

/** Returns the line with its neighbours; nothing if there is no file, or if it has no such line. */
export function excerpt(file: Uint8Array | undefined, line: number): SourceLine[] {
  const lines = file ? new TextDecoder().decode(file).split(/\r\n|\r|\n/) : [];
  if (line > lines.length) return [];
  const first = Math.max(1, line - linesAround);
  return lines.slice(first - 1, line + linesAround).map((text, index) => ({
    number: first + index,
    text: text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text,
  }));
}
