import { expect, it } from "vitest";
import { documentFilters } from "colophon-liquid-filters/filters";
import { checkBudget } from "../src/findings.ts";
import { inputKinds, resultType } from "../src/liquid/filter-table.ts";
import type { StringFormat, ValueType } from "../src/liquid/value-type.ts";
import { boolean, listOf, number, objectOf, string } from "../src/liquid/value-type.ts";

it("the table of filters has the input and the result of each filter", () => {
  expect([...inputKinds.keys()].sort()).toEqual(Object.keys(documentFilters).sort());
});

const stringOf = (format: StringFormat): ValueType => ({ kind: "string", format });
const [object, list] = [objectOf({ price: number }), listOf(string)];
const types = { number, string, boolean, object, list, date: stringOf("date"), image: stringOf("image") };
const objects = listOf(object);

it.each([
  ["upcase", ["number", "string", "boolean", "date", "image"]],
  ["times", ["number", "string"]],
  ["date", ["number", "string", "date"]],
  ["join", ["object", "list"]],
  ["map", ["object"]],
  ["first", ["string", "object", "list", "date", "image"]],
  ["json", Object.keys(types)],
])("`%s` accepts only %j", (filter, expected) => {
  const accepted = Object.entries(types).filter(([, type]) => inputKinds.get(filter)?.accepts(type));

  expect(accepted.map(([name]) => name)).toEqual(expected);
});

it.each<[filter: string, input: ValueType, argument: ValueType, result: ValueType]>([
  ["floor", string, string, number],
  ["percent", number, number, stringOf("formatted")],
  ["split", string, string, list],
  ["sort", object, string, objects],
  ["group_by", objects, string, listOf(objectOf({ name: boolean, items: objects, size: number }))],
  ["map", objects, string, listOf(boolean)],
  ["first", objects, string, object],
  ["last", stringOf("date"), string, string],
  ["size", objects, string, number],
  ["sum", objects, string, number],
  ["has", objects, string, boolean],
  ["where", object, string, objects],
  ["find", objects, string, object],
  ["default", number, number, number],
  ["concat", list, list, list],
  ["push", list, string, list],
  ["push", string, string, list],
  ["slice", objects, number, objects],
  ["slice", number, number, string],
])("`%s` of %j and %j returns %j", (filter, input, argument, result) => {
  expect(resultType(filter, { input, argument, property: boolean, budget: checkBudget() })).toEqual(result);
});
