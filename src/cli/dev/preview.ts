// The state of a template folder while its author changes it. A folder that cannot be pushed leaves the last version that
// could be pushed in use. A folder that changes while it is read is read again, so the last change always wins.
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ValidationOptions } from "../../core/templates/folder/validate-template.ts";
import type { TemplateContent } from "../../core/templates/template.ts";
import type { FolderState, TemplateState } from "../../dev-page/messages.ts";
import { readFolder, type FolderReading, type ValidFolder } from "./read-folder.ts";

/**
 * Problems are shown only after the folder has not changed for this long, because an editor may write a file in parts, or
 * several files one after the other. So is a file that has become empty: most programs empty a file before they write it.
 */
const unfinishedSettleMs = 150;

export class Preview {
  readonly directory: string;
  readonly #options: ValidationOptions;
  readonly #onState: (state: FolderState) => void;
  #valid: ValidFolder | null = null;
  #state: FolderState;
  #lastReading = "";
  #isReading = false;
  #hasChanged = false;

  /** `onState` is called with each new state. */
  constructor(directory: string, onState: (state: FolderState) => void, options: ValidationOptions = {}) {
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
      if (!reading.valid || hasNewEmptyText(this.#valid, reading.valid)) await sleep(unfinishedSettleMs);
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

function hasNewEmptyText(before: ValidFolder | null, { content }: ValidFolder): boolean {
  const earlier = new Map(before && textsOf(before.content));
  return textsOf(content).some(([file, text]) => text === "" && (earlier.get(file) ?? "") !== "");
}

function textsOf({ pages, parts = [], css, header, footer }: TemplateContent): [file: string, text: string][] {
  const liquid = [...pages.map(({ name, source }) => ({ file: `pages/${name}`, source })), ...parts];
  const texts = liquid.map(({ file, source }): [string, string] => [file, source]);
  return [...texts, ["style.css", css], ["header.liquid", header ?? ""], ["footer.liquid", footer ?? ""]];
}

function templateState({ content: { manifest }, shown }: ValidFolder): TemplateState {
  const { title, locale, locales = [], pageSize, page } = manifest;
  return { title, locale, locales, pageSize, page, samples: shown };
}
