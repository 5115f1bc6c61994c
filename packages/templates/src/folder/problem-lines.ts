// The problems and warnings of a template folder as lines for a terminal.
import { counted, printable } from "colophon-base/text";
import type { FileWarning } from "colophon-template-model/template";
import { maxProblems, type FileProblem } from "colophon-template-model/template-files";
import type { RenderProblem } from "../render/render-folder.ts";

/** Returns a line for each of the first hundred problems, and a last line with the number of the others. */
export function problemLines(problems: FileProblem[]): string[] {
  return firstLines(
    problems.map(({ reason, ...place }) => `${placeText(place)}: ${reason}`),
    "more problem",
  );
}

/** Returns a line for each of the first hundred warnings, and a last line with the number of the others. */
export function warningLines(warnings: readonly (FileWarning | string)[]): string[] {
  const textOf = ({ message, ...place }: FileWarning) => `${placeText(place)}: ${message}`;
  return firstLines(
    warnings.map((warning) => `warning: ${typeof warning === "string" ? warning : textOf(warning)}`),
    "more warning",
  );
}

/** Returns why there is no document: the message and, if there are several problems, a line for each. */
export function refusalLines({ message, problems }: { message: string; problems: RenderProblem[] }): string[] {
  const lines = problems.map(({ file, line = 1, page, message: reason }) => {
    const place = file === undefined ? "" : `${placeText({ file, line })}: `;
    return `${place}${page === undefined ? "" : `page ${page}: `}${reason}`;
  });
  return [message, ...(lines.length > 1 ? lines : [])].map(printable);
}

function firstLines(all: string[], others: string): string[] {
  const lines = all.slice(0, maxProblems).map(printable);
  const more = all.length - lines.length;
  return more > 0 ? [...lines, `and ${counted(more, others)}`] : lines;
}

function placeText({ file, line, column }: { file: string; line: number; column?: number }): string {
  return column === undefined ? `${file}:${line}` : `${file}:${line}:${column}`;
}
