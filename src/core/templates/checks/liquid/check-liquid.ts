// Checks the Liquid of a template against its fields, and finds the fields that nothing reads. A part is checked once, after
// everything that uses it, with the types of all that is passed to it.
import type { ParsedLiquid } from "../../../liquid/liquid.ts";
import { partUses, type Parts } from "../../../liquid/syntax/parts/part-uses.ts";
import { foldFields } from "../../fields.ts";
import { quoted } from "../../styles/support/style-message.ts";
import type { Field } from "../../template.ts";
import { findingCollector, type Finding } from "../finding.ts";
import type { MessageUses } from "../messages/message-uses.ts";
import { checkNodes } from "./check-nodes.ts";
import type { PartUse } from "./file-check.ts";
import { givenTypes, globalTypes } from "./given-types.ts";
import { namesRead, namesSet } from "./names.ts";
import { Scope } from "./scope.ts";
import { joined, unknown, type Properties, type ValueType } from "./value-type.ts";

/**
 * `roots` are the pages, the header and the footer. The uses of messages are added to `messages`. `lineOf` returns the line of a path
 * in `template.json`.
 */
type Input = { roots: ParsedLiquid[]; parts: Parts; fields: Field[]; messages: MessageUses; lineOf: (path: (string | number)[]) => number };

/** What a part can read besides `document` and `page`. `isMargin` is true if a header or footer uses it. */
type Passed = { isMargin: boolean; values: Map<string, ValueType> };

export function checkLiquid({ roots, parts, fields, messages, lineOf }: Input): Finding[] {
  const files = usersFirst(roots, parts);
  const partNames = new Map([...parts].map(([name, file]) => [file, name]));
  const passed = new Map<string, Passed>();
  let readsWhole = false;
  const findings = files.flatMap((parsed) => {
    const { file, nodes } = parsed;
    const { report, isFull, findings } = findingCollector();
    const part = partNames.get(parsed);
    const use = part === undefined ? null : (passed.get(part) ?? { isMargin: false, values: new Map() });
    const isMargin = use ? use.isMargin : !file.startsWith("pages/");
    const data = givenTypes(fields, isMargin);
    const names = namesSet(nodes);
    const own: Properties = use ? new Map([...globalTypes(data, isMargin), ...use.values]) : data;
    const given = new Map([...own, ...layoutNames(parsed, parts)]);
    const passOn = ({ part: used, isLayout, values }: PartUse): void => {
      const known = passed.get(used) ?? { isMargin: false, values: new Map<string, ValueType>() };
      // A layout can read what the file that uses it can read.
      const all = isLayout ? [...given, ...unknowns(names.keys()), ...values] : values;
      for (const [name, type] of all) known.values.set(name, joined(known.values.get(name), type));
      passed.set(used, { values: known.values, isMargin: known.isMargin || isMargin });
    };
    checkNodes({
      file,
      scope: new Scope(given),
      report,
      isFull,
      names,
      part: part === undefined ? null : { name: part, isField: (name) => data.has(name) },
      usePart: passOn,
      messages,
      useWhole: () => (readsWhole = true),
    }, nodes);
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
  // A path with a mistake was probably meant to read one of the fields that look unused.
  const isCertain = !readsWhole && !findings.some(({ severity }) => severity === "error");
  return [...findings, ...(isCertain ? unusedFields(fields, namesRead(files), lineOf) : [])];
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
  return [...unknowns([...layout.named.map(([name]) => name), ...namesSet(used.nodes).keys()]), ...layoutNames(used, parts)];
}

function unknowns(names: Iterable<string>): [string, ValueType][] {
  return [...names].map((name) => [name, unknown]);
}

/** Returns a warning for each field that nothing reads. The fields inside an unused field are not named. */
function unusedFields(fields: Field[], read: ReadonlySet<string> | null, lineOf: Input["lineOf"]): Finding[] {
  if (read === null) return [];
  return foldFields<Finding[]>(fields, ({ field, path, inner }) => {
    if (read.has(field.key)) return inner.flat();
    const message = `the field ${quoted(field.key)} is not used in any page, header or footer`;
    return [{ severity: "warning", file: "template.json", line: lineOf([...path, "key"]), message }];
  }).flat();
}
