// The description of the API in OpenAPI 3.1. It is made from the schemas that validate requests and from those that are bound to
// the types of responses.
import { accountOperations } from "../accounts/account-operations.ts";
import { batchOperations } from "../batches/batch-operations.ts";
import { documentOperations } from "../documents/document-operations.ts";
import { templateOperations } from "../templates/template-operations.ts";
import { componentSchemas, parameterSchemas, schemaRef } from "./components.ts";
import type { DescribedSchema, JsonSchema } from "../description/described-schema.ts";
import { errorCases, type ErrorCase, type ErrorName } from "../description/error-cases.ts";
import { examples } from "./examples.generated.ts";
import { information, tags } from "./information.ts";
import type { ApiOperation, ComponentName, SuccessResponse } from "../description/operation.ts";
import { requestHeaders, responseHeaders, type ResponseHeader } from "../description/headers.ts";
import { webhooks } from "./webhooks.ts";

export const apiOperations: ApiOperation[] = [
  ...documentOperations,
  ...batchOperations,
  ...templateOperations,
  ...accountOperations,
];

/** Returns the OpenAPI document. It does not describe the route that returns it. `baseUrl` comes from the settings. */
export function openApiDocument(baseUrl: string) {
  return {
    openapi: "3.1.1",
    info: information,
    servers: [{ url: baseUrl }],
    tags,
    security: [{ apiKey: [] }],
    paths: pathsOf(apiOperations),
    webhooks,
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "An API key. The operator of the service creates keys.",
        },
      },
      schemas: componentSchemas(),
      headers: responseHeaders,
      examples: Object.fromEntries(Object.entries(examples.errors).map(([name, value]) => [name, { value }])),
    },
  };
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
  const { operationId, tag, summary, description, body, bodyContent } = operation;
  const parameters = parametersOf(operation);
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: bodyObject(body, operationId, bodyContent) } : {}),
    responses: responsesOf(operation),
  };
}

function bodyObject(body: ComponentName, operationId: string, others: ApiOperation["bodyContent"]): object {
  const json = { schema: schemaRef(body), example: examples.bodies[operationId] };
  return { required: true, content: { "application/json": json, ...others } };
}

function parametersOf({ id, query, headers = [] }: ApiOperation): object[] {
  const path = { name: "id", in: "path", required: true, description: id, schema: { type: "string", format: "uuid" } };
  return [
    ...(id ? [path] : []),
    ...(query ? queryParameters(query) : []),
    ...headers.map((name) => ({ name, in: "header", ...requestHeaders[name] })),
  ];
}

function queryParameters(query: DescribedSchema): object[] {
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

function responsesOf({ operationId, responses, errors, anyResponse = [] }: ApiOperation): Record<string, object> {
  const byStatus = Map.groupBy(errors, (name) => errorCases[name].status);
  return Object.fromEntries([
    ...responses.map((response) => [
      response.status,
      successObject(response, { example: examples.responses[operationId], more: anyResponse }),
    ]),
    ...[...byStatus].map(([status, sharing]) => [status, errorObject(sharing, anyResponse)]),
  ]);
}

function successObject(
  { description, headers = [], data, content }: SuccessResponse,
  { example, more }: { example: unknown; more: ResponseHeader[] },
): object {
  const json = data && { "application/json": { schema: successSchema(schemaRef(data)), example } };
  const all = { ...json, ...content };
  return {
    description,
    headers: headerRefs([...headers, ...more]),
    ...(Object.keys(all).length > 0 ? { content: all } : {}),
  };
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
  const cases = names.map((name): ErrorCase => errorCases[name]);
  const codes = [...new Set(cases.map(({ code }) => code))];
  const code = { properties: { error: { properties: { code: { enum: codes } } } } };
  return {
    description: cases.map(({ code, when }) => `\`${code}\`: ${when}`).join("\n\n"),
    headers: headerRefs([...cases.flatMap(({ headers = [] }) => headers), ...more]),
    content: {
      "application/json": {
        schema: { allOf: [schemaRef("Failure"), code] },
        examples: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/examples/${name}` }])),
      },
    },
  };
}

function headerRefs(names: ResponseHeader[]): Record<string, object> {
  const all: ResponseHeader[] = ["X-Request-Id", ...names];
  return Object.fromEntries(all.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
