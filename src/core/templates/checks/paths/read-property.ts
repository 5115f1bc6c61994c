// The type of a property, or what is wrong with reading it.
import { similarName } from "../../../similar-name.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { describe, joinedAll, listOf, number, string, unknown, type Property, type ValueType } from "./value-type.ts";
import type { Field } from "../../template.ts";

/** `hint` says what to write instead. `similar` is the name that was probably meant. */
export type ReadProperty =
  | { status: "known"; type: ValueType; fields: readonly Field[] }
  | { status: "wrong"; similar: string }
  | { status: "wrong"; similar: null; reason: string };

/** `owner` is how the message shows the value, e.g. `item`. */
export function readProperty(type: ValueType, name: string | number, owner: string): ReadProperty {
  switch (type.kind) {
    case "unknown":
      return known(unknown);
    case "nil":
      return wrong(`${quoted(owner)} has no value here`);
    case "object":
      return objectProperty(type.properties, name, owner);
    case "list":
      if (typeof name === "number" || name === "first" || name === "last") return known(type.item);
      if (name === "size") return known(number);
      return listProblem(type.item, name, owner);
    case "string":
      if (name === "size") return known(number);
      if (name === "first" || name === "last") return known(string);
      if (name === "length") return { status: "wrong", similar: "size" };
      return wrong(`${quoted(owner)} is ${describe(type)} and has no properties${type.format && type.format !== "text" ? dateHint(name) : ""}`);
    case "number":
    case "boolean":
      return wrong(`${quoted(owner)} is ${describe(type)} and has no properties`);
  }
}

function objectProperty(properties: ReadonlyMap<string, Property>, name: string | number, owner: string): ReadProperty {
  if (typeof name === "number") return wrong(`${quoted(owner)} is an object, so it has no item ${name}`);
  const property = properties.get(name);
  if (property) return { status: "known", ...property };
  if (name === "size") return known(number);
  // The first property as a pair of its key and its value.
  if (name === "first") return known(pairOf(properties));
  const similar = similarName(name, properties.keys());
  if (similar) return { status: "wrong", similar };
  return wrong(`${quoted(owner)} has only ${nameList(properties.keys())}`);
}

function listProblem(item: ValueType, name: string, owner: string): ReadProperty {
  if (item.kind === "object" && item.properties.has(name)) {
    return wrong(`${quoted(owner)} is a list; read ${quoted(name)} of its items in a loop, or write ${quoted(`${owner}.first.${name}`)}`);
  }
  const similar = ["length", "count"].includes(name) ? "size" : similarName(name, ["first", "last", "size"]);
  if (similar) return { status: "wrong", similar };
  return wrong(`${quoted(owner)} is a list, which has only items, ${nameList(["first", "last", "size"])}`);
}

/** Returns the type of the pairs over which a loop over an object runs. */
export function pairOf(properties: ReadonlyMap<string, Property>): ValueType {
  const values = joinedAll([...properties.values()].map(({ type }) => type));
  return listOf(values.kind === "string" ? string : unknown);
}

const maxNames = 8;

export function nameList(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, maxNames).map(quoted).join(", ");
  return all.length > maxNames ? `${shown} and ${all.length - maxNames} more` : shown;
}

function dateHint(name: string | number): string {
  return /^(year|month|day|hour|minute)s?$/i.test(String(name)) ? "; format it with the filter `date`" : "";
}

function known(type: ValueType): ReadProperty {
  return { status: "known", type, fields: [] };
}

function wrong(reason: string): ReadProperty {
  return { status: "wrong", similar: null, reason };
}
