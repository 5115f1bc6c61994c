// Checks the Liquid of a template against its fields. A part is checked once, after all its users, with the types of all values
// passed to it.
import { similarName } from "colophon-base/similar-name";
import type { ParsedLiquid } from "colophon-liquid/liquid";
import { partUses, type Parts } from "colophon-liquid/syntax";
import { foldFields } from "colophon-template-model/fields";
import { pageInfo } from "colophon-template-model/page-info";
import type { Field, FieldType } from "colophon-template-model/template";
import type { MessageUses } from "../check-messages.ts";
import { charge, findingCollector, type CheckBudget, type Finding } from "../findings.ts";
import { checkNodes } from "./check-nodes.ts";
import { namesSet, namesTested, type PartUse, Scope } from "./scope.ts";
import type { Properties, ValueType } from "./value-type.ts";
import { boolean, joined, listOf, number, objectOf, string, unknown } from "./value-type.ts";

/**
 * `roots` are the pages, the header and the footer. `valueNames` are the names in `page.values`. Uses of messages are added to
 * `messages`.
 */
type Input = {
  roots: ParsedLiquid[];
  parts: Parts;
  fields: Field[];
  valueNames: string[];
  messages: MessageUses;
  budget: CheckBudget;
};

/** The names that a part can read in addition to `document` and `page`. `isMargin` is true if a header or footer uses it. */
type Passed = { isMargin: boolean; values: Map<string, ValueType> };

export function checkLiquid({ roots, parts, fields, valueNames, messages, budget }: Input): Finding[] {
  const files = usersFirst(roots, parts);
  const partNames = new Map([...parts].map(([name, file]) => [file, name]));
  const passed = new Map<string, Passed>();
  const unparsed = files.flatMap((file) => file.unparsed ?? []);
  const types = { page: givenTypes(fields, null), margin: givenTypes(fields, valueNames) };
  return files.flatMap((parsed) => {
    const { file, nodes } = parsed;
    const { report, isFull, findings } = findingCollector(budget);
    const part = partNames.get(parsed);
    const use = part === undefined ? null : (passed.get(part) ?? { isMargin: false, values: new Map() });
    const isMargin = use ? use.isMargin : !file.startsWith("pages/");
    const data = isMargin ? types.margin : types.page;
    const names = namesSet(nodes);
    const own: Properties = use ? new Map([...globalTypes(data, isMargin), ...use.values]) : data;
    if (!charge(budget, own.size + names.size)) return [];
    const known = [...own.keys(), ...names.keys(), ...data.keys()];
    const optional = use ? optionalNames(namesTested(nodes), known, budget) : [];
    const readable = new Map([...unknowns(optional), ...own, ...layoutNames(parsed, parts)]);
    const passOn = ({ part: used, isLayout, values }: PartUse): void => {
      const before = passed.get(used) ?? { isMargin: false, values: new Map<string, ValueType>() };
      if (!charge(budget, isLayout ? readable.size + names.size : values.size)) return;
      // A layout can read everything that the file using it can read.
      const all = isLayout ? [...readable, ...unknowns(names.keys()), ...values] : values;
      for (const [name, type] of all) before.values.set(name, joined(before.values.get(name), type, budget));
      passed.set(used, { values: before.values, isMargin: before.isMargin || isMargin });
    };
    const named = part === undefined ? null : { name: part, isField: (name: string) => data.has(name) };
    const shared = { file, report, isFull, budget, names, messages, unparsed };
    checkNodes({ ...shared, scope: new Scope(readable, budget), part: named, usePart: passOn }, nodes);
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
}

/** Returns the files in an order in which every part comes after all files that use it. No part uses itself. */
function usersFirst(roots: readonly ParsedLiquid[], parts: Parts): ParsedLiquid[] {
  const done = new Set<ParsedLiquid>();
  const visit = (file: ParsedLiquid): void => {
    if (done.has(file)) return;
    for (const { part } of partUses(file)) {
      const used = parts.get(part);
      if (used) visit(used);
    }
    done.add(file);
  };
  for (const root of roots.toReversed()) visit(root);
  return [...done].toReversed();
}

/** A block is rendered inside the layout, so it can also read the layout's arguments and the variables that the layout sets. */
function layoutNames({ layout }: ParsedLiquid, parts: Parts): [string, ValueType][] {
  const used = layout && parts.get(layout.part);
  if (!used) return [];
  return [
    ...unknowns([...layout.named.map(([name]) => name), ...namesSet(used.nodes).keys()]),
    ...layoutNames(used, parts),
  ];
}

/** An argument that a part tests with `if` may be left out, unless it is a known name or similar to one, and so probably a mistake. */
function optionalNames(tested: string[], known: string[], budget: CheckBudget): string[] {
  // Each name is compared with all names.
  return tested.filter((name) => name !== "page" && charge(budget, known.length) && similarName(name, known) === null);
}

function unknowns(names: Iterable<string>): [string, ValueType][] {
  return [...names].map((name) => [name, unknown]);
}

/**
 * `pageValues` are the names of the values that elements set on their pages; null for page files and their parts, because only
 * headers, footers and their parts can read `page`.
 */
function givenTypes(fields: Field[], pageValues: readonly string[] | null): Properties {
  const types = new Map(
    foldFields<[string, ValueType]>(fields, ({ field, inner }) => [field.key, fieldType(field, new Map(inner))]),
  );
  if (!types.has("data")) types.set("data", { kind: "object", properties: new Map(types) });
  types.set("document", withField(documentType, types.get("document")));
  if (pageValues) types.set("page", withField(pageType(pageValues), types.get("page")));
  return types;
}

/** Returns the given types that every part can read. */
function globalTypes(given: Properties, isMargin: boolean): Properties {
  return new Map((isMargin ? ["document", "page"] : ["document"]).map((name) => [name, given.get(name) ?? unknown]));
}

function fieldType({ type, items }: Field, properties: Properties): ValueType {
  if (type === "object") return { kind: "object", properties };
  if (type === "list") return listOf(items ? scalarType(items) : { kind: "object", properties });
  return scalarType(type);
}

function scalarType(type: Exclude<FieldType, "object" | "list">): ValueType {
  if (type === "number" || type === "integer" || type === "decimal") return number;
  if (type === "boolean") return boolean;
  return type === "string" || type === "text" ? string : { kind: "string", format: type };
}

const documentType = objectOf({ id: string, createdAt: { kind: "string", format: "datetime" }, locale: string });
const pageProperties = Object.entries(pageInfo(1, {})[0] ?? {}).map(([name, value]) => [
  name,
  typeof value === "number" ? number : string,
]);

function pageType(valueNames: readonly string[]): ValueType {
  const value = objectOf({ first: unknown, last: unknown, start: unknown });
  const values = objectOf(Object.fromEntries(valueNames.map((name) => [name, value])));
  return objectOf({ ...Object.fromEntries(pageProperties), values });
}

/** A field with the same name keeps the properties that the service does not set. */
function withField(own: ValueType, field: ValueType | undefined): ValueType {
  if (!field) return own;
  if (own.kind !== "object" || field.kind !== "object") return unknown;
  return { kind: "object", properties: new Map([...field.properties, ...own.properties]) };
}
