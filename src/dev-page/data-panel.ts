// The sample data, as a form and as JSON. Edits change only what this page shows, never a file. They are kept until they are
// discarded or another sample is chosen.
import { parseJsonFile, type JsonFile } from "../../core/templates/folder/json-file.ts";
import { maxDataDepth } from "../../core/templates/template-data.ts";
import type { Field } from "../../core/templates/template.ts";
import { byId, element } from "../dom.ts";
import { showForm, showMessages } from "./form.ts";
import { isObject, type Data } from "./form-values.ts";

type Message = { path: string; message: string };
type LineProblem = { line: number; reason: string };

export class DataPanel {
  readonly #form = byId("panel-form", HTMLFormElement);
  readonly #json = byId("json", HTMLTextAreaElement);
  readonly #onEdit: () => void;
  #fields: Field[] = [];
  #sample = "";
  #data: Data = {};
  #messages: Message[] = [];
  #isEdited = false;

  /** `onEdit` is called when the data has been edited, and `onReset` when the edits are discarded. */
  constructor(onEdit: () => void, onReset: () => void) {
    this.#onEdit = onEdit;
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#json.addEventListener("input", () => this.#readJson());
    byId("reset", HTMLButtonElement).addEventListener("click", onReset);
  }

  /** The edited data; undefined while there are no edits. */
  get edited(): Data | undefined {
    return this.#isEdited ? this.#data : undefined;
  }

  /** Shows the data of a sample and discards the edits. */
  load(sample: string, data: Data, fields: Field[]): void {
    this.#sample = sample;
    this.#fields = fields;
    this.#data = data;
    this.#setEdited(false);
    this.#showForm();
    this.#showJson();
  }

  /** Shows other fields, and keeps the data. */
  setFields(fields: Field[]): void {
    this.#fields = fields;
    this.#showForm();
  }

  /** Shows what the last render has found wrong with the data. */
  setMessages(messages: Message[]): void {
    this.#messages = messages;
    showMessages(this.#form, messages);
    const parsed = parseJsonFile(this.#json.value, maxDataDepth);
    if (parsed.status === "parsed") this.#showJsonProblems(atLines(messages, parsed.json));
  }

  #showForm(): void {
    showForm(this.#form, this.#fields, {
      data: () => this.#data,
      onChange: (data) => {
        this.#edit(data);
        this.#showJson();
      },
    });
    showMessages(this.#form, this.#messages);
  }

  #showJson(): void {
    this.#json.value = JSON.stringify(this.#data, null, 2);
    this.#showJsonProblems([]);
  }

  #readJson(): void {
    const parsed = parseJsonFile(this.#json.value, maxDataDepth);
    if (parsed.status === "malformed") return this.#showJsonProblems(parsed.problems);
    const { value } = parsed.json;
    if (!isObject(value)) return this.#showJsonProblems([{ line: 1, reason: "the data must be a JSON object" }]);
    this.#showJsonProblems([]);
    this.#edit(value);
    this.#showForm();
  }

  #edit(data: Data): void {
    this.#data = data;
    this.#setEdited(true);
    this.#onEdit();
  }

  #setEdited(isEdited: boolean): void {
    this.#isEdited = isEdited;
    byId("edited", HTMLElement).hidden = !isEdited;
    byId("edited-text", HTMLElement).textContent = `Edited here; ${this.#sample} is unchanged.`;
  }

  #showJsonProblems(problems: LineProblem[]): void {
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

function atLines(messages: Message[], json: JsonFile): LineProblem[] {
  return messages.map(({ path, message }) => ({ line: json.lineOf(path.split(".").slice(1)), reason: message }));
}
