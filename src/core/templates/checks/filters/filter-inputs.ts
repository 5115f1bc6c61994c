// Which values a filter can use. Only values about which a filter would always do nothing useful are refused.
import { quoted } from "../../styles/support/style-message.ts";
import { describe, flatItem, isPlainText, type ValueType } from "../paths/value-type.ts";
import type { FilterInput } from "./filter-values.ts";

/** Returns a problem if the filter can never do anything useful with this input. */
export function inputProblem(filter: string, { type, shown }: FilterInput): string | null {
  if (type.kind === "unknown" || type.kind === "nil") return null;
  const kind = Object.hasOwn(inputKinds, filter) ? inputKinds[filter] : undefined;
  if (!kind || accepts[kind](type)) return null;
  return `the filter ${quoted(filter)} needs ${words[kind]}, and ${quoted(shown)} is ${describe(type)}`;
}

type InputKind = "text" | "number" | "date" | "list" | "objects" | "sized" | "code";

const words: Record<InputKind, string> = {
  text: "text",
  number: "a number",
  date: "a date",
  list: "a list",
  objects: "a list of objects",
  sized: "a list or text",
  code: "text or a number",
};

const accepts: Record<InputKind, (type: ValueType) => boolean> = {
  text: ({ kind }) => kind !== "list" && kind !== "object",
  // A string may contain a number, for example when a caller sends amounts as text.
  number: (type) => type.kind === "number" || isPlainText(type),
  date: (type) => type.kind === "number" || (type.kind === "string" && type.format !== "image"),
  list: ({ kind }) => kind === "list" || kind === "object",
  objects: (type) => ["object", "unknown", "nil"].includes(flatItem(type).kind),
  sized: ({ kind }) => kind !== "number" && kind !== "boolean",
  code: (type) => type.kind === "number" || (type.kind === "string" && type.format !== "image"),
};

const inputKinds: Record<string, InputKind> = {
  ...ofKind("number", "abs at_least at_most ceil currency divided_by minus modulo number percent plural plus round times"),
  floor: "number",
  ...ofKind("date", "date time"),
  ...ofKind(
    "text",
    "append capitalize cgi_escape downcase lstrip markdown newline_to_br normalize_whitespace number_of_words prepend remove remove_first remove_last replace replace_first replace_last rstrip slugify split strip strip_html strip_newlines t truncate truncatewords upcase url_decode url_encode base64_encode base64_decode",
  ),
  ...ofKind("list", "array_to_sentence_string compact join pop reverse shift sort sort_natural uniq"),
  ...ofKind("objects", "group_by map"),
  ...ofKind("sized", "first last size"),
  ...ofKind("code", "barcode qr_code"),
};

function ofKind(kind: InputKind, names: string): Record<string, InputKind> {
  return Object.fromEntries(names.split(" ").map((name) => [name, kind]));
}
