// The documents that the benchmarks render. A sample contains the data for the service, and the HTML of the same
// document for bare puppeteer.
import { basename } from "node:path";
import { readTemplateFolder } from "../../src/cli/templates/template-folder.ts";
import { compileTemplate } from "../../src/core/templates/compile-template.ts";
import { runAtOnce } from "../../src/core/liquid/liquid.ts";
import { documentHtml } from "../../src/core/rendering/document-html.ts";
import type { DocumentFormat } from "../../src/core/documents/document.ts";
import type { PageGeometry } from "../../src/core/rendering/page-geometry.ts";
import { validateData } from "../../src/core/templates/validate-data.ts";

export type Sample = {
  name: string;
  format: DocumentFormat;
  data: Record<string, unknown>;
  html: string;
  headChars: number;
  page: PageGeometry;
};

export const sampleFolders = ["bench/small-table", "templates/invoice"];

export async function loadSamples() {
  const [small = "", invoice = ""] = sampleFolders;
  return {
    smallPdf: await loadSample(small, "pdf"),
    invoicePdf: await loadSample(invoice, "pdf"),
    smallPng: await loadSample(small, "png"),
  };
}

async function loadSample(folder: string, format: DocumentFormat): Promise<Sample> {
  const read = await readTemplateFolder(folder);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  const { content } = read;
  const compiled = compileTemplate(content);
  if (compiled.status === "broken") throw new Error(JSON.stringify(compiled.problems));
  const { page, fields } = content.manifest;
  const html = runAtOnce(
    documentHtml({
      compiled: compiled.template,
      data: validateData(fields, content.sampleData).data,
      id: "00000000-0000-4000-8000-000000000000",
      createdAt: Date.now(),
      format,
      page,
      fixedHeight: false,
    }),
  );
  if (html.status === "problem") throw new Error(JSON.stringify(html.problem));
  return { name: basename(folder), format, data: content.sampleData, html: html.html, headChars: html.headChars, page };
}
