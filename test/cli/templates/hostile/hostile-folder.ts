// The description of a hostile template folder: a valid folder with some files changed.
import type { Files } from "../../../fixtures/template-files.ts";

export type HostileFolder = {
  what: string;
  /** The files that differ from those of a valid folder. */
  files?: Files;
  /** Changes the folder at `directory` in a way that no list of files can express. */
  prepare?: (directory: string) => Promise<unknown> | unknown;
  /** The first problem that the refusal must report. Null when the folder must be accepted. */
  problem: { file: string; line: number; reason: RegExp } | null;
};

type Problem = NonNullable<HostileFolder["problem"]>;

/** Describes a folder that must be refused because of changed files. */
export function refused(what: string, files: Files, file: string, line: number, reason: RegExp): HostileFolder {
  return { what, files, problem: { file, line, reason } };
}

/** Describes a folder that looks suspicious but must be accepted. */
export function accepted(what: string, files: Files): HostileFolder {
  return { what, files, problem: null };
}

/** Describes a folder that must be refused because of something that `prepare` does to it. */
export function refusedAfter(
  what: string,
  prepare: HostileFolder["prepare"],
  file: Problem["file"],
  reason: RegExp,
  files: Files = {},
): HostileFolder {
  return { what, prepare, files, problem: { file, line: 1, reason } };
}
