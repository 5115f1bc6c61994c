// The problems and warnings of a template folder as lines for a terminal.
import { counted } from "colophon-base/counted";
import { printable } from "colophon-base/text";
import type { FileWarning } from "colophon-template-model/template";
import { maxProblems, type FileProblem } from "colophon-template-model/template-files";

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
