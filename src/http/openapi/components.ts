// The named schemas of the API.
import { z } from "zod";
import { errorCodes, type ErrorDetail } from "../../core/errors.ts";
import { usageSchema } from "../accounts/usage-responses.ts";
import { describedCreateBody } from "../documents/described-requests.ts";
import { deletedDocumentSchema, documentListSchema, documentSchema } from "../documents/document-responses.ts";
import { describedBatchBody, describedBatchItem } from "../batches/described-requests.ts";
import { batchListSchema, batchResultSchema, batchSchema, deletedBatchSchema } from "../batches/batch-responses.ts";
import type { FailureBody, Meta } from "../envelope.ts";
import {
  fieldSchema,
  templateDetailSchema,
  templateListSchema,
  templateSummarySchema,
} from "../templates/template-responses.ts";
import type { DescribedSchema, JsonSchema } from "../description/described-schema.ts";
import type { ComponentName, ResponseComponent } from "../description/operation.ts";
import { schemaOf } from "../description/schema-of.ts";
import { timestamp, uuid } from "../description/response-parts.ts";

const metaSchema = schemaOf<Meta>()(
  z.object({
    timestamp: timestamp.meta({ description: "When the response was made." }),
    requestId: uuid.meta({ description: "The id of the request, also sent as `X-Request-Id`." }),
  }),
);

const errorDetailSchema = schemaOf<ErrorDetail>()(
  z.object({
    path: z.string().meta({ description: "Where the problem is, for example `data.items.3.price`." }),
    line: z.int().optional().meta({ description: "The line of a file of a template." }),
    message: z.string().meta({ description: "What is allowed." }),
    customId: z.string().optional().meta({ description: "The `customId` of a wrong item of a batch, if it has one." }),
  }),
);

const failureSchema = schemaOf<FailureBody>()(
  z
    .object({
      success: z.literal(false),
      error: z.object({
        code: z.enum(errorCodes),
        message: z.string(),
        details: z
          .array(errorDetailSchema)
          .optional()
          .meta({ description: "The individual problems, if there are any." }),
      }),
      meta: metaSchema,
    })
    .meta({ description: "The body of every response that is not a success." }),
);

const components: Record<ResponseComponent, z.ZodType> = {
  Document: documentSchema,
  DocumentList: documentListSchema,
  DeletedDocument: deletedDocumentSchema,
  Batch: batchSchema,
  BatchList: batchListSchema,
  BatchResult: batchResultSchema,
  DeletedBatch: deletedBatchSchema,
  TemplateSummary: templateSummarySchema,
  TemplateList: templateListSchema,
  Template: templateDetailSchema,
  Field: fieldSchema,
  Usage: usageSchema,
  Failure: failureSchema,
  ErrorDetail: errorDetailSchema,
  Meta: metaSchema,
};

/** Returns a reference to a named schema, or the schema itself. */
export function schemaRef(schema: ComponentName | z.ZodType): JsonSchema {
  if (typeof schema === "string") return { $ref: `#/components/schemas/${schema}` };
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return made;
}

/**
 * Returns the JSON Schemas of all components. Objects in responses may have further properties, because the API only grows;
 * only the bodies of requests are closed.
 */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: "input", unrepresentable: "any" });
  const named = Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]);
  const requests = {
    CreateDocument: inputSchema(describedCreateBody),
    CreateBatch: inputSchema(describedBatchBody),
    BatchItem: inputSchema(describedBatchItem),
  };
  return { ...requests, ...Object.fromEntries(named) };
}

/**
 * Returns the JSON Schema of what a request contains. It names no defaults, which are in the descriptions: openapi-typescript
 * makes the type of a property with a default required, and a create would not compile without them.
 */
function inputSchema({ schema, properties }: DescribedSchema): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, {
    io: "input",
    unrepresentable: "any",
    override: ({ jsonSchema }) => void delete jsonSchema.default,
  });
  return { ...made, properties: describedProperties(made.properties, properties) };
}

/** Returns the JSON Schemas of query parameters. They describe what the texts stand for, for example an integer. */
export function parameterSchemas({ schema, properties }: DescribedSchema): Record<string, JsonSchema> {
  return describedProperties(z.toJSONSchema(schema, { io: "output", unrepresentable: "any" }).properties, properties);
}

function describedProperties(
  made: Record<string, unknown> = {},
  described: DescribedSchema["properties"],
): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(made).map(([name, schema]) => [name, { ...(schema as JsonSchema), ...described[name] }]),
  );
}
