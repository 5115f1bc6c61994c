import { expect, it } from "vitest";
import { parseValue } from "../src/syntax/parse-value.ts";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { reference } from "../src/syntax/values.ts";

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));
const string = (text: string) => ({ type: "string", text });

it.each([
  ["/A#42#zc", { type: "name", text: "AB#zc" }],
  ["(a(b)c)", string("a(b)c")],
  ["(\\(\\n\\r\\t\\b\\f\\\\\\x)", string("(\n\r\t\b\f\\x")],
  ["(\\1011\\60\\1\\777)", string("A10\x01\xff")],
  ["(a\\\r\nb\r\nc\rd\\\ne)", string("ab\nc\nde")],
  ["<4a 4B\n5>", string("JKP")],
  ["[1 -.5 +2.5 4.]", [1, -0.5, 2.5, 4]],
  ["[true false null]", [true, false, null]],
  ["[12 0 R 3]", [reference(12), 3]],
  [
    "% comment\r<</A<</B<>>>/C%>>\n7>>",
    new Map<string, unknown>([
      ["A", new Map([["B", string("")]])],
      ["C", 7],
    ]),
  ],
])("the value in %j is parsed up to its end", (text, value) => {
  const source = { bytes: bytesOf(`${text} 1`), at: 0, end: text.length + 2 };

  expect(parseValue(source)).toEqual(value);
  expect(source.at).toBe(text.length);
});

it("a dictionary that has a key twice is refused", () => {
  expect(() => parseValue({ bytes: bytesOf("<</A 1/A 2>>"), at: 0, end: 12 })).toThrow(PdfError);
});

it.each(["<</A (b)/C[<41>]>>", "<</A<41>>>", "[(a)]"])("%s is refused if it ends before its last byte", (text) => {
  for (let end = 0; end < text.length; end++) {
    expect(() => parseValue({ bytes: bytesOf(text), at: 0, end })).toThrow(PdfError);
  }
});
