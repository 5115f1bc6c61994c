// The type of what a filter returns. Reports inputs and arguments that the filter cannot use.
import type { Expression, FilterUse } from "../../../liquid/syntax/tree.ts";
import { equalityProblem } from "../paths/comparison.ts";
import { expressionType } from "../paths/expression-type.ts";
import type { FileCheck } from "../paths/file-check.ts";
import type { ValueType } from "../paths/value-type.ts";
import { checkMessageUse } from "../messages/check-use.ts";
import { argumentProblems } from "./argument-problems.ts";
import { inputProblem } from "./filter-inputs.ts";
import type { FilterInput, TypedArgument } from "./filter-values.ts";
import { resultType } from "./filter-results.ts";
import { checkItemProperty, propertyFilters, readsItems } from "./item-property.ts";

export function filterType(check: FileCheck, use: FilterUse, input: FilterInput): ValueType {
  const wrongInput = inputProblem(use.name, input);
  if (wrongInput !== null) check.report(use.line, wrongInput);
  const property = wrongInput === null && propertyFilters.has(use.name) ? checkItemProperty(check, use, input) : null;
  const types = use.positional.map((expression, index): TypedArgument => {
    // The name of a property without quotes has been reported already.
    const isReported = index === 0 && property?.status === "unquoted";
    return { expression, type: isReported ? { kind: "unknown" } : expressionType(check, expression) };
  });
  const named = new Map(use.named.map(([name, expression]) => [name, { expression, type: expressionType(check, expression) }]));
  if (property?.status !== "unquoted") {
    for (const problem of argumentProblems(check, use, { input, types, named })) check.report(use.line, problem);
  }
  if (use.name === "t" && wrongInput === null) checkMessageUse(check, use, input, named);
  const itemProperty = property?.status === "known" ? property.type : null;
  checkSearchedValue(check, use, { itemProperty, value: types[1] });
  const result = resultType(use.name, { input: input.type, types, itemProperty });
  for (const { type } of [...types, ...named.values()]) if (result !== type) check.useWhole(type);
  if (!readsItems(use.name)) check.useWhole(input.type);
  return result;
}

type Searched = { itemProperty: ValueType | null; value: TypedArgument | undefined };

/** Reports a value that can never be equal to the property, as in `where: "price", "free"`. */
function checkSearchedValue(check: FileCheck, { positional: [key], line }: FilterUse, { itemProperty, value }: Searched): void {
  if (key?.kind !== "literal" || !itemProperty || !value) return;
  const property: Expression = { kind: "path", root: String(key.value), steps: [], line };
  const problem = equalityProblem({ expression: property, type: itemProperty }, value, "never");
  if (problem) check.report(line, problem.message, problem.severity);
}
