// The benchmarks' documents: the data for the service, and the HTML of the same document for bare puppeteer.
import { runAtOnce } from "colophon-liquid/liquid";
import type { DocumentFormat } from "colophon-page/document-format";
import { missingGlyphFace, missingGlyphFamily } from "colophon-page/missing-glyph-font";
import type { PageGeometry } from "colophon-page/page-geometry";
import { compileTemplate } from "colophon-template-model/compile-template";
import { documentHtml } from "colophon-template-model/document-html";
import { validateData } from "colophon-template-model/validate-data";
import { readTemplateFolder } from "colophon-templates/template-folder";
import { selfContainedHtml } from "colophon-test-kit/self-contained-html";
import { everyCharacterFace } from "../../packages/template-model/src/document/every-character-font.ts";

export type Sample = {
  /** The template's folder, which the service's tenants use as its name. */
  folder: string;
  format: DocumentFormat;
  data: Record<string, unknown>;
  page: PageGeometry;
  /** Whether the service gives a PDF tags, which takes the browser longer. */
  isTagged: boolean;
  /** The document with its styles, and the template's fonts and images, for a renderer without a page script. */
  html: string;
};

/** `longTable` is the number of rows of a table that is too long for tags. */
export async function loadSample(folder: string, format: DocumentFormat, longTable = 0): Promise<Sample> {
  const read = await readTemplateFolder(folder);
  if (read.status === "broken") throw new Error(JSON.stringify(read.problems));
  const { manifest, sampleData } = read.content;
  const rows = Array.from({ length: longTable }, (_, n) => ({ name: `Item number ${n + 1}`, price: 10 + 3.5 * n }));
  const data = longTable > 0 ? { rows } : sampleData;
  const compiled = compileTemplate(read.content);
  if (compiled.status === "broken") throw new Error(JSON.stringify(compiled.problems));
  const rendered = runAtOnce(
    documentHtml({
      compiled: compiled.template,
      data: validateData(manifest.fields, data).data,
      id: "00000000-0000-4000-8000-000000000000",
      createdAt: Date.now(),
      format,
      page: manifest.page,
      fixedHeight: false,
    }),
  );
  if (rendered.status === "problem") throw new Error(JSON.stringify(rendered.problem));
  const html = withoutServiceFonts(selfContainedHtml(rendered));
  return { folder, format, data, page: manifest.page, isTagged: longTable === 0, html };
}

/**
 * Returns the HTML with only the template's own fonts, as people who call puppeteer themselves would write it: other text uses the
 * browser's default font. Without the page script, the service's fonts would draw all of that text as boxes, and the browser would
 * decode them for each document, which takes ten times as long as the document itself.
 */
function withoutServiceFonts(html: string): string {
  const declared = html.replace(everyCharacterFace, "").replace(missingGlyphFace, "");
  return declared.replaceAll(missingGlyphFamily, "sans-serif");
}
