// Renders documents for tests.
import { runAtOnce } from "colophon-liquid/liquid";
import { paperGeometry } from "colophon-page/page-geometry";
import { field, templateContent } from "colophon-test-kit/template-content";
import { compileTemplate } from "../../src/compile-template.ts";
import { documentHtml, type DocumentInput } from "../../src/document/document-html.ts";
import type { Field, TemplateContent, TemplateManifest } from "../../src/template.ts";
import { validateData } from "../../src/validate-data.ts";

export type Case = Partial<Omit<DocumentInput, "compiled" | "data">> & {
  data?: Record<string, unknown>;
  /** By default, each key of the data becomes a field of the template; see `fieldOf`. */
  fields?: Field[];
  pages?: string | string[];
  content?: Partial<TemplateContent>;
  manifest?: Partial<TemplateManifest>;
};

export function documentOf({ pages = "<p>Hello</p>", content = {}, manifest = {}, data = {}, fields, ...input }: Case) {
  const whole = templateContent({ page: pages, content });
  const result = compileTemplate({ ...whole, manifest: { ...whole.manifest, ...manifest } });
  if (result.status !== "compiled") throw new Error(JSON.stringify(result.problems));
  return runAtOnce(
    documentHtml({
      compiled: result.template,
      data: validateData(fields ?? Object.entries(data).map(fieldOf), data).data,
      id: "11111111-1111-4111-8111-111111111111",
      createdAt: Date.parse("2026-11-21T09:30:00.000Z"),
      format: "pdf",
      page: paperGeometry("A4", "portrait"),
      fixedHeight: false,
      ...input,
    }),
  );
}

/** Returns a field that accepts the value: a list of objects with photos, a number field or a string field. */
function fieldOf([key, value]: [string, unknown]): Field {
  if (Array.isArray(value)) return field(key, "list", { fields: [field("photo", "image")] });
  return field(key, typeof value === "number" ? "number" : "string");
}
