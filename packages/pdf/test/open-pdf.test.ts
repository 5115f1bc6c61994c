import { expect, it } from "vitest";
import { latin1, pdf } from "colophon-test-kit/pdf";
import { openPdf } from "../src/file/open-pdf.ts";
import { pageBoxes } from "../src/file/page-tree.ts";
import { PdfError } from "../src/syntax/pdf-error.ts";
import { assembled, chromiumPdf, stream } from "./inputs.ts";

const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const pageOf = (parent: number, box = "[0 0 9 9]") => `<< /Type /Page /Parent ${parent} 0 R /MediaBox ${box} >>`;
const kids = (...numbers: number[]) => `/Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}]`;
const onePage = `<< /Type /Pages /Count 1 ${kids(3)} >>`;
const pageCount = (bytes: Uint8Array) => pageBoxes(openPdf(bytes)).length;
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

it("the pages of a PDF are found in the order of its page tree", () => {
  const root = `<< /Type /Pages /Count 3 ${kids(3, 6)} >>`;
  const node = `<< /Type /Pages /Parent 2 0 R /Count 2 ${kids(4, 5)} >>`;
  const pages = [pageOf(3, "[0 0 7 8]"), pageOf(3, "[10 10 30 40]"), pageOf(2, "[0 0 5 5]")];

  const sizes = pageBoxes(openPdf(pdf([catalog, root, node, ...pages])));

  expect(sizes.map(({ widthPt, heightPt }) => `${widthPt} x ${heightPt}`)).toEqual(["7 x 8", "20 x 30", "5 x 5"]);
});

it("streams and texts that look like PDF syntax do not confuse the reader of a PDF", () => {
  const text = stream("(/Type /Page /Count 99 /Root 3 0 R /Pages 3 0 R) Tj\nendobj\n3 0 obj");
  const info = "<< /Title (endobj /Count 99 /Pages 4 0 R startxref 0 %%EOF trailer << /Root 3 0 R >>) >>";

  expect(pageCount(pdf([catalog, onePage, pageOf(2), text, info]))).toBe(1);
});

it("the catalog of a PDF may be at any position", () => {
  const objects = [stream("x".repeat(10_000)), onePage, pageOf(2), "<< /Type /Catalog /Pages 2 0 R >>"];

  expect(pageCount(pdf(objects, { root: 4 }))).toBe(1);
});

const valid = latin1(pdf([catalog, onePage, pageOf(2)]));
const withEntry = (entry: string) => bytesOf(valid.replace(/\d{10} 00000 n/, entry));

it.each([
  ["an empty file", new Uint8Array()],
  ["a truncated PDF", bytesOf(valid).slice(0, -40)],
  ["a PDF without a page tree", pdf(["<< /Type /Catalog >>", onePage])],
  ["a PDF without pages", pdf([catalog, "<< /Type /Pages /Count 0 /Kids [] >>"])],
  ["a PDF whose page tree counts a different number", pdf([catalog, onePage.replace("1", "2"), pageOf(2)])],
  ["a PDF whose page has a different type", pdf([catalog, onePage, pageOf(2).replace("/Page", "/P")])],
  ["a PDF whose trailer names no root", pdf([catalog, onePage, pageOf(2)], { trailer: "<< /Size 4 >>" })],
  ["a page without a size", pdf([catalog, onePage, "<< /Type /Page /Parent 2 0 R >>"])],
  ["a page of infinite size", pdf([catalog, onePage, pageOf(2, `[0 0 9 ${"9".repeat(400)}]`)])],
  ["a page without an area", pdf([catalog, onePage, pageOf(2, "[0 0 9 0]")])],
  ["an offset that is too small", withEntry("0000000003 00000 n")],
  ["an offset outside the file", withEntry("4294967295 00000 n")],
  ["a table with more entries than bytes", bytesOf(valid.replace("xref\n0 4", "xref\n0 2147483647"))],
  ["a table after the end of the file", bytesOf(valid.replace(/startxref\n\d+/, "startxref\n9999999"))],
  ["a page nested too deeply", pdf([catalog, onePage, "[".repeat(100_000)])],
])("a file is refused if it is %s", (_what, bytes) => {
  expect(() => pageCount(bytes)).toThrow(PdfError);
});

it.each([
  ["a dictionary without an end", "<</A <</B 1>>"],
  ["a dictionary whose key is not a name", "<<(A) 1>>"],
  ["a string without an end", "<</A (b\\)>>"],
  ["a hexadecimal string with other characters", "<xyz>"],
  ["an unknown keyword", "<</A foo>>"],
  ["a number with two points", "[1.2.3]"],
  ["a reference to another generation", "[3 1 R]"],
  ["two values", "<<>> <<>>"],
  ["no value", ""],
  ["an array nested too deeply", `${"[".repeat(70)}${"]".repeat(70)}`],
])("a file is refused if an annotation is %s", (_what, object) => {
  expect(() => assembled(chromiumPdf({ page: "/Annots [6 0 R]", more: [object] }))).toThrow(PdfError);
});
