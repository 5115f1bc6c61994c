// The description of one operation of the API. It lies beside the routes that it describes.
import type { z } from "zod";
import type { Scope } from "../../core/accounts/scopes.ts";
import type { EndedStatus } from "../../core/documents/document.ts";
import type { DescribedSchema } from "./described-schema.ts";
import type { ErrorName } from "./error-cases.ts";
import type { RequestHeader, ResponseHeader } from "./headers.ts";

export type Tag = "Documents" | "Batches" | "Templates" | "Account" | "Webhooks" | "Keys" | "Operator";

/** The named schemas of the API. */
export type ComponentName = "CreateDocument" | "CreateBatch" | "BatchItem" | ResponseComponent;
export type ResponseComponent =
  | "Document"
  | "DocumentList"
  | "DeletedDocument"
  | "Batch"
  | "BatchList"
  | "BatchResult"
  | "DeletedBatch"
  | "TemplateSummary"
  | "TemplateList"
  | "Template"
  | "Field"
  | "Usage"
  | "Failure"
  | "ErrorDetail"
  | "Meta";

/**
 * Who may call an operation: keys with this scope, test keys only if `tests` says so; or the operator. If `operator` is true, the
 * operator may call it too, for any account, below `/api/manage/v1/admin/accounts/{account}`.
 */
export type Access = { scope: Scope; tests?: true; operator?: true } | "operator";

export type ApiOperation = {
  method: "get" | "post" | "put" | "patch" | "delete";
  /** The path below the base URL, e.g. `/documents/{id}`. */
  path: string;
  operationId: string;
  access: Access;
  tag: Tag;
  summary: string;
  description: string;
  /** What the path parameter `id` is. */
  id?: string;
  /** The schema that validates the query. */
  query?: DescribedSchema;
  headers?: RequestHeader[];
  body?: ComponentName | z.ZodObject;
  /** The body in other media types. */
  bodyContent?: Record<string, object>;
  /** Headers that any response of the operation may have. */
  anyResponse?: ResponseHeader[];
  responses: SuccessResponse[];
  /** All errors that the operation can give. */
  errors: ErrorName[];
};

export type SuccessResponse = {
  status: 200 | 201 | 202 | 206 | 304;
  description: string;
  headers?: ResponseHeader[];
  /** `data` of a JSON response. */
  data?: ComponentName | z.ZodType;
  /** Other content by its media type. */
  content?: Record<string, object>;
};

/** Requests and responses that a test has recorded, for the description. */
export type Examples = {
  /** The bodies of requests by `operationId`. */
  bodies: Record<string, unknown>;
  /** JSON responses by `operationId`. */
  responses: Record<string, unknown>;
  /** Error responses by `ErrorName`. */
  errors: Record<string, unknown>;
  webhooks: Record<EndedStatus | "batchCompleted", unknown>;
};
