// The type of a property, or what is wrong with reading it.
import { similarName } from "colophon-base/similar-name";
import { quoted } from "colophon-base/quoted";
import { describe, listOf, number, string, unknown, type ValueType } from "./value-type.ts";

/** `similar` is the name that was probably meant. */
export type ReadProperty = { type: ValueType } | { similar: string } | { reason: string };

/** `owner` is how the message shows the value, e.g. `item`. */
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
      if (name === "length") return { similar: "size" };
  }
  return { reason: `${quoted(owner)} is ${describe(type)} and has no properties` };
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
  const similar = similarName(String(name), properties.keys());
  return similar ? { similar } : { reason: `${quoted(owner)} has only ${nameList(properties.keys())}` };
}

function listProblem(item: ValueType, name: string, owner: string): ReadProperty {
  if (item.kind === "object" && item.properties.has(name)) {
    return {
      reason: `${quoted(owner)} is a list; read ${quoted(name)} of its items in a loop, or write ${quoted(`${owner}.first.${name}`)}`,
    };
  }
  const similar = ["length", "count"].includes(name) ? "size" : similarName(name, ["first", "last", "size"]);
  return similar
    ? { similar }
    : { reason: `${quoted(owner)} is a list, which has only items, ${nameList(["first", "last", "size"])}` };
}

const maxNames = 8;

function nameList(names: Iterable<string>): string {
  const all = [...names];
  const shown = all.slice(0, maxNames).map(quoted).join(", ");
  return all.length > maxNames ? `${shown} and ${all.length - maxNames} more` : shown;
}
