// Makes the content of small templates.
import { paperGeometry } from "colophon-page/page-geometry";
import type { Field, TemplateContent } from "colophon-template-model/template";
import { styleAssets } from "colophon-template-model/used-styles";

export type TemplateOptions = {
  /** The Liquid source of the template's only page, or an array with the source of each page. */
  page?: string | string[];
  fields?: Field[];
  content?: Partial<TemplateContent>;
};

export function templateContent({
  page = "<p>Hello {{ name }}</p>",
  fields = [field("name", "string")],
  content = {},
}: TemplateOptions): TemplateContent {
  const sources = Array.isArray(page) ? page : [page];
  const made: Omit<TemplateContent, "styleAssets"> = {
    manifest: {
      title: "Test template",
      description: "",
      pageSize: "A4",
      orientation: "portrait",
      page: paperGeometry("A4", "portrait"),
      margin: { top: 48, right: 48, bottom: 48, left: 48 },
      locale: "en-US",
      timeZone: "UTC",
      isPublished: true,
      overflow: "warning",
      fields,
    },
    pages: sources.map((source, index) => ({ name: `${index + 1}.liquid`, source })),
    css: "",
    header: null,
    footer: null,
    assets: {},
    sampleData: {},
    ...content,
  };
  return { ...made, styleAssets: styleAssets(made.css, new Set(Object.keys(made.assets))).assets };
}

export function field(key: string, type: Field["type"], rest: Partial<Field> = {}): Field {
  return { key, label: key, type, required: false, description: "", ...rest };
}
