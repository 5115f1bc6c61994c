// The documents that the benchmarks render. A sample contains the data for the service, and the HTML of the same
// document for bare puppeteer.
import { readTemplateFolder } from "colophon-templates/template-folder";
import { compileTemplate } from "colophon-template-model/compile-template";
import { runAtOnce } from "colophon-liquid/liquid";
import { documentHtml } from "colophon-template-model/document-html";
import { everyCharacterFace } from "../../packages/template-model/src/document/every-character-font.ts";
import { missingGlyphFace, missingGlyphFamily } from "colophon-page/missing-glyph-font";
import type { DocumentFormat } from "colophon-page/document-format";
import type { RenderJob } from "colophon-render/render-job";
import type { TemplateContent } from "colophon-template-model/template";
import { selfContainedHtml } from "../../test/fixtures/self-contained-html.ts";
import { validateData } from "colophon-template-model/validate-data";

export type Sample = {
  /** The name under which the service has the template; see `readSample`. */
  name: string;
  format: DocumentFormat;
  data: Record<string, unknown>;
  metadata?: Record<string, string>;
  /** What the service makes of the template and the data. */
  job: RenderJob;
  /** The HTML of the job with its styles, and with the fonts and images of the template, for a renderer without a page script. */
  html: string;
};

/** The folders of the templates by name. `body-` in front of a name means the template without header and footer. */
const folders: Record<string, string> = {
  "small-table": "bench/small-table",
  invoice: "templates/invoice",
  report: "templates/report",
  "long-report": "bench/long-report",
  catalogue: "bench/catalogue",
};

export async function loadSamples() {
  return {
    smallPdf: await loadSample("small-table", "pdf"),
    invoicePdf: await loadSample("invoice", "pdf"),
    smallPng: await loadSample("small-table", "png"),
  };
}

export async function readSample(name: string): Promise<TemplateContent> {
  const read = await readTemplateFolder(folders[name.replace(/^body-/, "")] ?? name);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  return name.startsWith("body-") ? { ...read.content, header: null, footer: null } : read.content;
}

export async function loadSample(name: string, format: DocumentFormat): Promise<Sample> {
  const content = await readSample(name);
  const compiled = compileTemplate(content);
  if (compiled.status === "broken") throw new Error(JSON.stringify(compiled.problems));
  const { page, margin, fields, locale } = content.manifest;
  const rendered = runAtOnce(
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
  if (rendered.status === "problem") throw new Error(JSON.stringify(rendered.problem));
  const { status: _, margins: __, ...markup } = rendered;
  const job: RenderJob = {
    ...{
      ...markup,
      accountId: "bench",
      templateHash: "bench",
      fonts: [],
      format,
      page,
      margin,
      deviceScaleFactor: 2,
      overflow: "warning",
      imageQuality: null,
      fileKey: "bench",
    },
    metadata: { createdAt: 0, language: locale },
    timeoutMs: 60_000,
    mayRetry: false,
  };
  return { name, format, data: content.sampleData, job, html: withoutServiceFonts(selfContainedHtml(job)) };
}

/**
 * Returns the HTML with the template's own fonts only, as people write it who call puppeteer themselves: other text has the
 * browser's own sans. Without the page script, the fonts of the service would draw all of that text as boxes, and the browser would
 * decode them for each document, which takes ten times as long as the document itself.
 */
function withoutServiceFonts(html: string): string {
  const declared = html.replace(everyCharacterFace, "").replace(missingGlyphFace, "");
  return declared.replaceAll(missingGlyphFamily, "sans-serif");
}
