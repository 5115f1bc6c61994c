import { expect, it } from "vitest";
import { tagParsers } from "../../../liquid/src/syntax/tags.ts";
import { comparisons } from "../../../liquid/src/syntax/tree.ts";
import { documentFilters } from "../../src/filters.ts";
import { comparisonPrimitives, filterPrimitives, tagPrimitives } from "./primitives.ts";

/** Parts of a template that are not tags with a parser. */
const withoutParser = ["text", "output"];

it("the calibration of the template language measures exactly the filters", () => {
  expect(Object.keys(filterPrimitives).toSorted()).toEqual(Object.keys(documentFilters).toSorted());
});

it("the calibration of the template language measures exactly the tags", () => {
  expect(Object.keys(tagPrimitives).toSorted()).toEqual([...Object.keys(tagParsers), ...withoutParser].toSorted());
});

it("the calibration of the template language measures exactly the comparisons", () => {
  expect(Object.keys(comparisonPrimitives).toSorted()).toEqual([...comparisons].toSorted());
});

it("the calibration of the template language measures every primitive with at least one template", () => {
  const primitives = Object.entries({ ...filterPrimitives, ...tagPrimitives, ...comparisonPrimitives });

  expect(primitives.filter(([, templates]) => templates.length === 0)).toEqual([]);
});
