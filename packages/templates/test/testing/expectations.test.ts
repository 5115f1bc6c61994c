import { expect, it } from "vitest";
import { failuresOf, type Outcome } from "../../src/testing/expectations.ts";
import { parseCase } from "../../src/testing/read-cases.ts";

/** Returns the failures of a document with these pages. `outcome` overrides its other properties. */
function failures(expectations: object, texts: string[], outcome: Partial<Outcome> = {}): string[] {
  const { input, problems } = parseCase({ expect: expectations });
  if (!input) throw new Error(JSON.stringify(problems));
  return failuresOf(input.expect, { pageCount: texts.length, warnings: [], texts, ...outcome });
}

it.each<[what: string, text: string, page: string]>([
  ["as it is", "Amount due", "Total\nAmount due €50"],
  ["across the end of a line", "Thank you for your order", "Thank you for\nyour order."],
  ["where a word is hyphenated", "the documentation", "the documen-\ntation"],
  ["where a word is broken without a hyphen", "https://example.com/a/b", "https://exam\nple.com/a/b"],
  ["without the spaces that the PDF lacks", "Total €50", "Total€50"],
  ["with other spaces", "13 680,00 €", "13\u00a0680,00\u202f€"],
  ["with ligatures", "office", "of\ufb01ce".replace("f\ufb01", "\ufb03")],
  ["with letters that are set far apart", "ISOBAR ACADEMY", "I S O B A R A C A D E M Y"],
  ["with soft hyphens", "documentation", "docu\u00admentation"],
  ["with characters that patterns use", "a.b*(c) [d] {2} | $^\\", "a.b*(c) [d] {2} | $^\\"],
  ["in Arabic, whatever the spaces", "دار المنارة للفنون", "دار المنارةللفنون"],
  ["in Arabic, with gaps between the letters", "التاريخ", "الت ار يخ"],
])("an expected text is found %s", (_what, text, page) => {
  expect(failures({ texts: [text] }, [page])).toEqual([]);
});

it.each([
  ["in other letters", "total", "Total"],
  ["in parts of two words", "fox", "of ox"],
  ["as a pattern", "a.c", "abc"],
])("an expected text does not match %s", (_what, text, page) => {
  expect(failures({ texts: [text] }, [page])).toEqual([`The text “${text}” is missing.`]);
});

const pages = ["Invoice 7 Subtotal 40", "Total 48 Thanks"];

it("expected texts may be on any pages in their order, and may occur twice in the list", () => {
  expect(failures({ texts: ["Invoice", "Subtotal", { page: 2, text: "Total" }, "Thanks"] }, pages)).toEqual([]);
  expect(failures({ texts: ["a", "a"] }, ["a a"])).toEqual([]);
  expect(failures({ texts: ["a", "a", "a"] }, ["a a"])).toEqual([
    "The text “a” comes before “a”, but should come after it.",
  ]);
});

it("the failure of an expected text names the text that it precedes in the document", () => {
  expect(failures({ texts: ["Thanks", "Subtotal"] }, pages)).toEqual([
    "The text “Subtotal” comes before “Thanks”, but should come after it.",
  ]);
});

it("the failure of an expected text names the page on which it was found instead", () => {
  expect(failures({ texts: [{ page: 1, text: "Thanks" }] }, pages)).toEqual([
    "The text “Thanks” is missing on page 1. It is on page 2.",
  ]);
});

it("the failure of a text that must be absent names its page", () => {
  expect(failures({ absentTexts: ["Thanks", "VAT", { page: 2, text: "Invoice" }] }, pages)).toEqual([
    "The text “Thanks” is on page 2, expected none.",
  ]);
});

it.each([
  [2, []],
  [3, ["The document has 2 pages, expected 3."]],
  [{ min: 3 }, ["The document has 2 pages, expected at least 3."]],
  [{ max: 1 }, ["The document has 2 pages, expected 1."]],
  [{ min: 3, max: 4 }, ["The document has 2 pages, expected 3 to 4."]],
  [{ min: 1, max: 2 }, []],
  [{}, []],
])("the number of pages is compared with %j", (pages, expected) => {
  expect(failures({ pages }, ["a", "b"])).toEqual(expected);
});

it("a page of which a picture is expected must exist", () => {
  expect(failures({ pictures: [1, 3] }, ["a", "b"])).toEqual([
    "Page 3 does not exist, but a picture of it is expected.",
  ]);
});

it("a document must have exactly the expected warnings", () => {
  const warnings = ["Page 1: `<p>` hides 10 px.", "`x` is not a field."];

  expect(failures({}, ["a"], { warnings })).toEqual(warnings.map((text) => `The document has a warning: ${text}`));
  expect(failures({ warnings: ["hides", "is not a field"] }, ["a"], { warnings })).toEqual([]);
  expect(failures({ warnings: ["hides"] }, ["a"])).toEqual(["No warning contains “hides”."]);
});

it.each([
  ["many hyphens against lines of hyphens", `${"-".repeat(60)}b`, "--\n".repeat(60)],
  [
    "letters from right to left with spaces between them",
    `${"\u0627\u062f\u0631 ".repeat(60)}\u0633`,
    "\u0627 \u062f \u0631 ".repeat(60),
  ],
])("a text that nearly occurs is quickly reported as missing: %s", (_what, text, page) => {
  expect(failures({ texts: [text] }, [page])).toEqual([expect.stringContaining("is missing")]);
});

it("an expected number does not match if a line break divides it", () => {
  expect(failures({ texts: ["123"] }, ["12\n3 days"])).toEqual(["The text “123” is missing."]);
});

it("an expected text matches a different hyphen, but not a different form of a digit", () => {
  expect(failures({ texts: ["102"] }, ["10²"])).toEqual(["The text “102” is missing."]);
  expect(failures({ absentTexts: ["A-B"] }, ["A\u2011B"])).toEqual(["The text “A-B” is on page 1, expected none."]);
});
