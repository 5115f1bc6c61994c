// PDFs as Chromium writes them, for tests of the assembly, and the input of an assembly.
import { deflateSync } from "node:zlib";
import { pdf } from "colophon-test-kit/pdf";
import { startAssembly, type Assembly, type AssemblyInput, type SheetsInput } from "../src/assemble-pdf.ts";
import { openPdf } from "../src/file/open-pdf.ts";
import type { SheetPlace } from "../src/parts/unstack-sheets.ts";

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

/** A page of 400 points for two sheets, which are 200 px high and start 240 px apart. */
export const stacked: SheetPlace[] = [
  { page: 0, area: { topPx: 0, heightPx: 200 } },
  { page: 0, area: { topPx: 240, heightPx: 200 } },
];
export const drawings = ["q 0 0 300 200 re W n (a) Tj Q", "q 0 240 300 200 re W n (b) Tj Q"];
export const stackedContent = `.75 0 0 -.75 0 400 cm ${drawings.join(" ")}`;

export type StackParts = {
  text?: string;
  page?: string;
  /** All pages have the same content. */
  pages?: number;
  entries?: string;
  compress?: (text: string) => Uint8Array;
};

const deflated = (text: string) => deflateSync(Buffer.from(text, "latin1"));

/** Returns a file whose pages have two sheets each. */
export function stackPdf(parts: StackParts = {}): Uint8Array<ArrayBuffer> {
  const { text = stackedContent, page = "", pages = 1, entries = "/Filter /FlateDecode", compress = deflated } = parts;
  const data = compress(text);
  const source = `<</Type /Page /Parent 2 0 R /MediaBox [0 0 300 400] /Contents 3 0 R /Resources <</Font <</F1 4 0 R>>>> ${page}>>`;
  const kids = Array.from({ length: pages }, (_, index) => `${5 + index} 0 R`);
  return pdf([
    "<</Type /Catalog /Pages 2 0 R>>",
    `<</Type /Pages /Count ${pages} /Kids [${kids.join(" ")}]>>`,
    `<</Length ${data.length} ${entries}>> stream\n${Buffer.from(data).toString("latin1")}\nendstream`,
    "<</Type /Font>>",
    ...kids.map(() => source),
  ]);
}

export const metadata = {
  createdAt: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  language: "pt-BR",
  title: "T",
  author: "",
  subject: "",
  keywords: "",
};

/** Assembles a file without sheets, unless `rest` has some. */
export function assembled(
  body: Uint8Array,
  rest: Partial<SheetsInput & AssemblyInput> = {},
): ReturnType<Assembly["finish"]> {
  const input = {
    body: openPdf(body),
    sheets: null,
    metadata,
    headings: [],
    ...rest,
  };
  return startAssembly(input).finish(input);
}
