// The state of a template folder while its author changes it. A folder that cannot be pushed leaves the last version that
// could be pushed in use. A folder that changes while it is read is read again, so the last change always wins.
import { basename } from "node:path";
import type { CheckOptions } from "colophon-template-checks/check-template";
import type { FolderState, TemplateState } from "./messages.ts";
import { readFolder, type FolderReading, type ValidFolder } from "./read-folder.ts";

export class Preview {
  readonly directory: string;
  readonly #options: CheckOptions;
  readonly #onState: (state: FolderState) => void;
  #valid: ValidFolder | null = null;
  #state: FolderState;
  #lastReading = "";
  #isReading = false;
  #hasChanged = false;

  /** `onState` is called with each new state. */
  constructor(directory: string, onState: (state: FolderState) => void, options: CheckOptions = {}) {
    this.directory = directory;
    this.#options = options;
    this.#onState = onState;
    const none = { problems: [], moreProblems: 0, warnings: [], moreWarnings: 0, template: null };
    this.#state = { revision: 0, folder: basename(directory), ...none };
  }

  get state(): FolderState {
    return this.#state;
  }

  /** The newest version of the folder that could be pushed; null if there was none yet. */
  get valid(): ValidFolder | null {
    return this.#valid;
  }

  /** Reads the folder. Call it after each change. Resolves at once if the folder is being read. */
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

  /** Takes over what has been read, unless it is the same as before, e.g. after a save without a change. */
  #use({ valid, ...reading }: FolderReading): void {
    const text = JSON.stringify([reading, valid]);
    if (text === this.#lastReading) return;
    this.#lastReading = text;
    if (valid) this.#valid = valid;
    const template = this.#valid && templateState(this.#valid);
    this.#state = { ...this.#state, ...reading, revision: this.#state.revision + 1, template };
    this.#onState(this.#state);
  }
}

function templateState({ content: { manifest }, shown }: ValidFolder): TemplateState {
  const { title, locale, locales = [], page, fields } = manifest;
  return { title, locale, locales, page, fields, samples: shown };
}
