// The operations that list and read the templates of an account. The management API changes them.
import { dataSchema } from "colophon-template-model/data-json-schema";
import { templateSummary, type Template, type TemplateContent } from "colophon-template-model/template";
import { getTemplate, listTemplates } from "../../operations/templates/read-templates.ts";
import type { DataOf } from "../openapi/components.ts";
import { operation } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { listQuery } from "../validation.ts";

const reads = { access: { scope: "templates:read", tests: true }, tag: "Templates" } as const;

export const templateRows = [
  operation("listTemplates", "GET /templates", {
    ...reads,
    summary: "List templates",
    description: "Returns the templates of the account, newest first, whether they are published or not.",
    query: listQuery,
    data: "TemplateList",
    responses: [{ status: 200, description: "A page of the list.", headers: ["Link"] }],
    handle({ context, services, account, query }) {
      return pageResponse(
        { context, query },
        "templates",
        (page) => listTemplates(services, account, page),
        templateSummary,
      );
    },
  }),
  operation("getTemplate", "GET /templates/{id}", {
    ...reads,
    summary: "Read a template",
    description: "Returns the template with its fields, the JSON Schema of its `data`, and sample data.",
    data: "Template",
    responses: [{ status: 200, description: "The template." }],
    errors: ["templateNotFound"],
    async handle({ services, account, param }) {
      const { template, content } = await getTemplate(services, account, param("id"));
      return templateDetail(template, content);
    },
  }),
];

function templateDetail(template: Template, { sampleData }: TemplateContent): DataOf<"Template"> {
  const { page, orientation, margin, locale, locales = [], timeZone, fields, ...manifest } = template.manifest;
  const { access, allowPublic, conformance } = manifest;
  return {
    ...templateSummary(template),
    version: template.version,
    width: page.width,
    height: page.height,
    orientation,
    margin,
    locale,
    locales,
    timeZone,
    ...(conformance && { conformance }),
    ...(access === "private" && { access, ...(allowPublic && { allowPublic }) }),
    fields,
    dataSchema: dataSchema(fields),
    sampleData,
  };
}
