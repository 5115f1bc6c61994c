// The templates of an account, read only: the operator's command changes them.
import { Hono } from "hono";
import { z } from "zod";
import { dataSchema } from "../../core/templates/data-schema.ts";
import { templateNotFound } from "../../core/errors.ts";
import { templateSummary } from "../../core/templates/template.ts";
import type { HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { pageQuery, validQuery } from "../validation.ts";

export const templates = new Hono<HttpEnv>()
  .get("/", validQuery(z.object(pageQuery)), async (context) => {
    const { services, account } = context.var;
    const { limit, offset } = context.req.valid("query");
    const { templates, total } = await services.templates.list(account.id, { limit, offset });
    return success(context, { templates: templates.map(templateSummary), pagination: { limit, offset, total } });
  })
  .get("/:id", async (context) => {
    const { services, account } = context.var;
    const template = await services.templates.find(account.id, context.req.param("id"));
    if (!template) throw templateNotFound();
    const { sampleData } = await services.templates.content(template);
    const { page, orientation, margin, locale, timeZone, fields } = template.manifest;
    return success(context, {
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
    });
  });
