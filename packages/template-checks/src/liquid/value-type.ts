import { similarName } from "colophon-base/similar-name";
// The types of values in Liquid, as far as they are known without data, and the types of their properties.
import { quoted } from "colophon-base/text";
import { byWord, foreignProperties } from "colophon-liquid/foreign-words";
import { charge, type CheckBudget } from "../findings.ts";

export type Work = Pick<CheckBudget, "workLeft">;

/** The content of a string that is more than plain text: the type of its field, or a value that a filter has formatted. */
export type StringFormat = "date" | "datetime" | "image" | "formatted";

/**
 * `unknown` is the type of a value about which nothing is reported. A value of any other type may also be absent, because fields are
 * optional and variables may be unset. `known` is a string's value or its beginning.
 */
export type ValueType =
  | { kind: "unknown" | "number" | "boolean" }
  | { kind: "string"; format?: StringFormat; known?: { text: string; isWhole: boolean } }
  | { kind: "list"; item: ValueType }
  | { kind: "object"; properties: Properties };

export type Properties = ReadonlyMap<string, ValueType>;

export const unknown: ValueType = { kind: "unknown" };
export const string: ValueType = { kind: "string" };
export const number: ValueType = { kind: "number" };
export const boolean: ValueType = { kind: "boolean" };

export function listOf(item: ValueType): ValueType {
  return { kind: "list", item };
}

export function objectOf(properties: Record<string, ValueType>): ValueType {
  return { kind: "object", properties: new Map(Object.entries(properties)) };
}

/** Data is not nested more deeply, but a chain of filters can be. */
const maxDepth = 64;

/** Returns the type of a value that may have either type; `left` is undefined if there is only one. */
export function joined(left: ValueType | undefined, right: ValueType, budget: Work, depth = 0): ValueType {
  if (left === undefined || left === right) return right;
  if (depth > maxDepth) return unknown;
  if (left.kind === "list" && right.kind === "list") return listOf(joined(left.item, right.item, budget, depth + 1));
  if (left.kind === "string" && right.kind === "string")
    return left.format && left.format === right.format ? left : string;
  if (left.kind !== "object" || right.kind !== "object") return left.kind === right.kind ? left : unknown;
  if (!charge(budget, left.properties.size + right.properties.size)) return unknown;
  // A property may come from either object, so only a name that both lack is a mistake.
  const properties = new Map(left.properties);
  for (const [name, type] of right.properties)
    properties.set(name, joined(properties.get(name), type, budget, depth + 1));
  return { kind: "object", properties };
}

/** Returns the type of an item of a list that a filter has flattened. A value that is not a list counts as its only item. */
export function flatItem(type: ValueType): ValueType {
  return type.kind === "list" ? flatItem(type.item) : type;
}

/** Describes the type, as in "is a list of numbers". */
export function describe(type: ValueType): string {
  if (type.kind === "list")
    return ["unknown", "boolean"].includes(type.item.kind) ? "a list" : `a list of ${type.item.kind}s`;
  if (type.kind === "string") return type.format ? formatWords[type.format] : "a string";
  return kindWords[type.kind];
}

const formatWords: Record<StringFormat, string> = {
  date: "a date",
  datetime: "a date and time",
  image: "an image",
  formatted: "text for readers",
};
const kindWords: Record<Exclude<ValueType["kind"], "string" | "list">, string> = {
  unknown: "unknown",
  number: "a number",
  boolean: "true or false",
  object: "an object",
};

const foreign = byWord(foreignProperties);

/** The type of a property, or why it cannot be read. `similar` is the name that was probably meant. */
type ReadProperty = { type: ValueType } | { similar: string } | { reason: string };

/** `owner` is how messages refer to the value, e.g. `item`. */
export function readProperty(type: ValueType, name: string | number, owner: string): ReadProperty {
  switch (type.kind) {
    case "unknown":
      return { type: unknown };
    case "object":
      return objectProperty(type.properties, name, owner);
    case "list":
      if (typeof name === "number" || name === "first" || name === "last") return { type: type.item };
      return name === "size" ? { type: number } : listProblem(type.item, name, owner);
    case "string":
      if (name === "size") return { type: number };
      if (name === "first" || name === "last") return { type: string };
  }
  const meant = type.kind === "string" ? foreign.get(String(name))?.advice : undefined;
  return meant === undefined
    ? { reason: `${quoted(owner)} is ${describe(type)} and has no properties` }
    : { similar: meant };
}

function objectProperty(
  properties: ReadonlyMap<string, ValueType>,
  name: string | number,
  owner: string,
): ReadProperty {
  const type = properties.get(String(name));
  if (type) return { type };
  if (name === "size") return { type: number };
  // The first property as a pair of its key and its value.
  if (name === "first") return { type: listOf(unknown) };
  if (properties.size === 0) return { reason: `${quoted(owner)} has no properties` };
  const meant = foreign.get(String(name))?.advice ?? "";
  const similar = properties.has(meant) ? meant : similarName(String(name), properties.keys());
  return similar ? { similar } : { reason: `${quoted(owner)} has only ${nameList(properties.keys())}` };
}

function listProblem(item: ValueType, name: string, owner: string): ReadProperty {
  if (item.kind === "object" && item.properties.has(name)) {
    const ways = `read ${quoted(name)} from its items in a loop, or write ${quoted(`${owner}.first.${name}`)}`;
    return { reason: `${quoted(owner)} is a list; ${ways}` };
  }
  const names = ["first", "last", "size"];
  const similar = foreign.get(name)?.advice ?? similarName(name, names);
  return similar ? { similar } : { reason: `${quoted(owner)} is a list, which has only items, ${nameList(names)}` };
}

const maxNames = 8;

function nameList(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, maxNames).map(quoted).join(", ");
  return all.length > maxNames ? `${shown} and ${all.length - maxNames} more` : shown;
}
