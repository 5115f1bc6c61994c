// Rules of fields that cannot be meant: for a different type, or without a value that keeps them.
import { decimalOf, scalarTypeRules } from "../scalar-types.ts";
import type { Field, ScalarType } from "../template.ts";
import { comparable, type RuleCheck, ruleCheck, rulesOfType } from "./field-rules.ts";
import { parsePattern, type PatternWork } from "./pattern.ts";

/** A problem of a field. `at` is the place inside the field, e.g. `["enum", 3]`. */
type RuleProblem = { at: (string | number)[]; reason: string };

const ruleNames = new Set(Object.values(rulesOfType).flat());

/** Returns the problems of a field's rules, those of `enum` only if its other rules have none. */
export function ruleProblems(field: Field, work: PatternWork): RuleProblem[] {
  const given = [...ruleNames].filter((name) => field[name] !== undefined);
  if (given.length === 0) return [];
  const { type, items } = field;
  const allowed = [...rulesOfType[type], ...(items ? rulesOfType[items] : [])];
  const owner = items ? `a list of the type ${items}` : `a field of the type ${type}`;
  const wrong = given.filter((name) => !allowed.includes(name));
  if (wrong.length > 0) return wrong.map((name) => ({ at: [name], reason: `${owner} cannot have \`${name}\`` }));
  const problems = [...sizeProblems(field), ...patternProblems(field, work)];
  const scalar = items ?? type;
  if (problems.length > 0 || scalar === "list" || scalar === "object") return problems;
  const bounds = boundProblems(field, scalar, work);
  return bounds.length > 0 ? bounds : enumProblems(field, scalar, work);
}

function sizeProblems({ minLength = 0, maxLength = Infinity, minItems = 0, maxItems = Infinity }: Field) {
  const problemOf = (name: string, minimum: number, maximum: number): RuleProblem[] =>
    minimum > maximum ? [{ at: [name], reason: `must be at least ${minimum}, got ${maximum}` }] : [];
  return [...problemOf("maxLength", minLength, maxLength), ...problemOf("maxItems", minItems, maxItems)];
}

function patternProblems({ pattern }: Field, work: PatternWork): RuleProblem[] {
  if (pattern === undefined) return [];
  const parsed =
    work.stepsLeft > 0 ? parsePattern(pattern, work) : "the patterns of the template are too long in total";
  return typeof parsed === "string" ? [{ at: ["pattern"], reason: parsed }] : [];
}

function boundProblems({ minimum, maximum, ...field }: Field, type: ScalarType, work: PatternWork): RuleProblem[] {
  const problems = valueProblems(minimum, { at: ["minimum"], type, check: null });
  if (problems.length > 0) return problems;
  const check = ruleCheck({ ...field, enum: undefined, minimum }, work);
  return valueProblems(maximum, { at: ["maximum"], type, check });
}

function enumProblems({ enum: values = [], ...field }: Field, type: ScalarType, work: PatternWork): RuleProblem[] {
  const check = ruleCheck(field, work);
  const compared = values.map((value) => comparable(value, type));
  return values.flatMap((value, index) => {
    const at = ["enum", index];
    const problems = valueProblems(value, { at, type, check });
    const isRepeated = problems.length === 0 && compared.indexOf(compared[index]) < index;
    return isRepeated ? [{ at, reason: "is in the list already" }] : problems;
  });
}

type Place = { at: RuleProblem["at"]; type: ScalarType; check: RuleCheck | null };

function valueProblems(value: unknown, { at, type, check }: Place): RuleProblem[] {
  if (value === undefined) return [];
  const { accepts, expected } = scalarTypeRules[type];
  const isDecimal = type === "decimal";
  const broken = accepts(value) ? check?.(isDecimal ? decimalOf(value) : value) : { must: `be ${expected}` };
  return broken ? [{ at, reason: `must ${broken.must}, got ${JSON.stringify(value)}` }] : [];
}
