import { expect, it } from "vitest";
import { filterNames } from "../../../../src/core/liquid/filters/registry.ts";
import { inputKinds } from "../../../../src/core/templates/checks/liquid/filter-table.ts";

it("the checks know what each filter needs and returns", () => {
  expect([...inputKinds.keys()].sort()).toEqual(filterNames().sort());
});
