// Routes to list and read the templates of an account. The management API changes them.
import { Hono } from "hono";
import { z } from "zod";
import { dataSchema } from "colophon-template-model/data-json-schema";
import { templateSummary, type Template, type TemplateContent } from "colophon-template-model/template";
import { getTemplate, listTemplates } from "../../operations/templates/read-templates.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { pageOf, paginate } from "../queries/list-response.ts";
import { noParameters, oneStart, pageQuery, validQuery } from "../validation.ts";
import type { TemplateDetail, TemplateList } from "./template-responses.ts";

export const templatesQuery = z.strictObject(pageQuery).refine(...oneStart);

export const templates = new Hono<HttpEnv>()
  .get("/", validQuery(templatesQuery), async (context) => {
    const { services, account } = context.var;
    const parameters = context.req.valid("query");
    const { templates, ...listed } = await listTemplates(services, account, pageOf(parameters));
    const pagination = paginate(context, parameters, { items: templates, totalIsExact: true, ...listed });
    const list: TemplateList = { templates: templates.map(templateSummary), pagination };
    return success(context, list);
  })
  .get("/:id", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const { template, content } = await getTemplate(services, account, context.req.param("id"));
    return success(context, templateDetail(template, content));
  });

function templateDetail(template: Template, { sampleData }: TemplateContent): TemplateDetail {
  const { page, orientation, margin, locale, locales = [], timeZone, fields } = template.manifest;
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
    fields,
    dataSchema: dataSchema(fields),
    sampleData,
  };
}
