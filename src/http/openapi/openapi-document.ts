// Generates the OpenAPI 3.1 description from the schemas that validate requests and those that type the responses.
import type { z } from "zod";
import { usageRows } from "../accounts/usage-routes.ts";
import { batchRows } from "../batches/batch-routes.ts";
import { documentRows } from "../documents/document-routes.ts";
import { manageOperations } from "../manage/manage-routes.ts";
import type { Access, ApiOperation } from "../operation.ts";
import { templateRows } from "../templates/template-routes.ts";
import { componentSchemas, parameterSchemas, schemaRef, type JsonSchema } from "./components.ts";
import { errorCases, type ErrorName } from "./error-cases.ts";
import { examples } from "./examples.generated.ts";
import { requestHeaders, responseHeaders, type ResponseHeader } from "./headers.ts";
import { information, managementInformation, tags } from "./information.ts";
import { webhooks } from "./webhooks.ts";

export const apiOperations: ApiOperation[] = [...documentRows, ...batchRows, ...templateRows, ...usageRows];

/** Returns the OpenAPI document. It does not describe the route that returns it. `baseUrl` comes from the settings. */
export function openApiDocument(baseUrl: string) {
  return { ...documentOf(apiOperations, { information, baseUrl }), webhooks };
}

/** Returns the OpenAPI document of the management API. */
export function managementDocument(baseUrl: string) {
  return documentOf(manageOperations, { information: managementInformation, baseUrl });
}

function documentOf(
  operations: ApiOperation[],
  { information: info, baseUrl }: { information: object; baseUrl: string },
) {
  const used = new Set(operations.map(({ tag }) => tag));
  return {
    openapi: "3.1.1",
    info,
    servers: [{ url: baseUrl }],
    tags: tags.filter(({ name }) => used.has(name) || name === "Webhooks"),
    security: [{ apiKey: [] }],
    paths: pathsOf(operations),
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key, or the operator's key below `/admin`." },
      },
      schemas: componentSchemas(),
      headers: headersOf(operations),
      examples: Object.fromEntries(Object.entries(examples.errors).map(([name, value]) => [name, { value }])),
    },
  };
}

/** Returns the headers to which the responses refer. */
function headersOf(operations: ApiOperation[]): Partial<typeof responseHeaders> {
  const text = JSON.stringify(pathsOf(operations));
  return Object.fromEntries(Object.entries(responseHeaders).filter(([name]) => text.includes(`/headers/${name}"`)));
}

function pathsOf(operations: ApiOperation[]): Record<string, object> {
  const byPath = Map.groupBy(operations, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, sharing]) => [
      path,
      Object.fromEntries(sharing.map((operation) => [operation.method, operationObject(operation)])),
    ]),
  );
}

function operationObject(operation: ApiOperation): object {
  const { operationId, tag, summary, description, body, bodyContent, access } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    description: `${description}\n\n${accessText(access)}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body || bodyContent ? { requestBody: bodyObject(operation) } : {}),
    responses: responsesOf(operation),
  };
}

function accessText(access: Access): string {
  if (access === "operator") return "Requires the operator's key.";
  return `Requires the scope \`${access.scope}\`${access.tests ? "" : ", and a live key"}.`;
}

/** Only JSON has an example. */
function bodyObject({ operationId, body, isBodyOptional, bodyContent = {} }: ApiOperation): object {
  const { [json]: described = body && { schema: schemaRef(body) }, ...others } = bodyContent;
  const example = examples.bodies[operationId];
  return { required: !isBodyOptional, content: { ...(described && { [json]: { ...described, example } }), ...others } };
}

const json = "application/json";

const text = (description: string) => ({ description, schema: { type: "string" } });
const idOrFolder = text("The id of the template, or the name of its folder.");

/** Keyed by the parameter's name or, if that is `id`, by the path segment before it. */
const pathParameters: Record<string, object> = {
  documents: text("The id of the document."),
  batches: text("The id of the batch."),
  templates: idOrFolder,
  template: idOrFolder,
  version: { description: "The number of the version.", schema: { type: "integer", minimum: 1 } },
};

function parametersOf({ path, query, headers = [] }: ApiOperation): object[] {
  const inPath = Array.from(path.matchAll(/(\w+)\/\{(\w+)\}/g), ([, owner = "", name = ""]) => {
    const parameter = pathParameters[name === "id" ? owner : name] ?? { schema: { type: "string" } };
    return { name, in: "path", required: true, ...parameter };
  });
  return [
    ...inPath,
    ...(query ? queryParameters(query) : []),
    ...headers.map((name) => ({ name, in: "header", ...requestHeaders[name] })),
  ];
}

function queryParameters(query: z.ZodObject): object[] {
  return Object.entries(parameterSchemas(query)).map(([name, { description, ...schema }]) => ({
    name,
    in: "query",
    required: false,
    description,
    // An object has a parameter for each of its keys, e.g. `metadata[order]`.
    ...(schema["type"] === "object" ? { style: "deepObject", explode: true } : {}),
    schema,
  }));
}

function responsesOf(operation: ApiOperation): Record<string, object> {
  const { responses, errors, anyResponse = [] } = operation;
  const content = successContent(operation);
  const byStatus = Map.groupBy(errors, (name) => errorCases[name].status);
  return Object.fromEntries([
    ...responses.map(({ status, description, headers = [] }) => [
      status,
      { description, headers: headerRefs([...headers, ...anyResponse]), ...(status !== 304 && { content }) },
    ]),
    ...[...byStatus].map(([status, sharing]) => [status, errorObject(sharing, anyResponse)]),
  ]);
}

function successContent({ operationId, data, content }: ApiOperation): object | undefined {
  return data
    ? { [json]: { schema: successSchema(schemaRef(data)), example: examples.responses[operationId] } }
    : content;
}

function successSchema(data: JsonSchema): JsonSchema {
  return {
    type: "object",
    properties: { success: { type: "boolean", const: true }, data, meta: schemaRef("Meta") },
    required: ["success", "data", "meta"],
  };
}

/** Returns the response for errors that share a status. */
function errorObject(names: ErrorName[], more: ResponseHeader[]): object {
  const cases = names.map((name) => errorCases[name]);
  const recorded = names.filter((name) => name in examples.errors);
  const codes = [...new Set(cases.map(({ code }) => code))];
  const code = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: cases.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    headers: headerRefs([...cases.flatMap(({ headers }) => headers), ...more]),
    content: {
      [json]: {
        schema: { allOf: [schemaRef("Failure"), code] },
        examples: Object.fromEntries(recorded.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
      },
    },
  };
}

function headerRefs(names: ResponseHeader[]): Record<string, object> {
  const all: ResponseHeader[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
