// The data as a form that is made from the fields of the template: objects are nested, and lists have buttons to add and to
// remove items.
import type { Field } from "../../core/templates/template.ts";
import { button, element } from "../dom.ts";
import { isObject, valueAt, withValue, type Data, type Path } from "./form-values.ts";
import { scalarInput } from "./scalar-input.ts";

export type FormParts = {
  data(): Data;
  /** Is called with the changed data. */
  onChange(data: Data): void;
};

/** Shows the form in `container`. */
export function showForm(container: HTMLElement, fields: Field[], parts: FormParts): void {
  container.replaceChildren(...fields.map((field) => fieldElement(field, [field.key], parts)));
  if (fields.length === 0)
    container.append(element("p", { className: "quiet", textContent: "The template has no fields." }));
}

/** Shows the messages at the fields. Their paths begin with `data.`, as in a response of the API. */
export function showMessages(container: HTMLElement, messages: { path: string; message: string }[]): void {
  for (const old of container.querySelectorAll(".message")) old.remove();
  for (const wrong of container.querySelectorAll(".wrong")) wrong.classList.remove("wrong");
  for (const { path, message } of messages) {
    const steps = path.split(".").slice(1);
    // A missing value has no element of its own inside an item, then the message is shown at what contains it.
    for (let length = steps.length; length > 0; length--) {
      const found = container.querySelector(`[data-path="${CSS.escape(steps.slice(0, length).join("."))}"]`);
      if (!found) continue;
      found.classList.add("wrong");
      found.append(element("div", { className: "message", textContent: message }));
      break;
    }
  }
}

function fieldElement(field: Field, path: Path, parts: FormParts): HTMLElement {
  const { type } = field;
  const name = caption(field);
  if (type === "object") return framed(path, name, objectGroup(field.fields ?? [], path, parts));
  if (type === "list") return framed(path, name, listGroup(field, path, parts));
  const input = scalarInput(type, `${field.example ?? ""}`, valueAt(parts.data(), path), (value) =>
    change(parts, path, value),
  );
  return framed(path, element("label", {}, name, input));
}

function framed(path: Path, ...children: HTMLElement[]): HTMLElement {
  const frame = element("div", { className: "field" }, ...children);
  frame.dataset["path"] = path.join(".");
  return frame;
}

function caption({ key, label, type, required, items, description }: Field): HTMLElement {
  const kind = type === "list" && items ? `list of ${items}` : type;
  const name = element("span", { className: required ? "name required" : "name", textContent: label || key });
  return element("span", { title: description }, name, " ", element("span", { className: "type", textContent: kind }));
}

function change(parts: FormParts, path: Path, value: unknown): void {
  const data = withValue(parts.data(), path, value);
  parts.onChange(isObject(data) ? data : {});
}

function objectGroup(fields: Field[], path: Path, parts: FormParts): HTMLElement {
  const inner = fields.map((field) => fieldElement(field, [...path, field.key], parts));
  return element("fieldset", { className: "group" }, ...inner);
}

function listGroup(field: Field, path: Path, parts: FormParts): HTMLElement {
  const group = element("fieldset", { className: "group" });
  const items = (): unknown[] => {
    const value = valueAt(parts.data(), path);
    return Array.isArray(value) ? value : [];
  };
  const replace = (next: unknown[]) => {
    change(parts, path, next);
    show();
  };
  const show = () =>
    group.replaceChildren(
      ...items().map((_, index) =>
        element(
          "div",
          { className: "item" },
          itemElement(field, [...path, index], parts),
          button("×", `Remove item ${index + 1}`, () => replace(items().filter((__, at) => at !== index))),
        ),
      ),
      button("Add", `Add an item to ${field.label || field.key}`, () => replace([...items(), newItem(field)])),
    );
  show();
  return group;
}

function itemElement({ fields, items }: Field, path: Path, parts: FormParts): HTMLElement {
  if (fields) return framed(path, objectGroup(fields, path, parts));
  const input = scalarInput(items ?? "string", "", valueAt(parts.data(), path), (value) =>
    change(parts, path, value ?? ""),
  );
  input.ariaLabel = `Item ${Number(path.at(-1)) + 1}`;
  return framed(path, element("label", {}, input));
}

/** Returns an item with the examples of the fields, so that it is valid where that is possible. */
function newItem({ fields, items }: Field): unknown {
  if (!fields) return items === "number" || items === "integer" ? 0 : items === "boolean" ? false : "";
  const known = fields.filter(({ example, required }) => required && example !== undefined);
  return Object.fromEntries(known.map(({ key, example }) => [key, example]));
}
