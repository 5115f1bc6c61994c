// The type of what each filter returns. A filter that is not listed returns something unknown.
import { boolean, flatItem, joined, listOf, maxTexts, number, objectOf, string, unknown, type ValueType } from "../paths/value-type.ts";
import type { TypedArgument } from "./filter-values.ts";

/** `itemProperty` is the type of the property that the first argument names, for filters that take one; otherwise null. */
type Given = { input: ValueType; types: TypedArgument[]; itemProperty: ValueType | null };

export function resultType(filter: string, given: Given): ValueType {
  const result = Object.hasOwn(results, filter) ? results[filter] : undefined;
  return result ? result(given) : unknown;
}

type Result = (given: Given) => ValueType;

const sameItems: Result = ({ input }) => (input.kind === "nil" ? listOf(unknown) : listOf(flatItem(input)));
const withItem: Result = ({ input, types }) => {
  const item = types[0]?.type ?? unknown;
  return listOf(input.kind === "list" ? joined(input.item, item) : input.kind === "nil" ? item : joined(input, item));
};
const endItem: Result = ({ input }) => (input.kind === "list" ? input.item : input.kind === "string" ? string : unknown);

const results: Record<string, Result> = {
  ...returning(number, "abs at_least at_most ceil divided_by find_index minus modulo number_of_words plus round size sum times to_integer"),
  ...returning(
    string,
    "array_to_sentence_string asset barcode base64_decode base64_encode base64_url_safe_decode base64_url_safe_encode capitalize cgi_escape date downcase escape escape_once join json lstrip markdown newline_to_br normalize_whitespace number qr_code raw remove remove_first remove_last replace replace_first replace_last rstrip slugify strip strip_html strip_newlines t truncate truncatewords upcase url_decode url_encode xml_escape",
  ),
  ...returning({ kind: "string", format: "formatted" }, "currency percent time"),
  ...returning(boolean, "has"),
  ...returning(listOf(string), "split"),
  ...Object.fromEntries(
    ["compact", "reject", "reverse", "sort", "sort_natural", "uniq", "where", "pop", "shift"].map((name) => [name, sameItems]),
  ),
  append: ({ input, types }) => textOf(input, types[0]?.type ?? unknown),
  prepend: ({ input, types }) => textOf(types[0]?.type ?? unknown, input),
  concat: ({ input, types }) => listOf(joined(flatItem(input), flatItem(types[0]?.type ?? unknown))),
  default: ({ input, types }) => joined(input, types[0]?.type ?? unknown),
  floor: () => number,
  find: ({ input }) => flatItem(input),
  first: endItem,
  last: endItem,
  group_by: ({ input, itemProperty }) =>
    listOf(objectOf({ name: itemProperty ?? unknown, items: listOf(flatItem(input)), size: number })),
  map: ({ itemProperty }) => listOf(itemProperty ?? unknown),
  push: withItem,
  unshift: withItem,
  slice: ({ input }) => (input.kind === "list" ? input : input.kind === "string" || input.kind === "number" ? string : unknown),
};

/** Returns the type of a text that consists of two. Only what is known of its beginning matters, as in `"status." | append: status`. */
function textOf(first: ValueType, second: ValueType): ValueType {
  if (first.kind !== "string" || !first.texts) return string;
  const ends = second.kind === "string" && second.texts ? second.texts : [{ text: "", isWhole: false }];
  const texts = first.texts.flatMap((start) => (start.isWhole ? ends.map(({ text, isWhole }) => ({ text: start.text + text, isWhole })) : [start]));
  return texts.length <= maxTexts ? { kind: "string", texts } : string;
}

function returning(type: ValueType, names: string): Record<string, Result> {
  return Object.fromEntries(names.split(" ").map((name) => [name, () => type]));
}
