import { expect, it } from "vitest";
import { pdfPageCount } from "../../../src/core/pdf/pdf-pages.ts";
import { measured } from "../../fixtures/cpu-time.ts";
import { pdf } from "../../fixtures/pdf.ts";

const catalog = "<< /Type /Catalog /Pages 2 0 R >>";
const pagesOf = (count: number) => `<< /Type /Pages /Count ${count} /Kids [3 0 R] >>`;
const stream = (text: string) => `<< /Length ${text.length} >>\nstream\n${text}\nendstream`;

it("returns the count at the root of the page tree", () => {
  const count = pdfPageCount(pdf([catalog, pagesOf(7)]));

  expect(count).toBe(7);
});

it("ignores text that looks like a page tree", () => {
  const text = stream("(/Type /Page /Count 99 /Root 3 0 R /Pages 3 0 R) Tj");

  const count = pdfPageCount(pdf([catalog, pagesOf(2), text]));

  expect(count).toBe(2);
});

it("ignores a document title that looks like PDF syntax", () => {
  const info = "<< /Title (endobj /Count 99 /Pages 4 0 R startxref 0 %%EOF trailer << /Root 3 0 R >>) >>";

  const count = pdfPageCount(pdf([catalog, pagesOf(3), info]));

  expect(count).toBe(3);
});

it("ignores the count at an inner node of the page tree", () => {
  const inner = "<< /Type /Pages /Parent 2 0 R /Count 8 /Kids [] >>";

  const count = pdfPageCount(pdf([catalog, pagesOf(20), inner]));

  expect(count).toBe(20);
});

it("finds the catalog at any position in the file", () => {
  const objects = [stream("x".repeat(10_000)), pagesOf(4), stream("y"), "<< /Type /Catalog /Pages 2 0 R >>"];

  const count = pdfPageCount(pdf(objects, { root: 4 }));

  expect(count).toBe(4);
});

it("reads a cross-reference table whose sections skip object numbers", () => {
  const bytes = pdf(["<< /Type /Catalog /Pages 30 0 R >>", pagesOf(5)], { root: 10 });
  const text = String.fromCharCode(...bytes);
  const [free, first, second] = [...text.matchAll(/^\d{10} \d{5} [nf] $/gm)].map(([entry]) => entry);
  const sections = `xref\n0 1\n${free}\n10 1\n${first}\n30 1\n${second}\ntrailer`;
  const rewritten = text.replace(/xref\n0 3\n[^]*?trailer/, sections);

  const count = pdfPageCount(Uint8Array.from(rewritten, (character) => character.charCodeAt(0)));

  expect(count).toBe(5);
});

it("takes less than two seconds of processor time for a file of 20,000 objects", () => {
  const bytes = pdf([catalog, pagesOf(9), ...Array.from({ length: 20_000 }, () => "<< >>")]);

  const { result: count, cpuMs } = measured(() => pdfPageCount(bytes));

  expect(count).toBe(9);
  expect(cpuMs).toBeLessThan(2_000);
});

it.each([
  ["an empty file", new Uint8Array()],
  ["a file in another format", new TextEncoder().encode("\x89PNG\r\n\x1a\n")],
  ["a truncated PDF", pdf([catalog, pagesOf(1)]).slice(0, -40)],
  ["a PDF without a page tree", pdf(["<< /Type /Catalog >>", pagesOf(1)])],
  ["a PDF whose page tree has no count", pdf([catalog, "<< /Type /Pages >>"])],
  ["a PDF whose trailer names no root", pdf([catalog, pagesOf(1)], { trailer: "<< /Size 3 >>" })],
])("throws for %s", (_what, bytes) => {
  expect(() => pdfPageCount(bytes)).toThrow(/page tree/);
});
