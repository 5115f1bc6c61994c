import { describe, expect, it } from "vitest";
import { openPdf } from "../../../src/core/pdf/file/open-pdf.ts";
import { pageBoxes } from "../../../src/core/pdf/file/page-tree.ts";
import { PdfError } from "../../../src/core/pdf/syntax/pdf-error.ts";
import { measured } from "../../fixtures/cpu-time.ts";
import { latin1, pdf } from "../../fixtures/pdf.ts";
import { assembled, chromiumPdf, stream } from "./inputs.ts";

const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const pageOf = (parent: number, box = "[0 0 9 9]") => `<< /Type /Page /Parent ${parent} 0 R /MediaBox ${box} >>`;
const kids = (...numbers: number[]) => `/Kids [${numbers.map((number) => `${number} 0 R`).join(" ")}]`;
const onePage = `<< /Type /Pages /Count 1 ${kids(3)} >>`;
const pageCount = (bytes: Uint8Array) => pageBoxes(openPdf(bytes)).length;
const bytesOf = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe("a PDF", () => {
  it("has the pages of its page tree, in their order", () => {
    const root = `<< /Type /Pages /Count 3 ${kids(3, 6)} /MediaBox [0 0 5 5] >>`;
    const node = `<< /Type /Pages /Parent 2 0 R /Count 2 ${kids(4, 5)} /MediaBox 7 0 R >>`;
    const inherits = (parent: number) => `<< /Type /Page /Parent ${parent} 0 R >>`;
    const bytes = pdf([catalog, root, node, inherits(3), pageOf(3, "[30 40 10 10]"), inherits(2), "[0 0 7 8]"]);

    const sizes = pageBoxes(openPdf(bytes)).map(({ widthPt, heightPt }) => [widthPt, heightPt]);

    expect(sizes).toEqual([
      [7, 8],
      [20, 30],
      [5, 5],
    ]);
  });

  it("is not confused by streams and texts that look like PDF syntax", () => {
    const text = stream("(/Type /Page /Count 99 /Root 3 0 R /Pages 3 0 R) Tj\nendobj\n3 0 obj");
    const info = "<< /Title (endobj /Count 99 /Pages 4 0 R startxref 0 %%EOF trailer << /Root 3 0 R >>) >>";

    expect(pageCount(pdf([catalog, onePage, pageOf(2), text, info]))).toBe(1);
  });

  it("may have its catalog at any position", () => {
    const objects = [stream("x".repeat(10_000)), onePage, pageOf(2), "<< /Type /Catalog /Pages 2 0 R >>"];

    expect(pageCount(pdf(objects, { root: 4 }))).toBe(1);
  });

  it("may have a cross-reference table whose sections skip object numbers", () => {
    const objects = ["<< /Type /Catalog /Pages 30 0 R >>", `<</Type /Pages /Count 1 ${kids(31)}>>`, pageOf(30)];
    const numbers = [10, 30, 31];
    let text = latin1(pdf(objects, { root: 10 }));
    for (const [index, number] of numbers.entries()) text = text.replace(`\n${index + 1} 0 obj`, `\n${number} 0 obj`);
    const entries = numbers.map((number) => text.indexOf(`\n${number} 0 obj`) + 1);
    const [first, second, third] = entries.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
    text = text.replace(/xref\n0 4\n[^]*?trailer/, `xref\n10 1\n${first}30 2\n${second}${third}trailer`);

    const bytes = bytesOf(text.replace(/startxref\n\d+/, `startxref\n${text.indexOf("\nxref") + 1}`));

    expect(pageCount(bytes)).toBe(1);
  });

  it("is read with the newest version of each object", () => {
    const text = latin1(pdf([catalog, onePage, pageOf(2)]));
    const xrefAt = text.lastIndexOf("\nxref") + 1;
    const replaced = `3 0 obj\n${pageOf(2, "[0 0 50 60]")}\nendobj\n`;
    const entry = `${String(text.length + 1).padStart(10, "0")} 00000 n \n`;
    const update = `\n${replaced}xref\n3 1\n${entry}trailer\n<</Size 4 /Root 1 0 R /Prev ${xrefAt}>>\n`;

    const bytes = bytesOf(`${text}${update}startxref\n${text.length + 1 + replaced.length}\n%%EOF`);

    expect(pageBoxes(openPdf(bytes))).toEqual([{ widthPt: 50, heightPt: 60 }]);
  });

  it("with 20,000 objects is opened in less than two seconds of processor time", () => {
    const bytes = pdf([catalog, onePage, pageOf(2), ...Array.from({ length: 20_000 }, () => "<< >>")]);

    const { result: count, cpuMs } = measured(() => pageCount(bytes));

    expect(count).toBe(1);
    expect(cpuMs).toBeLessThan(2_000);
  });
});

describe("a file is refused", () => {
  const valid = latin1(pdf([catalog, onePage, pageOf(2)]));
  const xrefAt = Number(/startxref\n(\d+)/.exec(valid)?.[1]);
  const withEntry = (entry: string) => bytesOf(valid.replace(/\d{10} 00000 n/, entry));

  it.each([
    ["an empty file", new Uint8Array()],
    ["a file in another format", new TextEncoder().encode("\x89PNG\r\n\x1a\n")],
    ["a page of HTML", new TextEncoder().encode("<html>")],
    ["a truncated PDF", bytesOf(valid).slice(0, -40)],
    ["a PDF without a page tree", pdf(["<< /Type /Catalog >>", onePage])],
    ["a PDF whose page tree has no count", pdf([catalog, `<< /Type /Pages ${kids(3)} >>`, pageOf(2)])],
    ["a PDF whose page tree counts wrongly", pdf([catalog, onePage.replace("1", "7"), pageOf(2)])],
    ["a PDF without pages", pdf([catalog, "<< /Type /Pages /Count 0 /Kids [] >>"])],
    ["a PDF whose trailer names no root", pdf([catalog, onePage, pageOf(2)], { trailer: "<< /Size 4 >>" })],
    ["a page tree with a loop", pdf([catalog, `<< /Type /Pages /Count 1 ${kids(2)} >>`])],
    ["a page that occurs twice", pdf([catalog, `<< /Type /Pages /Count 2 ${kids(3, 3)} >>`, pageOf(2)])],
    ["a page with another parent", pdf([catalog, onePage, pageOf(1)])],
    ["a page without a size", pdf([catalog, onePage, "<< /Type /Page /Parent 2 0 R >>"])],
    ["a page of infinite size", pdf([catalog, onePage, pageOf(2, `[0 0 9 ${"9".repeat(400)}]`)])],
    ["a page without an area", pdf([catalog, onePage, pageOf(2, "[0 0 9 0]")])],
    ["an offset that is too small", withEntry("0000000003 00000 n")],
    ["an offset outside the file", withEntry("4294967295 00000 n")],
    ["a generation other than 0", withEntry("0000000015 00001 n")],
    ["a table with more entries than bytes", bytesOf(valid.replace("xref\n0 4", "xref\n0 2147483647"))],
    ["object numbers without end", bytesOf(valid.replace("xref\n0 4", "xref\n2147483000 4"))],
    ["tables that form a loop", bytesOf(valid.replace("<< /Size", `<< /Prev ${xrefAt} /Size`))],
    ["an encrypted file", bytesOf(valid.replace("<< /Size", "<< /Encrypt 3 0 R /Size"))],
    ["a page nested too deeply", pdf([catalog, onePage, "[".repeat(100_000)])],
  ])("if it is %s", (_what, bytes) => {
    expect(() => pageCount(bytes)).toThrow(PdfError);
  });

  it.each([
    ["a stream that is longer than its dictionary says", "<</Length 3>> stream\nabcdef\nendstream"],
    ["a stream that is shorter than its dictionary says", "<</Length 30>> stream\nabcdef\nendstream"],
    ["a stream without a length", "<<>> stream\nabcdef\nendstream"],
    ["a dictionary without an end", "<</A <</B 1>>"],
    ["a dictionary whose key is not a name", "<<(A) 1>>"],
    ["a dictionary without a value", "<</A>>"],
    ["brackets that do not match", "[<</A 1]>>"],
    ["a string without an end", "<</A (b\\)>>"],
    ["a hexadecimal string with other characters", "<xyz>"],
    ["an unknown keyword", "<</A foo>>"],
    ["a number with two points", "[1.2.3]"],
    ["a number that is too large", "[99999999999]"],
    ["a reference to another generation", "[3 1 R]"],
    ["two values", "<<>> <<>>"],
    ["no value", ""],
    ["an array nested too deeply", `${"[".repeat(70)}${"]".repeat(70)}`],
  ])("if it contains %s", (_what, object) => {
    expect(() => assembled(chromiumPdf({ more: [object] }))).toThrow(PdfError);
  });
});
