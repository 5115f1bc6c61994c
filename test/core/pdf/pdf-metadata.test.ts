import { expect, it } from "vitest";
import { getDocumentProxy } from "unpdf";
import { withMetadata, type PdfMetadata } from "../../../src/core/pdf/pdf-metadata.ts";
import { latin1, pdf } from "../../fixtures/pdf.ts";
import { measured } from "../../fixtures/cpu-time.ts";

const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>";
const pages = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>";
const dates = (date: string) => `/CreationDate (${date})\n/ModDate (${date})`;
const info = (title: string, date = "D:20261121112956+00'00'") => `<</Title (${title})\n${dates(date)}>>`;
const tagged = "<</Type /Catalog\n/Pages 2 0 R\n/MarkInfo <</Marked true>>\n/Lang (en)>>";
const untagged = "<</Type /Catalog\n/Pages 2 0 R\n/Dests 5 0 R\n/ViewerPreferences <</DisplayDocTitle true>>>>";
const trailer = "<</Size 6\n/Root 1 0 R\n/Info 4 0 R>>";
const chromiumPdf = (catalog: string, title = "T", more = "<< >>") =>
  pdf([catalog, pages, page, info(title), more], { trailer });

const metadata: PdfMetadata = {
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  language: "pt-BR",
  author: "",
  subject: "",
  keywords: "",
  outline: [],
};

async function read(bytes: Uint8Array) {
  const document = await getDocumentProxy(bytes.slice());
  return { document, info: (await document.getMetadata()).info as Record<string, unknown> };
}

it("overwrites the date of printing with the document's creation date without moving any bytes", () => {
  const bytes = chromiumPdf(tagged);

  const result = withMetadata(bytes, metadata);

  expect(latin1(result)).toBe(latin1(bytes).replaceAll("D:20261121112956+00'00'", "D:20260102030405+00'00'"));
});

it.each(["", "Ada"])("does not modify the given bytes (author %j)", (author) => {
  const bytes = chromiumPdf(tagged);
  const before = latin1(bytes);

  withMetadata(bytes, { ...metadata, author });

  expect(latin1(bytes)).toBe(before);
});

it("adds author, subject and keywords in any script, and keeps the title", async () => {
  const texts = { author: "Zoë) >> endobj", subject: "漢字 \u{1f5ce}", keywords: "a, b" };

  const result = await read(withMetadata(chromiumPdf(tagged, "Title \\(1\\) >> endobj"), { ...metadata, ...texts }));

  expect(result.info).toMatchObject({
    Title: "Title (1) >> endobj",
    Author: texts.author,
    Subject: texts.subject,
    Keywords: texts.keywords,
    CreationDate: "D:20260102030405+00'00'",
    Language: "en",
  });
  expect(result.document.numPages).toBe(1);
});

it("adds the language and an outline to a file without tags, and nests the outline by heading level", async () => {
  const dests =
    "<</a [3 0 R /XYZ 0 9 0]\n/b [3 0 R /XYZ 0 8 0]\n/c [3 0 R /XYZ 0 7 0]\n/d [3 0 R /XYZ 0 6 0]\n/e [3 0 R /XYZ 0 5 0]>>";
  const headings = [
    ["a", 2],
    ["b", 4],
    ["c", 3],
    ["d", 1],
    ["e", 1],
  ] as const;
  const outline = headings.map(([name, level]) => ({ name, level, text: `Ü ${name}` }));

  const result = await read(withMetadata(chromiumPdf(untagged, "T", dests), { ...metadata, outline }));

  const items = await result.document.getOutline();
  expect(items.map(({ title, items: inner }) => [title, inner.map((child: { title: string }) => child.title)])).toEqual(
    [
      ["Ü a", ["Ü b", "Ü c"]],
      ["Ü d", []],
      ["Ü e", []],
    ],
  );
  expect(items[1]?.dest).toBe("d");
  expect(result.info["Language"]).toBe("pt-BR");
});

it("adds no outline when the browser wrote no destinations", async () => {
  const outline = [{ name: "a", level: 1, text: "A" }];

  const result = withMetadata(chromiumPdf(untagged.replace("/Dests 5 0 R", "")), { ...metadata, outline });

  expect(latin1(result)).not.toContain("/Outlines");
});

it("renumbers table cells from 1 without changing their order, whatever number the browser started with", () => {
  const cells = (from: number) => {
    const id = (offset: number) => `(node${String(from + offset).padStart(8, "0")})`;
    return `<< /ID ${id(7)} /Headers [${id(2)} ${id(7)}] /Alt (\\(node00000002\\) node00000002) >>`;
  };

  const [first, second] = [14, 98_000].map((from) => withMetadata(chromiumPdf(tagged, "T", cells(from)), metadata));

  expect(latin1(first ?? new Uint8Array())).toContain("/ID (node00000002) /Headers [(node00000001) (node00000002)]");
  expect(first).toEqual(second);
});

it("takes less than three seconds of processor time for a file of 24 MB", () => {
  const bytes = chromiumPdf(untagged, "T", `<<>>\nstream\n${"(node ".repeat(4_000_000)}\nendstream`);

  const { cpuMs } = measured(() => withMetadata(bytes, { ...metadata, author: "Ada" }));

  expect(cpuMs).toBeLessThan(3_000);
});

it("throws for bytes that are not a PDF", () => {
  expect(() => withMetadata(new TextEncoder().encode("<html>"), metadata)).toThrow(/PDF/);
});
