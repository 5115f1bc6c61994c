// The input and result types of each filter. A filter that is not in the table accepts anything, and its result is unknown.
import type { ValueType, Work } from "./value-type.ts";
import { boolean, flatItem, joined, listOf, number, objectOf, string, unknown } from "./value-type.ts";

/** The values that a filter can use. `sample` is a value of this kind, with which the filter's arguments can be tried. */
export type InputKind = { words: string; accepts(type: ValueType): boolean; sample: unknown };

const isPlainText = (type: ValueType) => type.kind === "string" && type.format === undefined;
const isScalar = ({ kind }: ValueType) => kind !== "list" && kind !== "object";

const text: InputKind = { words: "text", accepts: isScalar, sample: "1" };
// A string may contain a number, for example when a caller sends amounts as text.
const digits: InputKind = {
  words: "a number",
  accepts: (type) => type.kind === "number" || isPlainText(type),
  sample: 1,
};
const date: InputKind = {
  words: "a date",
  accepts: (type) => type.kind === "number" || (type.kind === "string" && type.format !== "image"),
  sample: "2026-01-01T00:00:00Z",
};
const code: InputKind = { ...date, words: "text or a number", sample: "" };
const list: InputKind = { words: "a list", accepts: (type) => !isScalar(type), sample: [] };
const objects: InputKind = {
  words: "a list of objects",
  accepts: (type) => ["object", "unknown"].includes(flatItem(type).kind),
  sample: [],
};
const sized: InputKind = {
  words: "a list or text",
  accepts: ({ kind }) => kind !== "number" && kind !== "boolean",
  sample: "1",
};
const anything: InputKind = { words: "a value", accepts: () => true, sample: "1" };

/** `argument` is the type of the first argument, and `property` the type of the property with that name. */
type Given = { input: ValueType; argument: ValueType; property: ValueType; budget: Work };
type Result = (given: Given) => ValueType;

function always(type: ValueType): Result {
  return () => type;
}

const formatted = always({ kind: "string", format: "formatted" });
const items: Result = ({ input }) => listOf(flatItem(input));
const end: Result = ({ input }) => (input.kind === "list" ? input.item : input.kind === "string" ? string : unknown);
const withItem: Result = ({ input, argument, budget }) =>
  listOf(joined(input.kind === "list" ? input.item : input, argument, budget));

const rows: [input: InputKind, result: Result, filters: string][] = [
  [digits, always(number), "abs at_least at_most ceil divided_by floor minus modulo plus round times"],
  [digits, formatted, "currency percent"],
  [digits, always(string), "number roman"],
  [digits, always(unknown), "plural"],
  [date, always(string), "date"],
  [date, formatted, "time"],
  [code, always(string), "barcode qr_code"],
  [
    text,
    always(string),
    "base64_decode base64_encode capitalize downcase lstrip markdown newline_to_br remove remove_first remove_last replace replace_first replace_last rstrip slugify strip strip_html strip_newlines t truncate truncatewords upcase url_decode url_encode",
  ],
  [text, ({ input, argument }) => textOf(input, argument), "append"],
  [text, ({ input, argument }) => textOf(argument, input), "prepend"],
  [text, always(listOf(string)), "split"],
  [list, always(string), "array_to_sentence_string join"],
  [list, items, "compact reverse sort sort_natural uniq"],
  [
    objects,
    ({ property, ...given }) =>
      listOf(objectOf({ name: property, items: items({ ...given, property }), size: number })),
    "group_by",
  ],
  [objects, ({ property }) => listOf(property), "map"],
  [sized, end, "first last"],
  [sized, always(number), "size"],
  [{ ...anything, sample: [] }, always(number), "find_index sum"],
  [anything, always(boolean), "has"],
  [anything, always(string), "asset base64_url_safe_decode base64_url_safe_encode escape escape_once json raw"],
  [anything, items, "reject where"],
  [anything, ({ input }) => flatItem(input), "find"],
  [anything, ({ input, argument, budget }) => joined(input, argument, budget), "default"],
  [anything, ({ input, argument, budget }) => listOf(joined(flatItem(input), flatItem(argument), budget)), "concat"],
  [anything, withItem, "push"],
  [anything, ({ input }) => (input.kind === "list" ? input : isScalar(input) ? string : unknown), "slice"],
];

const filters = rows.flatMap(([input, result, names]) => names.split(" ").map((name) => ({ name, input, result })));
export const inputKinds = new Map(filters.map(({ name, input }) => [name, input]));
const results = new Map(filters.map(({ name, result }) => [name, result]));

export function resultType(filter: string, given: Given): ValueType {
  return results.get(filter)?.(given) ?? unknown;
}

/** Longer strings are not message keys, and each append could double them. */
const maxKnownChars = 1_000;

/**
 * Returns the type of two concatenated strings. The check of messages uses the known beginning, as in `"status." | append:
 * status`.
 */
function textOf(first: ValueType, second: ValueType): ValueType {
  const [start, rest] = [first, second].map((type) => (type.kind === "string" ? type.known : undefined));
  if (!start) return string;
  const isKnown = start.isWhole && rest && start.text.length + rest.text.length <= maxKnownChars;
  const known = isKnown ? { ...rest, text: start.text + rest.text } : { text: start.text, isWhole: false };
  return { kind: "string", known };
}
