// The state of a template folder while its author edits it. If the folder is invalid, the last valid version stays in use. If
// it changes while it is read, it is read again, so the last change always wins.
import { basename, join } from "node:path";
import { messageOf } from "colophon-base/message-of";
import type { CheckOptions } from "colophon-template-checks/check-template";
import type { FileWarning, TemplateContent } from "colophon-template-model/template";
import { maxProblems, type FileProblem } from "colophon-template-model/template-files";
import { readTemplateFolder } from "../folder/template-folder.ts";
import type { FolderState, Sample, TemplateState } from "./messages.ts";
import { readSamples, type SampleFile } from "./samples.ts";
import { withSource } from "./source-lines.ts";
import { digestOf } from "./watch-folder.ts";

export class Preview {
  readonly directory: string;
  readonly #options: CheckOptions;
  readonly #onState: (state: FolderState) => void;
  /** The newest valid version of the folder; null if there was none yet. */
  valid: ValidFolder | null = null;
  state: FolderState;
  #lastReading = "";
  #isReading = false;
  #hasChanged = false;

  /** `onState` is called with each new state. */
  constructor(directory: string, onState: (state: FolderState) => void, options: CheckOptions = {}) {
    this.directory = directory;
    this.#options = options;
    this.#onState = onState;
    const none = { problems: [], moreProblems: 0, warnings: [], moreWarnings: 0, template: null };
    this.state = { revision: 0, folder: basename(directory), ...none };
  }

  /** Reads the folder. Must be called after each change. Resolves immediately if the folder is already being read. */
  async reload(): Promise<void> {
    this.#hasChanged = true;
    if (this.#isReading) return;
    this.#isReading = true;
    while (this.#hasChanged) {
      this.#hasChanged = false;
      const reading = await readFolder(this.directory, this.#options);
      if (!this.#hasChanged) this.#use(reading);
    }
    this.#isReading = false;
  }

  /** Uses the new reading, unless it equals the last one, for example after saving without a change. */
  #use({ valid, ...reading }: FolderReading): void {
    const text = JSON.stringify([reading, valid]);
    if (text === this.#lastReading) return;
    this.#lastReading = text;
    if (valid) this.valid = valid;
    const template = this.valid && templateState(this.valid);
    this.state = { ...this.state, ...reading, revision: this.state.revision + 1, template };
    this.#onState(this.state);
  }
}

function templateState({ content: { manifest }, shown: shownSamples }: ValidFolder): TemplateState {
  const { title, locale, locales = [], page, fields } = manifest;
  return { title, locale, locales, page, fields, samples: shownSamples };
}

/** A folder that can be pushed. */
export type ValidFolder = {
  content: TemplateContent;
  samples: SampleFile[];
  /** The samples in the form for the page. */
  shown: Sample[];
  /** A digest that changes with the test files. */
  tests: string;
};

/** `valid` is null if there are problems. */
type FolderReading = Pick<FolderState, "problems" | "moreProblems" | "warnings" | "moreWarnings"> & {
  valid: ValidFolder | null;
};

/** Never rejects. */
async function readFolder(directory: string, options?: CheckOptions): Promise<FolderReading> {
  try {
    const read = await readTemplateFolder(directory, undefined, options);
    if (read.status === "broken") return await brokenFolder(directory, read.problems, read.warnings);
    const { content } = read;
    const [samples, warnings] = await Promise.all([
      readSamples(directory, content),
      withSource(directory, read.warnings.slice(0, maxProblems)),
    ]);
    const shown = samples.map(async ({ file, digest, problems }) => {
      return { file, digest, problems: await withSource(directory, problems.map(placeOf)) };
    });
    const valid = {
      content,
      samples,
      shown: await Promise.all(shown),
      tests: await digestOf([join(directory, "tests")]),
    };
    return { problems: [], moreProblems: 0, warnings, moreWarnings: read.warnings.length - warnings.length, valid };
  } catch (error) {
    // The folder is read while it changes, so anything may be missing at any moment.
    const reason = `the folder cannot be read: ${messageOf(error)}`;
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

function placeOf({ reason, ...place }: FileProblem) {
  return { ...place, message: reason };
}
