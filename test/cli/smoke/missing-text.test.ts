import { expect, it } from "vitest";
import { missingText } from "../../../src/cli/smoke/check-documents.ts";

const first = "Plinth & Quire B.V. Invoice SMOKE-1 … Page 1 of 2";
const second = "Plinth & Quire B.V. Invoice SMOKE-1 … Page 2 of 2";

it("the text of the sample invoice is complete if it has the header and the footers, whatever the spaces", () => {
  expect(missingText([first, second], "SMOKE-1")).toBeNull();
  expect(missingText([first, "In voice SMOKE-1\nPage2of 2"], "SMOKE-1")).toBeNull();
});

it.each([
  ["a header", [first, "Page 2 of 2"], 'page 2 lacks "Invoice SMOKE-1"'],
  ["the number of this invoice", [first, second.replace("-1", "-2")], 'page 2 lacks "Invoice SMOKE-1"'],
  ["a footer", ["Invoice SMOKE-1", second], 'page 1 lacks "Page 1 of 2"'],
  ["the true number of pages", [first, second.replace("of 2", "of 3")], 'page 2 lacks "Page 2 of 2"'],
  ["a second page", [first], "the invoice has only one page, so its header is not shown"],
])("the text of the sample invoice is incomplete without %s", (_what, pages, problem) => {
  expect(missingText(pages, "SMOKE-1")).toBe(problem);
});
