// Finds arguments that a filter cannot use. The parser has checked how many there are, and the names of those with names.
import type { FilterUse } from "../../../liquid/syntax/tree.ts";
import { numberIn } from "../../../liquid/values/numbers.ts";
import { quoted } from "../../styles/support/style-message.ts";
import { similarName } from "../../../similar-name.ts";
import type { FileCheck } from "../paths/file-check.ts";
import { expressionText } from "../paths/expression-text.ts";
import { describe, isPlainText } from "../paths/value-type.ts";
import { currencyProblem, datePatternProblem, dateStyleProblem, timeZoneProblem } from "./known-codes.ts";
import type { FilterInput, TypedArgument } from "./filter-values.ts";

export type GivenArguments = { input: FilterInput; types: TypedArgument[]; named: ReadonlyMap<string, TypedArgument> };

export function argumentProblems(check: FileCheck, use: FilterUse, given: GivenArguments): string[] {
  const rules = Object.hasOwn(argumentRules, use.name) ? (argumentRules[use.name] ?? []) : [];
  const problems = rules.flatMap((rule, index) => {
    const argument = given.types[index];
    const problem = argument ? rule(argument) : null;
    return problem === null ? [] : [`${quoted(use.name)}: ${problem}`];
  });
  const whole = Object.hasOwn(wholeRules, use.name) ? wholeRules[use.name]?.(given, check) : null;
  return whole ? [...problems, `${quoted(use.name)}: ${whole}`] : problems;
}

/** Returns what is wrong with an argument, or null. Completes a sentence that begins with the filter's name. */
type ArgumentRule = (argument: TypedArgument) => string | null;

const decimals = numberRule("the number of decimals must be a whole number from 0 to 20", (value) => {
  return Number.isInteger(value) && value >= 0 && value <= 20;
});
const operand = numberRule("the argument must be a number", () => true);
const divisor: ArgumentRule = (argument) => operand(argument) ?? (literalNumber(argument) === 0 ? "nothing can be divided by 0" : null);
const whole = numberRule("the argument must be a whole number", Number.isInteger);
const millimetres = numberRule("the height must be a number of mm from 1 to 1,000", (value) => value >= 1 && value <= 1_000);
const zone = textRule(timeZoneProblem);

/** The rules for the arguments without names, by the name of the filter. */
const argumentRules: Record<string, ArgumentRule[]> = {
  at_least: [operand],
  at_most: [operand],
  barcode: [textRule(barcodeProblem), millimetres],
  concat: [listRule],
  currency: [textRule(currencyProblem), decimals],
  date: [textRule((text) => (text.includes("%") ? datePatternProblem(text) : dateStyleProblem(text, "date"))), zone],
  divided_by: [divisor],
  minus: [operand],
  modulo: [divisor],
  number: [decimals],
  percent: [decimals],
  plus: [operand],
  round: [whole],
  slice: [whole, whole],
  time: [textRule((text) => dateStyleProblem(text, "time")), zone],
  times: [operand],
  truncate: [whole],
  truncatewords: [whole],
};

/** The rules that need more than one argument. */
const wholeRules: Record<string, (given: GivenArguments, check: FileCheck) => string | null> = {
  asset: assetProblem,
  currency: ({ types }) => (types.length === 0 ? 'the code of a currency is missing, such as `currency: "EUR"`' : null),
  plural: pluralProblem,
};

function numberRule(expected: string, accepts: (value: number) => boolean): ArgumentRule {
  return (argument) => {
    const { expression, type } = argument;
    const shown = quoted(expressionText(expression));
    if (expression.kind === "literal") {
      const value = literalNumber(argument);
      return value === undefined || (value !== null && accepts(value)) ? null : `${expected}, got ${shown}`;
    }
    const isNumeric = type.kind === "number" || isPlainText(type);
    return isNumeric || type.kind === "unknown" || type.kind === "nil" ? null : `${expected}, and ${shown} is ${describe(type)}`;
  };
}

/** Returns the number of a literal; null if it is not a number, and undefined if the argument is `nil` or not a literal. */
function literalNumber({ expression }: TypedArgument): number | null | undefined {
  if (expression.kind !== "literal" || expression.value === undefined) return undefined;
  const value = numberIn(expression.value);
  return value;
}

function textRule(problemOf: (text: string) => string | null): ArgumentRule {
  return ({ expression, type }) => {
    if (expression.kind === "literal" && expression.value === undefined) return null;
    if (expression.kind === "literal" && typeof expression.value === "string") return problemOf(expression.value);
    if (type.kind === "unknown" || type.kind === "nil") return null;
    const shown = quoted(expressionText(expression));
    return type.kind === "string" ? null : `the argument must be text in quotes, and ${shown} is ${describe(type)}`;
  };
}

function listRule({ expression, type }: TypedArgument): string | null {
  if (type.kind === "list" || type.kind === "unknown" || type.kind === "nil") return null;
  return `the argument must be a list, and ${quoted(expressionText(expression))} is ${describe(type)}`;
}

const barcodeKinds = ["code128", "ean13", "datamatrix"];

function barcodeProblem(kind: string): string | null {
  if (barcodeKinds.includes(kind)) return null;
  const similar = similarName(kind, barcodeKinds);
  return `there is no barcode ${quoted(kind)}${similar ? `; did you mean ${quoted(similar)}?` : `, only ${barcodeKinds.map(quoted).join(", ")}`}`;
}

const pluralCategories = ["zero", "one", "two", "few", "many", "other"];

function pluralProblem({ types, named }: GivenArguments): string | null {
  for (const name of named.keys()) {
    if (pluralCategories.includes(name)) continue;
    const similar = similarName(name, pluralCategories);
    return `there is no form ${quoted(name)}${similar ? `; did you mean ${quoted(similar)}?` : `, only ${pluralCategories.map(quoted).join(", ")}`}`;
  }
  if (named.has("other") || types.length === 2) return null;
  return named.size > 0 ? "the form `other` is missing" : 'two forms are needed, such as `plural: "item", "items"`';
}

/** The literal names that compiling a template does not find, because they do not stand directly before the filter. */
function assetProblem({ input }: GivenArguments, _check: FileCheck): string | null {
  const { type } = input;
  if (type.kind === "number" || type.kind === "boolean") return `${quoted(input.shown)} is ${describe(type)}, not the name of a file`;
  return null;
}
