// The type of what a filter returns. Reports inputs and arguments that the filter cannot use.
import { LiquidError, type FilterScope } from "colophon-liquid/liquid";
import { Meter } from "colophon-liquid/meter";
import type { FilterUse } from "colophon-liquid/syntax";
import { quoted } from "colophon-base/quoted";
import { checkMessageUse } from "../check-messages.ts";
import { conventionProblem } from "./check-conventions.ts";
import { expressionText, expressionType, literalKey } from "./expression-type.ts";
import type { FileCheck } from "./file-check.ts";
import { inputKinds, resultType, type InputKind } from "./filter-table.ts";
import { describe, flatItem, readProperty, unknown, type ValueType } from "./value-type.ts";

/** `shown` is how messages show the input, e.g. `item.price`. */
type FilterInput = { type: ValueType; shown: string };

export function filterType(check: FileCheck, use: FilterUse, input: FilterInput): ValueType {
  const { name, line } = use;
  if (check.isFull()) return unknown;
  const kind = inputKinds.get(name);
  const isUsable = !kind || input.type.kind === "unknown" || kind.accepts(input.type);
  if (!isUsable) {
    const given = `${quoted(input.shown)} is ${describe(input.type)}`;
    check.report(line, `the filter ${quoted(name)} needs ${kind.words}, and ${given}`);
  }
  const property = isUsable && propertyFilters.has(name) ? itemProperty(check, use, input) : null;
  const types = use.positional.map((expression, index) =>
    property && index === 0 ? unknown : expressionType(check, expression),
  );
  for (const [, expression] of use.named) expressionType(check, expression);
  const tried = isUsable ? triedFilter(use, kind) : null;
  const meant = tried && conventionProblem(use, input.type, tried.printed);
  const problem = meant && tried.problem ? { ...meant, severity: tried.problem.severity } : (tried?.problem ?? meant);
  if (problem) check.report(line, problem.message, problem.severity);
  if (name === "t" && isUsable) checkMessageUse(check, use, input.type);
  const { budget } = check;
  return resultType(name, { input: input.type, argument: types[0] ?? unknown, property: property ?? unknown, budget });
}

/** The filters whose first argument names a property of the items. */
const propertyFilters = new Set(
  "compact find find_index group_by has map reject sort sort_natural sum uniq where".split(" "),
);

/** Returns the type of the property that the first argument names, as in `map: "price"`; null if it names none. */
function itemProperty(
  check: FileCheck,
  { name, line, positional: [argument] }: FilterUse,
  { type, shown }: FilterInput,
): ValueType | null {
  const item = flatItem(type);
  const key = argument && literalKey(argument);
  if (!argument || item.kind !== "object") return null;
  if (typeof key !== "string") {
    const written = expressionText(argument);
    if (check.scope.typeOf(written) !== null || !item.properties.has(written)) return null;
    const meant = `did you mean ${quoted(`${name}: "${written}"`)}? The name of a property must be in quotes`;
    check.report(line, `${quoted(`${name}: ${written}`)}: ${meant}`);
    return unknown;
  }
  let reached: ValueType = item;
  const steps = key.split(".");
  for (const [index, step] of steps.entries()) {
    const read = readProperty(reached, step, index === 0 ? `${shown}.first` : steps.slice(0, index).join("."));
    const write = (path: string) => quoted(`${name}: ${JSON.stringify(path)}`);
    if ("similar" in read)
      check.report(line, `${write(key)}: did you mean ${write([...steps.slice(0, index), read.similar].join("."))}?`);
    if ("reason" in read) check.report(line, `${write(key)}: ${quoted(step)} does not exist: ${read.reason}`);
    reached = "type" in read ? read.type : unknown;
  }
  return reached;
}

type Tried = { problem: { message: string; severity: "error" } | null; printed?: unknown };

/** Lets the filter itself say what is wrong with its arguments, if all of them are written out. */
function triedFilter({ name, filter, positional, named }: FilterUse, kind: InputKind | undefined): Tried {
  const given = [...positional, ...named.map(([, value]) => value)];
  const literals = given.filter((argument) => argument.kind === "literal");
  if (name === "t" || literals.length < given.length) return { problem: null };
  const values = literals.map(({ value }) => value);
  const options = Object.fromEntries(named.map(([option], index) => [option, values[positional.length + index]]));
  try {
    const own = { name, options, argumentCount: positional.length };
    const call = { ...own, meter: new Meter(), scope: { ...scope, formatters: new Map() } };
    return { problem: null, printed: filter.apply(call, kind?.sample, ...values.slice(0, positional.length)) };
  } catch (error) {
    if (!(error instanceof LiquidError)) throw error;
    const message = error.message.includes(name) ? error.message : `${quoted(name)}: ${error.message}`;
    return { problem: { message, severity: "error" } };
  }
}

const scope: Omit<FilterScope, "formatters"> = {
  locale: "en-US",
  language: "en",
  timeZone: "UTC",
  createdAt: 0,
  assetReference: () => "",
};
