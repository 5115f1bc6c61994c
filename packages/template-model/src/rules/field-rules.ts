// The rules of a field in addition to its type: allowed values, a pattern, and limits.
import { counted, quoted, shortened } from "colophon-base/text";
import { charactersIn, decimalIdentity, ExactDecimal, orderDecimals } from "colophon-liquid/values";
import { decimalOf } from "../scalar-types.ts";
import type { Field, FieldRules, FieldType } from "../template.ts";
import { isFound, parsePattern, type PatternWork } from "./pattern.ts";

type RuleName = keyof FieldRules;

const textRules: RuleName[] = ["enum", "pattern", "minLength", "maxLength"];
const numberRules: RuleName[] = ["enum", "minimum", "maximum"];

/** The rules that a field of each type can have. A list of plain values also has the rules of its items. */
export const rulesOfType: Record<FieldType, readonly RuleName[]> = {
  string: textRules,
  text: textRules,
  number: numberRules,
  integer: numberRules,
  decimal: numberRules,
  boolean: [],
  date: ["enum"],
  datetime: ["enum"],
  image: [],
  object: [],
  list: ["minItems", "maxItems"],
};

/** What is wrong with a value: `must` completes the sentence "`price` must ...", and `got` replaces the value in it. */
export type BrokenRule = { must: string; got?: string };

/** Validates a value of the right type; a decimal is an `ExactDecimal`. */
export type RuleCheck = (value: unknown) => BrokenRule | null;

/** Returns the check of a scalar, or of the items of a list of scalars; null if their field has no rules. */
export function ruleCheck(field: Field, work: PatternWork): RuleCheck | null {
  const { enum: allowed, pattern, minimum, maximum, minLength, maxLength } = field;
  // Most fields have no rules, and this function runs for each field of a request.
  if ((allowed ?? pattern ?? minimum ?? maximum ?? minLength ?? maxLength) === undefined) return null;
  const type = field.items ?? field.type;
  const checks = [
    allowed && oneOf(allowed, type),
    minimum !== undefined && limit(minimum, type, "at least", (order) => order >= 0),
    maximum !== undefined && limit(maximum, type, "at most", (order) => order <= 0),
    (minLength !== undefined || maxLength !== undefined) && lengthCheck(minLength, maxLength),
    pattern !== undefined && patternCheck(pattern, work),
  ].filter((check) => typeof check === "function");
  return (value) => {
    for (const check of checks) {
      const broken = check(value);
      if (broken) return broken;
    }
    return null;
  };
}

/** Returns the value as it is compared: equal decimals have the same text. */
export function comparable(value: unknown, type: FieldType): unknown {
  const decimal = type === "decimal" && !(value instanceof ExactDecimal) ? decimalOf(value) : value;
  return decimal instanceof ExactDecimal ? decimalIdentity(decimal) : decimal;
}

const maxShownValues = 10;

function oneOf(allowed: readonly unknown[], type: FieldType): RuleCheck {
  const values = new Set(allowed.map((value) => comparable(value, type)));
  const shown = allowed.slice(0, maxShownValues).map((value) => shortened(JSON.stringify(value), 40));
  const more = allowed.length > maxShownValues ? ` or ${counted(allowed.length - maxShownValues, "other value")}` : "";
  const must = `be one of ${shown.join(", ")}${more}`;
  return (value) => (values.has(comparable(value, type)) ? null : { must });
}

function limit(bound: number | string, type: FieldType, words: string, isKept: (order: number) => boolean): RuleCheck {
  const decimal = type === "decimal" ? decimalOf(bound) : null;
  const must = `be ${words} ${bound}`;
  return (value) => {
    const order =
      decimal && value instanceof ExactDecimal ? orderDecimals(value, decimal) : Number(value) - Number(bound);
    return isKept(order) ? null : { must };
  };
}

function lengthCheck(minimum = 0, maximum = Infinity): RuleCheck {
  return (value) => sizeProblem(charactersIn(String(value)), { minimum, maximum, noun: "character" });
}

export function itemsProblem({ minItems = 0, maxItems = Infinity }: Field, count: number): BrokenRule | null {
  return sizeProblem(count, { minimum: minItems, maximum: maxItems, noun: "item" });
}

function sizeProblem(
  size: number,
  { minimum, maximum, noun }: { minimum: number; maximum: number; noun: string },
): BrokenRule | null {
  const got = counted(size, noun);
  if (size < minimum) return { must: `have at least ${counted(minimum, noun)}`, got };
  return size > maximum ? { must: `have at most ${counted(maximum, noun)}`, got } : null;
}

const tooMuchWork = "be shorter, because comparing all values of the request with their patterns takes too much work";

function patternCheck(source: string, work: PatternWork): RuleCheck {
  const pattern = parsePattern(source, work);
  const must = `match the pattern ${quoted(source)}`;
  return (value) => {
    const matches = typeof pattern !== "string" && isFound(pattern, String(value), work);
    return matches === null ? { must: tooMuchWork } : matches ? null : { must };
  };
}
