import { expect, it } from "vitest";
import { openPdf } from "colophon-pdf/open-pdf";
import { PdfError } from "colophon-pdf/pdf-error";
import { reference } from "colophon-pdf/values";
import { chromiumPdf, stream } from "../../../pdf/test/inputs.ts";
import { fontReader } from "../../src/tags/font-texts.ts";
import { markContent, type ContentMarks } from "../../src/tags/mark-content.ts";

const untouched: ContentMarks = {
  kindOf: () => "content",
  blockOf: () => undefined,
  fontOf: () => null,
  texts: new Map(),
  formOf: (name) => ({ kind: "untagged", name }),
};

/** Returns the content with its marks on one line; null if it is unchanged. */
function marked(content: string, marks: Partial<ContentMarks> = {}): string | null {
  const bytes = markContent(Buffer.from(content), { ...untouched, ...marks });
  return bytes && Buffer.from(bytes).toString().replaceAll(/\s+/g, " ").trimEnd();
}

it("a text object becomes marked content where it is listed, also between artifacts", () => {
  const content = "0 0 9 9 re f BT /F 9 Tf (a) Tj ET BT (b) Tj ET";

  expect(marked(content, { texts: new Map([[content.indexOf("BT /F"), 7]]) })).toBe(
    "/Artifact BMC 0 0 9 9 re f EMC /Span<</MCID 7>>BDC BT /F 9 Tf (a) Tj ET EMC /Artifact BMC BT (b) Tj ET EMC",
  );
});

it.each([
  ["a rectangle", "0 0 9 9 re f"],
  ["a line", "0 0 m 9 9 l S"],
  ["a text", "BT /F 9 Tf (a) Tj ET"],
  ["a picture", "/X Do"],
  ["a gradient", "/S sh"],
  ["an inline picture", "BI /W 1 ID x EI"],
])("%s outside marked content becomes an artifact as a whole", (_, drawing) => {
  expect(marked(`q ${drawing} Q`)).toBe(`q /Artifact BMC ${drawing} Q EMC`);
});

it("one artifact has everything up to the next marked content", () => {
  const content = "q 0 0 9 9 re f Q 0 g 1 1 9 9 re f /P <</MCID 0>>BDC (a) Tj EMC 2 2 9 9 re f";

  expect(marked(content)).toBe(
    "q /Artifact BMC 0 0 9 9 re f Q 0 g 1 1 9 9 re f EMC /P <</MCID 0>>BDC (a) Tj EMC /Artifact BMC 2 2 9 9 re f EMC",
  );
});

it.each([
  ["paints only marked content", "/P <</MCID 0>>BDC q 0 0 9 9 re f Q /Span<</ActualText(x)>>BDC (a) Tj EMC EMC"],
  ["paints only artifacts", "/Artifact BMC 0 0 9 9 re f EMC"],
  ["only clips", "q 0 0 9 9 re W n Q"],
])("content that %s stays as it is", (_, content) => {
  expect(marked(content)).toBeNull();
});

it("text with a different spelling becomes an artifact inside its mark", () => {
  expect(marked("/Span<</ActualText(x)>>BDC (a) Tj EMC (b) Tj")).toBe(
    "/Span<</ActualText(x)>>BDC /Artifact BMC (a) Tj EMC EMC /Artifact BMC (b) Tj EMC",
  );
});

it("a text object with a different spelling inside becomes an artifact as a whole", () => {
  const content = "BT /Span<</ActualText(x)>>BDC (a) Tj EMC ET";

  expect(marked(content)).toBe(`/Artifact BMC ${content} EMC`);
});

it("an artifact ends before the text object in which marked content begins", () => {
  expect(marked("0 0 9 9 re f BT /P <</MCID 0>>BDC (a) Tj EMC ET")).toBe(
    "/Artifact BMC 0 0 9 9 re f EMC BT /P <</MCID 0>>BDC (a) Tj EMC ET",
  );
});

it("a form with tags is not an artifact, and a different form can be painted instead of one without tags", () => {
  const formOf: ContentMarks["formOf"] = (name) =>
    name === "X1" ? { kind: "tagged" } : { kind: "untagged", name: "Y" };

  expect(marked("0 0 9 9 re f /X1 Do /X2 Do", { formOf })).toBe(
    "/Artifact BMC 0 0 9 9 re f EMC /X1 Do /Artifact BMC /Y Do EMC",
  );
});

it("marked content that belongs to no tag, or repeats other content, becomes an artifact", () => {
  const kindOf = (mcid: number) => (["content", "artifact", "pagination"] as const)[mcid] ?? "content";
  const content = [0, 1, 2].map((mcid) => `/P <</MCID ${mcid}>>BDC (a) Tj EMC`).join(" ");

  expect(marked(content, { kindOf })).toBe(
    "/P <</MCID 0>>BDC (a) Tj EMC /Artifact BMC (a) Tj EMC /Artifact<</Type/Pagination>>BDC (a) Tj EMC",
  );
});

it.each([
  ["ends before it begins", "EMC"],
  ["has no end", "/P <</MCID 0>>BDC (a) Tj"],
  ["begins in a text object after other text", "BT (a) Tj /P <</MCID 0>>BDC (b) Tj EMC ET"],
  ["has its properties elsewhere", "/P /M1 BDC (a) Tj EMC"],
])("marked content that %s is refused", (_, content) => {
  expect(() => marked(content)).toThrow(PdfError);
});

/** Shows texts of a font whose codes are the characters of ASCII, each at a height. */
const shownAt = (...texts: [text: string, height: number][]) =>
  texts.map(([text, height]) => `BT /F 10 Tf 1 0 0 -1 0 ${height} Tm (${text}) Tj ET`).join(" ");

it.each([
  [
    "two words",
    [
      ["a line", 9],
      ["ends", 21],
    ],
    "(a line) Tj <20> Tj ET",
  ],
  [
    "two words with parts of a line between",
    [
      ["a line", 9],
      ["of", 9],
      ["text", 21],
    ],
    "(of) Tj <20> Tj ET",
  ],
  [
    "a word that fills the line",
    [
      ["line", 9],
      ["ends", 21],
    ],
    null,
  ],
  [
    "words with a hyphen",
    [
      ["a well-", 9],
      ["known", 21],
    ],
    null,
  ],
  [
    "raised text",
    [
      ["a note", 9],
      ["1", 5],
    ],
    null,
  ],
] as const)("a space is added between the lines of %s only if they are words", (_, texts, expected) => {
  const file = openPdf(
    chromiumPdf({
      more: ["<</Type /Font /Subtype /Type3 /ToUnicode 7 0 R>>", stream("1 beginbfrange <20> <7E> <0020> endbfrange")],
    }),
  );
  const fontOf = fontReader(file)(new Map([["Font", new Map([["F", reference(6)]])]]));
  const content = shownAt(...texts.map(([text, height]) => [text, height] as [string, number]));
  const block = {};

  const source = marked(`/P <</MCID 0>>BDC ${content} EMC`, { fontOf, blockOf: () => block });

  if (expected === null) expect(source).toBeNull();
  else expect(source).toContain(expected);
});
