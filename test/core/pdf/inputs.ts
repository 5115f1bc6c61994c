// PDFs as Chromium writes them, for tests of the assembly, and the input of an assembly.
import { deflateSync } from "node:zlib";
import { assemblePdf, type AssembledPdf, type AssemblyInput } from "../../../src/core/pdf/assemble-pdf.ts";
import { openPdf } from "../../../src/core/pdf/file/open-pdf.ts";
import { pdf } from "../../fixtures/pdf.ts";

export const stream = (text: string, entries = "") => `<<${entries}/Length ${text.length}>> stream\n${text}\nendstream`;

type PageParts = { title: string; catalog: string; page: string; more: string[]; date: string };

/** Returns a file with one page. Its objects are the catalog, the page tree, the page, the information, the content, `more`. */
export function chromiumPdf(parts: Partial<PageParts> = {}): Uint8Array<ArrayBuffer> {
  const { title = "T", catalog = "", page = "", more = [], date = "D:20261121112956+00'00'" } = parts;
  return pdf(
    [
      `<</Type /Catalog\n/Pages 2 0 R\n${catalog}>>`,
      "<</Type /Pages\n/Count 1\n/Kids [3 0 R]>>",
      `<</Type /Page\n/MediaBox [0 0 300 400]\n/Contents 5 0 R\n/Parent 2 0 R\n${page}>>`,
      `<</Title (${title})\n/Creator (Chromium)\n/Producer (Skia/PDF m153)\n/CreationDate (${date})\n/ModDate (${date})>>`,
      stream("1 0 0 -1 0 400 cm"),
      ...more,
    ],
    { trailer: `<</Size ${6 + more.length}\n/Root 1 0 R\n/Info 4 0 R>>` },
  );
}

/** Assembles a file without sheets, unless `rest` has some. */
export function assembled(body: Uint8Array, rest: Partial<AssemblyInput> = {}): AssembledPdf {
  return assemblePdf({
    body: openPdf(body),
    sheets: null,
    metadata: {
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
      language: "pt-BR",
      author: "",
      subject: "",
      keywords: "",
    },
    headings: [],
    area: { contentHeightPt: 300 },
    deflate: deflateSync,
    ...rest,
  });
}
