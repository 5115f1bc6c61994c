// Checks the Liquid of a template against its fields. A part is checked once, after everything that uses it, with the types of
// all that is passed to it.
import type { ParsedLiquid } from "colophon-liquid/liquid";
import { partUses, type Parts } from "colophon-liquid/syntax";
import type { Field } from "colophon-template-model/template";
import { charge, findingCollector, type Finding, type CheckBudget } from "../finding.ts";
import type { MessageUses } from "../messages/message-uses.ts";
import { checkNodes } from "./check-nodes.ts";
import type { PartUse } from "./file-check.ts";
import { givenTypes, globalTypes } from "./given-types.ts";
import { namesSet, namesTested } from "./names.ts";
import { similarName } from "colophon-base/similar-name";
import { Scope } from "./scope.ts";
import { joined, unknown, type Properties, type ValueType } from "./value-type.ts";

/**
 * `roots` are the pages, the header and the footer. `valueNames` are the names in `page.values`. The uses of messages are added to
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

/** What a part can read besides `document` and `page`. `isMargin` is true if a header or footer uses it. */
type Passed = { isMargin: boolean; values: Map<string, ValueType> };

export function checkLiquid({ roots, parts, fields, valueNames, messages, budget }: Input): Finding[] {
  const files = usersFirst(roots, parts);
  const partNames = new Map([...parts].map(([name, file]) => [file, name]));
  const passed = new Map<string, Passed>();
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
    const given = new Map([...unknowns(optional), ...own, ...layoutNames(parsed, parts)]);
    const passOn = ({ part: used, isLayout, values }: PartUse): void => {
      const before = passed.get(used) ?? { isMargin: false, values: new Map<string, ValueType>() };
      if (!charge(budget, isLayout ? given.size + names.size : values.size)) return;
      // A layout can read what the file that uses it can read.
      const all = isLayout ? [...given, ...unknowns(names.keys()), ...values] : values;
      for (const [name, type] of all) before.values.set(name, joined(before.values.get(name), type, budget));
      passed.set(used, { values: before.values, isMargin: before.isMargin || isMargin });
    };
    checkNodes(
      {
        file,
        scope: new Scope(given, budget),
        report,
        isFull,
        budget,
        names,
        part: part === undefined ? null : { name: part, isField: (name) => data.has(name) },
        usePart: passOn,
        messages,
      },
      nodes,
    );
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

/** An argument that a part asks for with `if` may be left out, unless its name looks like a mistake: one that is known, or similar. */
function optionalNames(tested: string[], known: string[], budget: CheckBudget): string[] {
  // Each one is compared with all names.
  return tested.filter((name) => name !== "page" && charge(budget, known.length) && similarName(name, known) === null);
}

function unknowns(names: Iterable<string>): [string, ValueType][] {
  return [...names].map((name) => [name, unknown]);
}
