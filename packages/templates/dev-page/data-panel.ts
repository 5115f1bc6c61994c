// The sample data as JSON. Edits change only what this page shows, never a file. They are kept until they are discarded or
// another sample is chosen.
import { parseJsonFile } from "colophon-template-model/json-file";
import { isPlainObject, maxDataDepth } from "colophon-template-model/template-data";
import { byId, element } from "./dom.ts";

type Data = Record<string, unknown>;

type LineProblem = { line: number; reason: string };

export class DataPanel {
  readonly #json = byId("json", HTMLTextAreaElement);
  readonly #onEdit: () => void;
  #sample = "";
  #data: Data = {};
  #isEdited = false;

  /** `onEdit` is called when the data has been edited, and `onReset` when the edits are discarded. */
  constructor(onEdit: () => void, onReset: () => void) {
    this.#onEdit = onEdit;
    this.#json.addEventListener("input", () => this.#readJson());
    byId("reset", HTMLButtonElement).addEventListener("click", onReset);
  }

  /** The edited data; undefined while there are no edits. */
  get edited(): Data | undefined {
    return this.#isEdited ? this.#data : undefined;
  }

  /** Shows the data of a sample and discards the edits. */
  load(sample: string, data: Data): void {
    this.#sample = sample;
    this.#data = data;
    this.#setEdited(false);
    this.#json.value = JSON.stringify(data, null, 2);
    this.#showProblems([]);
  }

  #readJson(): void {
    const parsed = parseJsonFile(this.#json.value, maxDataDepth);
    if (parsed.status === "malformed") return this.#showProblems(parsed.problems);
    const { value } = parsed.json;
    if (!isPlainObject(value)) return this.#showProblems([{ line: 1, reason: "the data must be a JSON object" }]);
    this.#showProblems([]);
    this.#data = value;
    this.#setEdited(true);
    this.#onEdit();
  }

  #setEdited(isEdited: boolean): void {
    this.#isEdited = isEdited;
    byId("edited", HTMLElement).hidden = !isEdited;
    byId("edited-text", HTMLElement).textContent = `Edited here; ${this.#sample} is unchanged.`;
  }

  #showProblems(problems: LineProblem[]): void {
    const items = problems.map(({ line, reason }) => {
      const link = element("button", { type: "button", textContent: `Line ${line}: ${reason}` });
      link.addEventListener("click", () => this.#selectLine(line));
      return element("li", {}, link);
    });
    byId("json-problems", HTMLElement).replaceChildren(...items);
  }

  #selectLine(line: number): void {
    const lines = this.#json.value.split("\n");
    const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.#json.focus();
    this.#json.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    const lineHeightPx = this.#json.scrollHeight / lines.length;
    this.#json.scrollTop = Math.max(0, (line - 4) * lineHeightPx);
  }
}
