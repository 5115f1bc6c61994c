// Routes to list and read the templates of an account. Only the operator's commands change templates.
import { Hono } from "hono";
import { z } from "zod";
import { dataSchema } from "../../core/templates/data-json-schema.ts";
import { templateSummary, type Template, type TemplateContent } from "../../core/templates/template.ts";
import { getTemplate, listTemplates } from "../../operations/templates/read-templates.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { pageQuery, validQuery } from "../validation.ts";

export const templates = new Hono<HttpEnv>()
  .get("/", validQuery(z.object(pageQuery)), async (context) => {
    const { services, account } = context.var;
    const page = context.req.valid("query");
    const { templates, total } = await listTemplates(services, account, page);
    return success(context, { templates: templates.map(templateSummary), pagination: { ...page, total } });
  })
  .get("/:id", async (context) => {
    const { services, account } = context.var;
    const { template, content } = await getTemplate(services, account, context.req.param("id"));
    return success(context, templateDetail(template, content));
  });

function templateDetail(template: Template, { sampleData }: TemplateContent) {
  const { page, orientation, margin, locale, timeZone, fields } = template.manifest;
  return {
    ...templateSummary(template),
    version: template.version,
    width: page.width,
    height: page.height,
    orientation,
    margin,
    locale,
    timeZone,
    fields,
    dataSchema: dataSchema(fields),
    sampleData,
  };
}
