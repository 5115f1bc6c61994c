// Problems and warnings, with the surrounding source lines.

/** A line of a file, counted from 1. A long line is truncated. */
export type SourceLine = { number: number; text: string };

/**
 * A problem or a warning, with the source lines around it. `line` is 0 if it concerns the whole file, and `file` is empty if it
 * concerns no file.
 */
export type Finding = { file: string; line: number; column?: number; message: string; source: SourceLine[] };

const linesAround = 2;
const maxLineChars = 240;

/** Returns the line with its neighbours, or nothing if the file or the line does not exist. */
export function excerpt(file: Uint8Array | undefined, line: number): SourceLine[] {
  const lines = file ? new TextDecoder().decode(file).split(/\r\n|\r|\n/) : [];
  if (line > lines.length) return [];
  const first = Math.max(1, line - linesAround);
  return lines.slice(first - 1, line + linesAround).map((text, index) => ({
    number: first + index,
    text: text.length > maxLineChars ? `${text.slice(0, maxLineChars)}…` : text,
  }));
}
