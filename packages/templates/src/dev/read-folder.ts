// Reads a template folder as `template push` does, and adds what the page of `template dev` shows besides: the samples, and
// the lines of the source for problems and warnings.
import { join } from "node:path";
import { maxProblems, type FileProblem } from "colophon-template-model/template-files";
import type { CheckOptions } from "colophon-template-checks/check-template";
import type { FileWarning, TemplateContent } from "colophon-template-model/template";
import type { FolderState, Sample } from "./messages.ts";
import { readTemplateFolder } from "../folder/template-folder.ts";
import { readSamples, type SampleFile } from "./samples.ts";
import { withSource } from "./source-lines.ts";
import { digestOf } from "./watch-folder.ts";

/** A folder that could be pushed. */
export type ValidFolder = {
  content: TemplateContent;
  samples: SampleFile[];
  /** The samples as the page gets them. */
  shown: Sample[];
  /** Changes with the files of the tests. */
  tests: string;
};

/** `valid` is null if there are problems. */
export type FolderReading = Pick<FolderState, "problems" | "moreProblems" | "warnings" | "moreWarnings"> & {
  valid: ValidFolder | null;
};

/** Never rejects. */
export async function readFolder(directory: string, options?: CheckOptions): Promise<FolderReading> {
  try {
    const read = await readTemplateFolder(directory, undefined, options);
    if (read.status === "broken") return await brokenFolder(directory, read.problems, read.warnings);
    const { content } = read;
    const [samples, warnings] = await Promise.all([
      readSamples(directory, content),
      withSource(directory, read.warnings.slice(0, maxProblems)),
    ]);
    const shown = await Promise.all(samples.map((sample) => shownSample(directory, sample)));
    const valid = { content, samples, shown, tests: await digestOf([join(directory, "tests")]) };
    return { problems: [], moreProblems: 0, warnings, moreWarnings: read.warnings.length - warnings.length, valid };
  } catch (error) {
    // The folder is read while it changes, so anything may be missing at any moment.
    const reason = `the folder cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return brokenFolder(directory, [{ file: directory, line: 1, reason }], []);
  }
}

async function brokenFolder(
  directory: string,
  found: FileProblem[],
  foundWarnings: FileWarning[],
): Promise<FolderReading> {
  const [problems, warnings] = await Promise.all([
    withSource(directory, found.slice(0, maxProblems).map(placeOf)),
    withSource(directory, foundWarnings),
  ]);
  return { problems, moreProblems: found.length - problems.length, warnings, moreWarnings: 0, valid: null };
}

async function shownSample(directory: string, { file, digest, problems }: SampleFile): Promise<Sample> {
  return { file, digest, problems: await withSource(directory, problems.map(placeOf)) };
}

function placeOf({ reason, ...place }: FileProblem) {
  return { ...place, message: reason };
}
