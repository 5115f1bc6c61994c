// Inputs for single values. An empty input means that the value is absent.
import type { ScalarType } from "../../core/templates/template.ts";
import { element } from "../dom.ts";

type Input = { type: ScalarType; example: string; value: unknown; onValue: (value: unknown) => void };

export function scalarInput(type: ScalarType, example: string, value: unknown, onValue: Input["onValue"]): HTMLElement {
  const input = { type, example, value, onValue };
  if (type === "boolean") return booleanInput(input);
  if (type === "image") return imageInput(input);
  return textInput(input);
}

function textInput({ type, example, value, onValue }: Input): HTMLElement {
  const isNumber = type === "number" || type === "integer";
  const created = type === "text" ? element("textarea") : element("input", { type: inputTypes[type] ?? "text" });
  if (created instanceof HTMLInputElement && isNumber) created.step = type === "integer" ? "1" : "any";
  created.placeholder = example || (type === "datetime" ? "2026-11-22T10:30:00Z" : "");
  created.value = shownText(value);
  created.addEventListener("input", () => {
    const text = created.value;
    onValue(text === "" ? undefined : isNumber ? Number(text) : text);
  });
  return created;
}

/** An input of the type `datetime-local` has no time zone, which the API requires. */
const inputTypes: Partial<Record<ScalarType, string>> = { number: "number", integer: "number", date: "date" };

function shownText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function booleanInput({ value, onValue }: Input): HTMLElement {
  const options = ["", "true", "false"].map((text) =>
    element("option", { value: text, textContent: text || "not given" }),
  );
  const select = element("select", {}, ...options);
  select.value = typeof value === "boolean" ? String(value) : "";
  select.addEventListener("change", () => onValue(select.value === "" ? undefined : select.value === "true"));
  return select;
}

/** An https URL, or a file that becomes a `data:` URI. */
function imageInput({ value, onValue }: Input): HTMLElement {
  const picture = element("img", { className: "thumbnail" });
  const address = element("input", { type: "text", placeholder: "https://… or a file" });
  const file = element("input", { type: "file", accept: "image/*", ariaLabel: "Choose an image file" });
  const show = (source: string) => {
    address.value = source;
    picture.hidden = !source.startsWith("data:image/");
    if (!picture.hidden) picture.src = source;
  };
  show(shownText(value));
  address.addEventListener("input", () => {
    show(address.value);
    onValue(address.value || undefined);
  });
  file.addEventListener("change", async () => {
    const [chosen] = file.files ?? [];
    if (!chosen) return;
    const source = await dataUri(chosen);
    show(source);
    onValue(source);
  });
  return element("span", {}, picture, address, file);
}

function dataUri(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result)));
    reader.addEventListener("error", () => reject(new Error("the file cannot be read")));
    reader.readAsDataURL(file);
  });
}
