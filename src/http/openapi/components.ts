// The named schemas of the API.
import { z } from "zod";
import { planNames } from "../../core/accounts/plans.ts";
import { batchBody, batchItem } from "../batches/batch-requests.ts";
import { batchListSchema, batchResultSchema, batchSchema, deletedBatchSchema } from "../batches/batch-responses.ts";
import { attachment, invoice } from "../documents/attachment-requests.ts";
import { createBody } from "../documents/document-requests.ts";
import {
  deletedDocumentSchema,
  documentListSchema,
  documentSchema,
  endedLinksSchema,
  fileLinkSchema,
} from "../documents/document-responses.ts";
import { encryption } from "../documents/encryption-request.ts";
import { errorDetailSchema, errorSchema, timestamp, uuid } from "../response-schemas.ts";
import {
  fieldSchema,
  templateDetailSchema,
  templateListSchema,
  templateSummarySchema,
} from "../templates/template-responses.ts";

const metaSchema = z.object({
  timestamp: timestamp.meta({ description: "When the response was made." }),
  requestId: uuid.meta({ description: "The id of the request, also sent as `X-Request-Id`." }),
});

const failureSchema = z
  .object({
    success: z.literal(false),
    error: errorSchema,
    meta: metaSchema,
  })
  .meta({ description: "The body of every error response." });

const renders = z.int().min(0);

const usageSchema = z
  .object({
    plan: z.enum(planNames),
    period: z
      .string()
      .regex(/^\d{4}-\d{2}(-\d{2})?$/)
      .meta({ description: "The UTC month, for example `2026-11`; for a test key the day, such as `2026-11-21`." }),
    used: renders.meta({
      description: "Completed renders. Deleting a document does not lower this number.",
    }),
    reserved: renders.meta({ description: "Renders in progress." }),
    limit: renders.meta({ description: "The maximum number of renders per month." }),
    remaining: renders.meta({ description: "The number of renders left in the month, never below zero." }),
    resetsAt: timestamp.meta({ description: "When the next month begins." }),
  })
  .meta({ description: "The usage of the account in the current month." });

const components = {
  CreateDocument: createBody,
  CreateBatch: batchBody,
  BatchItem: batchItem,
  Encryption: encryption,
  Attachment: attachment,
  EInvoice: invoice,
  Document: documentSchema,
  DocumentList: documentListSchema,
  DeletedDocument: deletedDocumentSchema,
  FileLink: fileLinkSchema,
  EndedLinks: endedLinksSchema,
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
const names = new Map<z.ZodType, string>(Object.entries(components).map(([name, schema]) => [schema, name]));
const uri = (name: string) => `#/components/schemas/${name}`;

export type JsonSchema = Record<string, unknown>;

/** The named schemas of the API. */
export type ComponentName = keyof typeof components;
/** The type of the values that a schema describes. */
export type DataOf<D extends ComponentName | z.ZodType<object>> = z.output<
  D extends ComponentName ? (typeof components)[D] : D
>;

/** Returns a reference to a named schema, or the schema itself. */
export function schemaRef(schema: ComponentName | z.ZodType): JsonSchema {
  const name = typeof schema === "string" ? schema : names.get(schema);
  if (name !== undefined) return { $ref: uri(name) };
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" });
  return made;
}

/**
 * Returns the JSON Schemas of all components. Objects in responses may get additional properties, because the API only grows; request
 * bodies are closed. Their defaults are only in the descriptions, because openapi-typescript makes properties with a default required, and
 * a create would not compile without them.
 */
export function componentSchemas(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(components)) registry.add(schema, { id });
  const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => void delete jsonSchema["default"];
  const { schemas } = z.toJSONSchema(registry, { uri, io: "input", unrepresentable: "any", override });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _dialect, $id: _id, ...schema }]) => [name, schema]),
  );
}

/** Returns the JSON Schemas of query parameters. They describe the values after parsing, for example an integer. */
export function parameterSchemas(query: z.ZodObject): Record<string, JsonSchema> {
  const { properties } = z.toJSONSchema(query, { io: "output", unrepresentable: "any" });
  return properties as Record<string, JsonSchema>;
}
