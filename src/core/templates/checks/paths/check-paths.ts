// Checks the Liquid of a template against its fields, and finds the fields that nothing reads.
import type { ParsedLiquid } from "../../../liquid/liquid.ts";
import type { Parts } from "../../../liquid/syntax/parts/part-uses.ts";
import { foldFields } from "../../fields.ts";
import type { Field } from "../../template.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { findingCollector, type FileFinding, type Finding } from "../finding.ts";
import type { MessageUses } from "../messages/message-uses.ts";
import { checkNodes, namesSet } from "./check-nodes.ts";
import { fileCheck, type NamesSet } from "./file-check.ts";
import { globalTypes, givenTypes } from "./given-types.ts";
import { misnamedArguments } from "./misnamed-arguments.ts";
import { layoutsOf, namesIn, PartArguments, usersFirst } from "./part-arguments.ts";
import { unknown, type Properties } from "./value-type.ts";

/** `roots` are the pages, the header and the footer. `assets` are the names of all assets. The uses of messages are added to `messages`. */
type PathsInput = { roots: ParsedLiquid[]; parts: Parts; fields: Field[]; assets: ReadonlySet<string>; messages: MessageUses };

export type CheckedLiquid = { findings: Finding[]; used: ReadonlySet<Field> };

/** `used` are the fields that the files may read. */
export function checkPaths({ roots, parts, fields, assets, messages }: PathsInput): CheckedLiquid {
  const used = new Set<Field>();
  const files = usersFirst(roots, parts);
  const names = new Map(files.map(({ file, nodes }): [string, NamesSet] => [file, namesSet(nodes)]));
  const partNames = new Map([...parts].map(([name, file]) => [file, name]));
  const passed = new PartArguments();
  const data = { page: givenTypes(fields, false), margin: givenTypes(fields, true) };
  const dataFor = (isMargin: boolean) => (isMargin ? data.margin : data.page);
  const atTags: Finding[] = [];
  const givenToPart = (part: string, parsed: ParsedLiquid): Properties => {
    const isMargin = passed.isMargin(part);
    const data = dataFor(isMargin);
    const given = new Map([...globalTypes(data, isMargin), ...passed.given(part)]);
    const { findings, meant } = misnamedArguments({ part, parsed, uses: passed.usesOf(part), given, data });
    atTags.push(...findings.slice(0, maxAtTags - atTags.length));
    return new Map([...given, ...meant]);
  };
  const findings = files.flatMap((parsed) => {
    const { file, nodes } = parsed;
    const { report, isFull, findings } = findingCollector();
    const part = partNames.get(parsed) ?? null;
    const isMargin = part === null ? !file.startsWith("pages/") : passed.isMargin(part);
    const data = dataFor(isMargin);
    const own = part === null ? data : givenToPart(part, parsed);
    const given = withLayoutNames(own, parsed, parts);
    const check = fileCheck(given, {
      file,
      report,
      isFull,
      names: names.get(file) ?? namesSet([]),
      otherFileSetting: (name) => [...names].find(([other, set]) => other !== file && set.variables.has(name))?.[0] ?? null,
      part: part === null ? null : { name: part, isField: (name) => data.has(name) },
      usePart: (use) => passed.record({ file: parsed, isMargin, given }, use),
      assets,
      messages,
      used,
    });
    checkNodes(check, nodes);
    return findings.map((finding): Finding => ({ ...finding, file }));
  });
  return { findings: [...findings, ...atTags], used };
}

const maxAtTags = 100;

/** A block is rendered inside the layout, so it can also read the layout's arguments and the variables that the layout sets. */
function withLayoutNames(given: Properties, file: ParsedLiquid, parts: Parts): Properties {
  const layouts = layoutsOf(file, parts);
  const passed = [file, ...layouts].flatMap(({ layout }) => (layout?.named ?? []).map(([name]) => name));
  const names = [...passed, ...layouts.flatMap((layout) => [...namesIn(layout)])];
  if (names.length === 0) return given;
  return new Map([...given, ...names.map((name) => [name, { type: unknown, fields: given.get(name)?.fields ?? [] }] as const)]);
}

/**
 * Returns a warning for each field that nothing reads. The fields inside an unused field are not named. `lineOf` returns the
 * line of a path in `template.json`.
 */
export function unusedFields(
  fields: Field[],
  used: ReadonlySet<Field>,
  lineOf: (path: (string | number)[]) => number,
): FileFinding[] {
  return foldFields<FileFinding[]>(fields, ({ field, path, inner }) => {
    if (used.has(field)) return inner.flat();
    const message = `the field ${quoted(shownPath(fields, path))} is not used in any page, header or footer`;
    return [{ severity: "warning", line: lineOf([...path, "key"]), message }];
  }).flat();
}

/** Returns a field's path as messages show it, e.g. `items.price`. `path` is its location in `template.json`. */
function shownPath(fields: Field[], path: (string | number)[]): string {
  const keys: string[] = [];
  let siblings: Field[] | undefined = fields;
  for (const index of path) {
    const field: Field | undefined = typeof index === "number" ? siblings?.[index] : undefined;
    if (!field) continue;
    keys.push(field.key);
    siblings = field.fields;
  }
  return keys.join(".");
}
