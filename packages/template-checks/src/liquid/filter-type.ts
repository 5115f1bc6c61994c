// The type of a filter's result. Reports inputs and arguments that the filter cannot use, and arguments in other programs'
// conventions, such as `number: "0.00"` and `date: "dd.MM.yyyy"`, which filters accept but print differently than intended.
import { quoted } from "colophon-base/text";
import { LiquidError, type FilterScope } from "colophon-liquid/liquid";
import { Meter } from "colophon-liquid/meter";
import type { FilterUse } from "colophon-liquid/syntax";
import { checkMessageUse } from "../check-messages.ts";
import { expressionText, expressionType, literalKey } from "./expression-type.ts";
import { inputKinds, resultType, type InputKind } from "./filter-table.ts";
import type { FileCheck } from "./scope.ts";
import { describe, flatItem, readProperty, unknown, type ValueType } from "./value-type.ts";

/** `shown` is how messages refer to the input, e.g. `item.price`. */
type FilterInput = { type: ValueType; shown: string };

export function filterType(check: FileCheck, use: FilterUse, input: FilterInput): ValueType {
  const { name, line } = use;
  if (check.isFull()) return unknown;
  const kind = inputKinds.get(name);
  const isUsable = !kind || input.type.kind === "unknown" || kind.accepts(input.type);
  if (!isUsable) {
    const actualInput = `${quoted(input.shown)} is ${describe(input.type)}`;
    check.report(line, `the filter ${quoted(name)} needs ${kind.words}, and ${actualInput}`);
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

/** The filters whose first argument is the name of a property of the items. */
const propertyFilters = new Set(
  "compact find find_index group_by has map reject sort sort_natural sum uniq where".split(" "),
);

/** Returns the type of the property named by the first argument, as in `map: "price"`; null if it names none. */
function itemProperty(check: FileCheck, use: FilterUse, { type, shown }: FilterInput): ValueType | null {
  const {
    name,
    line,
    positional: [argument],
  } = use;
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

/** Reports the filter's own error about its arguments, if they are all literals. */
function triedFilter({ name, filter, positional, named }: FilterUse, kind: InputKind | undefined): Tried {
  const allArguments = [...positional, ...named.map(([, value]) => value)];
  const literals = allArguments.filter((argument) => argument.kind === "literal");
  if (name === "t" || literals.length < allArguments.length) return { problem: null };
  const values = literals.map(({ value }) => value);
  const options = Object.fromEntries(named.map(([option], index) => [option, values[positional.length + index]]));
  try {
    const ownCall = { name, options, argumentCount: positional.length };
    const call = { ...ownCall, meter: new Meter(), scope: { ...scope, formatters: new Map() } };
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

type Problem = { message: string; severity: "error" | "warning" };

/** `printed` is the filter's result for a date. */
function conventionProblem({ name, positional }: FilterUse, input: ValueType, printed: unknown): Problem | null {
  const [first, second] = positional.map((each) => (each.kind === "literal" ? each.value : undefined));
  const problemOf = (message: string | null, severity: Problem["severity"]) =>
    message === null ? null : { message, severity };
  if (name === "date")
    return problemOf(directiveProblem(first, printed), "error") ?? problemOf(skeletonProblem(first), "warning");
  if (!["number", "percent", "currency"].includes(name)) return null;
  const code = name === "currency" ? codeProblem(first) : null;
  const decimals = decimalsProblem(name, name === "currency" ? second : first);
  return problemOf(decimals ?? code, "error") ?? textProblem(name, input);
}

function decimalsProblem(name: string, decimals: unknown): string | null {
  if (typeof decimals !== "string" || /^\d+$/.test(decimals)) return null;
  const [, zeros, digits] = /[.,]([0#]+)\D*$|(\d)\D*$/.exec(decimals) ?? [];
  const meant = zeros === undefined || decimals.startsWith("%") ? Number(digits ?? 0) : zeros.length;
  const written = name === "currency" ? 'currency: "EUR", ' : `${name}: `;
  return `${quoted(JSON.stringify(decimals))} is not a number of decimals; write ${quoted(`${written}${meant}`)}`;
}

function codeProblem(code: unknown): string | null {
  if (typeof code !== "string" || !/^[A-Za-z]{3}$/.test(code)) return null;
  if (Intl.supportedValuesOf("currency").includes(code.toUpperCase())) return null;
  return `there is no currency ${quoted(code)}; write an ISO 4217 code such as ${quoted("EUR")}`;
}

function textProblem(name: string, input: ValueType): Problem | null {
  if (input.kind !== "string") return null;
  const { known } = input;
  const isNumber = known?.isWhole === true && /^\s*-?(\d+\.?\d*|\.\d+)\s*$/.test(known.text);
  if (isNumber) return null;
  const message = `${quoted(name)} prints text that is not a number unchanged; make it a number in template.json or with a filter such as ${quoted("times: 1")}`;
  return { message, severity: known?.isWhole ? "error" : "warning" };
}

/** An unknown directive is printed unchanged, and so are letters of other conventions next to directives. */
function directiveProblem(pattern: unknown, printed: unknown): string | null {
  if (typeof pattern !== "string" || !pattern.includes("%")) return null;
  const [unknown] = pattern.includes("%%") ? [] : (/%[-^0_]*[A-Za-z]/.exec(String(printed)) ?? []);
  if (unknown !== undefined) return `there is no directive ${quoted(unknown)} for dates, so it is printed unchanged`;
  const [mixed] = /([yY]{4}|MM|[dD]{2}|HH|hh|mm|ss)/.exec(pattern.replace(/%[-^0_]*[A-Za-z%]/g, " ")) ?? [];
  if (mixed === undefined) return null;
  return `${quoted(mixed)} is printed unchanged next to directives; write ${quoted(directiveOf(mixed) ?? "%Y-%m-%d")}`;
}

/** The language decides the order and punctuation of a skeleton, so punctuation in a skeleton was meant as a pattern. */
function skeletonProblem(style: unknown): string | null {
  if (typeof style !== "string" || style.includes("%") || !/[a-zA-Z]['./:,\\-]|['./:,\\-][a-zA-Z]/.test(style))
    return null;
  const pattern = style.replace(/([A-Za-z])\1*/g, (run) => directiveOf(run) ?? run);
  const letters = style.replace(/[^A-Za-z]+/g, "").replaceAll("D", "d");
  const ways = `write ${quoted(pattern)} for exactly this, or ${quoted(letters.replaceAll("Y", "y"))}`;
  return `the language decides the order and punctuation of ${quoted(style)}; ${ways}`;
}

const directives: Record<string, string> = {
  yyyy: "%Y",
  y: "%Y",
  yy: "%y",
  MMMM: "%B",
  LLLL: "%B",
  MMM: "%b",
  MM: "%m",
  M: "%-m",
  dd: "%d",
  d: "%-d",
  EEEE: "%A",
  EEE: "%a",
  E: "%a",
  HH: "%H",
  H: "%-H",
  hh: "%I",
  h: "%-I",
  mm: "%M",
  ss: "%S",
  a: "%p",
  YYYY: "%Y",
  DD: "%d",
};

function directiveOf(run: string): string | null {
  return Object.hasOwn(directives, run) ? (directives[run] ?? null) : null;
}
