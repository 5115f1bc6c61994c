// Checks the name of a property that a list filter takes, as in `map: "price"` and `where: "seller.country", "NL"`.
import type { FilterUse } from "../../../liquid/syntax/tree.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { expressionText } from "../paths/expression-text.ts";
import { literalKey } from "../paths/expression-type.ts";
import type { FileCheck } from "../paths/file-check.ts";
import { readProperty } from "../paths/read-property.ts";
import { describe, flatItem, unknown, type ValueType } from "../paths/value-type.ts";
import type { FilterInput } from "./filter-values.ts";

/** The filters whose first argument names a property of the items. */
export const propertyFilters: ReadonlySet<string> = new Set(
  "compact find find_index group_by has map reject sort sort_natural sum uniq where".split(" "),
);

/** `unquoted` is a name that was written without quotes, and has been reported. */
export type ItemProperty = { status: "known"; type: ValueType } | { status: "none" } | { status: "unquoted" };

export function checkItemProperty(check: FileCheck, use: FilterUse, { type, shown }: FilterInput): ItemProperty {
  const [argument] = use.positional;
  const item = flatItem(type);
  if (!argument) {
    if (item.kind === "object" && needsProperty.has(use.name)) {
      check.report(use.line, `${quoted(use.name)} needs the name of a property in quotes, because ${quoted(shown)} is a list of objects`);
    }
    return { status: "none" };
  }
  const key = literalKey(argument);
  if (key === null) {
    if (isUnquoted(check, use, item)) return { status: "unquoted" };
    check.useWhole(item);
    return { status: "none" };
  }
  if (typeof key === "number") {
    check.report(use.line, `${quoted(use.name)} needs the name of a property in quotes, got ${key}`);
    return { status: "none" };
  }
  return { status: "known", type: deepType(check, use, { item, shown, key }) };
}

const needsProperty = new Set(["sort", "sort_natural", "sum"]);

/** Reports an argument such as `price` instead of `"price"`. */
function isUnquoted(check: FileCheck, { positional: [argument], name, line }: FilterUse, item: ValueType): boolean {
  if (argument?.kind !== "path" || typeof argument.root !== "string" || item.kind !== "object") return false;
  if (check.scope.typeOf(argument.root) !== null || !item.properties.has(argument.root)) return false;
  const text = expressionText(argument);
  check.report(line, `${quoted(`${name}: ${text}`)}: did you mean ${quoted(`${name}: "${text}"`)}? The name of a property must be in quotes`);
  return true;
}

type Named = { item: ValueType; shown: string; key: string };

/** Returns the type of a property such as `seller.name` of an item. */
function deepType(check: FileCheck, { name, line }: FilterUse, { item, shown, key }: Named): ValueType {
  if (item.kind === "string" || item.kind === "number" || item.kind === "boolean") {
    // `where` and its relatives search the strings in a list.
    if (item.kind === "string" && searchesStrings.has(name)) return unknown;
    check.report(line, `${quoted(name)} needs a list of objects, and each item of ${quoted(shown)} is ${describe(item)}`);
    return unknown;
  }
  const written = `${name}: ${JSON.stringify(key)}`;
  let type: ValueType = item;
  const before: string[] = [];
  for (const step of key.split(".")) {
    const read = readProperty(type, step, before.length > 0 ? before.join(".") : "each item");
    if (read.status === "wrong") {
      const similar = read.similar !== null && JSON.stringify([...before, read.similar].join("."));
      const message = similar
        ? `${quoted(written)}: did you mean ${quoted(`${name}: ${similar}`)}?`
        : `${quoted(written)}: ${quoted(step)} does not exist${read.similar === null ? `: ${read.reason}` : ""}`;
      check.report(line, message);
      return unknown;
    }
    for (const field of read.fields) check.used.add(field);
    type = read.type;
    before.push(step);
  }
  return type;
}

const searchesStrings = new Set(["where", "reject", "find", "find_index", "has"]);

/**
 * Whether the type of the result says what is read of the input later. The other filters read their input as a whole.
 */
export function readsItems(filter: string): boolean {
  return propertyFilters.has(filter) || keepsItems.has(filter);
}

const keepsItems = new Set("concat default first last pop push reverse shift size slice unshift".split(" "));
