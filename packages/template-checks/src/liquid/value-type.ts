// What is known about a value in Liquid before any data is known.
import { charge, type CheckBudget } from "../finding.ts";

export type Work = Pick<CheckBudget, "workLeft">;

/** What a string contains, if it is more than text: the type of its field, or a value that a filter has formatted. */
export type StringFormat = "date" | "datetime" | "image" | "formatted";

/** What a string is, or with what it begins. */
export type KnownText = { text: string; isWhole: boolean };

/**
 * `unknown` is a value about which nothing can be said, so nothing is reported about it. A value of any other type may be
 * absent too, because fields are optional and variables may be unset.
 */
export type ValueType =
  | { kind: "unknown" | "number" | "boolean" }
  | { kind: "string"; format?: StringFormat; known?: KnownText }
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

/** Data is not deeper, but a chain of filters may be. */
const maxDepth = 64;

/** Returns the type of a value that has one of two types; `left` is undefined if there is only one. */
export function joined(left: ValueType | undefined, right: ValueType, budget: Work, depth = 0): ValueType {
  if (left === undefined || left === right) return right;
  if (depth > maxDepth) return unknown;
  if (left.kind === "list" && right.kind === "list") return listOf(joined(left.item, right.item, budget, depth + 1));
  if (left.kind === "string" && right.kind === "string")
    return left.format && left.format === right.format ? left : string;
  if (left.kind !== "object" || right.kind !== "object") return left.kind === right.kind ? left : unknown;
  if (!charge(budget, left.properties.size + right.properties.size)) return unknown;
  // A property may come from either object, so only a name that neither of them has is a mistake.
  const properties = new Map(left.properties);
  for (const [name, type] of right.properties)
    properties.set(name, joined(properties.get(name), type, budget, depth + 1));
  return { kind: "object", properties };
}

/** Returns the type of an item of a list that a filter has flattened. A value that is not a list is its own only item. */
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
