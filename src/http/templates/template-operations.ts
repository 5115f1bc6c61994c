// The description of the routes about templates.
import { commonErrors } from "../description/error-cases.ts";
import type { ApiOperation } from "../description/operation.ts";
import { describedSchema } from "../description/described-schema.ts";
import { describedPageQuery } from "../queries/described-page-query.ts";
import { templatesQuery } from "./template-routes.ts";

const listTemplates: ApiOperation = {
  method: "get",
  path: "/templates",
  operationId: "listTemplates",
  access: { scope: "templates:read", tests: true },
  tag: "Templates",
  summary: "List templates",
  description: "Returns the templates of the account, newest first, whether they are published or not.",
  query: describedSchema(templatesQuery, describedPageQuery),
  responses: [{ status: 200, description: "A page of the list.", headers: ["Link"], data: "TemplateList" }],
  errors: commonErrors,
};

const getTemplate: ApiOperation = {
  method: "get",
  path: "/templates/{id}",
  operationId: "getTemplate",
  access: { scope: "templates:read", tests: true },
  tag: "Templates",
  summary: "Read a template",
  description: "Returns the template with its fields, the JSON Schema of its `data`, and sample data.",
  id: "The id of the template, or the name of its folder.",
  responses: [{ status: 200, description: "The template.", data: "Template" }],
  errors: [...commonErrors, "templateNotFound"],
};

export const templateOperations = [listTemplates, getTemplate];
