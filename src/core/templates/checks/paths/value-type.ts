// What is known about a value in Liquid before any data is known.
import type { Field } from "../../template.ts";

/** A text that a string may be, or with which it may begin. */
export type KnownText = { text: string; isWhole: boolean };

/**
 * What a string contains: what the type of its field says (`text` for fields of the types `string` and `text`), or a value that a
 * filter such as `currency` has written for readers.
 */
export type StringFormat = "text" | "date" | "datetime" | "image" | "formatted";

/**
 * `unknown` is a value about which nothing can be said, so nothing is reported about it. A value of any other type may be
 * absent too, because fields are optional and variables may be unset.
 */
/** `texts` are all texts that a string may be; absent if it may be any text. */
export type ValueType =
  | { kind: "unknown" }
  | { kind: "nil" }
  | { kind: "string"; format?: StringFormat; texts?: readonly KnownText[] }
  | { kind: "number" }
  | { kind: "boolean" }
  | { kind: "list"; item: ValueType }
  | { kind: "object"; properties: Properties };

/** `fields` are the fields that are read with the property. Properties that the service adds have none. */
export type Property = { type: ValueType; fields: readonly Field[] };
export type Properties = ReadonlyMap<string, Property>;

export const unknown: ValueType = { kind: "unknown" };
export const nil: ValueType = { kind: "nil" };
export const string: ValueType = { kind: "string" };
export const number: ValueType = { kind: "number" };
export const boolean: ValueType = { kind: "boolean" };

export function listOf(item: ValueType): ValueType {
  return { kind: "list", item };
}

/** Returns an object whose properties are not fields. */
export function objectOf(properties: Record<string, ValueType>): Extract<ValueType, { kind: "object" }> {
  const entries = Object.entries(properties).map(([name, type]): [string, Property] => [name, { type, fields: [] }]);
  return { kind: "object", properties: new Map(entries) };
}

/** Returns the type of a value that has one of two types. */
export function joined(left: ValueType, right: ValueType): ValueType {
  if (left === right || right.kind === "nil") return left;
  if (left.kind === "nil") return right;
  if (left.kind === "string" && right.kind === "string") return joinedStrings(left, right);
  if (left.kind === "list" && right.kind === "list") return listOf(joined(left.item, right.item));
  if (left.kind === "object" && right.kind === "object") return joinedObjects(left.properties, right.properties);
  return left.kind === right.kind ? left : { kind: "unknown" };
}

export function joinedAll(types: Iterable<ValueType>): ValueType {
  let result = nil;
  for (const type of types) result = joined(result, type);
  return result;
}

type StringType = Extract<ValueType, { kind: "string" }>;

/** More texts are not worth following. */
export const maxTexts = 50;

function joinedStrings(left: StringType, right: StringType): ValueType {
  if (left.format !== undefined && left.format === right.format) return left;
  const texts = left.texts && right.texts ? [...left.texts, ...right.texts] : [];
  return texts.length > 0 && texts.length <= maxTexts ? { kind: "string", texts } : string;
}

/** A property may come from either object, so only a name that neither of them has is a mistake. */
function joinedObjects(left: Properties, right: Properties): ValueType {
  if (left === right) return { kind: "object", properties: left };
  const properties = new Map(left);
  for (const [name, property] of right) {
    const other = properties.get(name);
    const fields = [...new Set([...(other?.fields ?? []), ...property.fields])];
    properties.set(name, { type: other ? joined(other.type, property.type) : property.type, fields });
  }
  return { kind: "object", properties };
}

/** Whether the value may be any text, for example the digits of a number. */
export function isPlainText(type: ValueType): boolean {
  return type.kind === "string" && (type.format === undefined || type.format === "text");
}

/** Returns the type of an item of a list that a filter has flattened. A value that is not a list is its own only item. */
export function flatItem(type: ValueType): ValueType {
  return type.kind === "list" ? flatItem(type.item) : type;
}

/** Describes the type, as in "is a list of numbers". */
export function describe(type: ValueType): string {
  if (type.kind === "list") return listWords[type.item.kind] ?? "a list";
  if (type.kind === "string") return type.format ? formatWords[type.format] : "a string";
  return kindWords[type.kind];
}

const listWords: Partial<Record<ValueType["kind"], string>> = {
  string: "a list of strings",
  number: "a list of numbers",
  object: "a list of objects",
  list: "a list of lists",
};
const formatWords: Record<StringFormat, string> = { text: "a string", date: "a date", datetime: "a date and time", image: "an image", formatted: "text for readers" };
const kindWords: Record<Exclude<ValueType["kind"], "string" | "list">, string> = {
  unknown: "unknown",
  nil: "nil",
  number: "a number",
  boolean: "true or false",
  object: "an object",
};
