// The problems and warnings of a template folder as lines for a terminal.
import { counted } from "../../core/counted.ts";
import type { FileWarning } from "../../core/templates/template.ts";
import { maxProblems, type FileProblem } from "../../core/templates/folder/template-files.ts";

/** Returns a line for each of the first hundred problems, and a last line that counts the others. */
export function problemLines(problems: FileProblem[]): string[] {
  const lines = problems
    .slice(0, maxProblems)
    .map(({ reason, ...place }) => printable(`${placeText(place)}: ${reason}`));
  const more = problems.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, "more problem")}`] : lines;
}

/** Returns a line for each warning, and a last line that counts the others. */
export function warningLines(warnings: FileWarning[], more: number): string[] {
  const lines = warnings.map(({ message, ...place }) => printable(`warning: ${placeText(place)}: ${message}`));
  return more > 0 ? [...lines, `and ${counted(more, "more warning")}`] : lines;
}

function placeText({ file, line, column }: { file: string; line: number; column?: number }): string {
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}

/**
 * Escapes control characters and characters that reverse the direction of text. Names and texts from a template could
 * otherwise change what the terminal shows.
 */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
