// The description of the routes about batches.
import { commonErrors } from "../description/error-cases.ts";
import type { ApiOperation } from "../description/operation.ts";
import { describedBatchesQuery } from "./described-requests.ts";

const id = "The id of the batch.";
const ndjson = "application/x-ndjson";

const reads = { access: { scope: "documents:read", tests: true, operator: true }, tag: "Batches" } as const;
const changes = { access: { scope: "documents", tests: true, operator: true }, tag: "Batches" } as const;
const createBatch: ApiOperation = {
  method: "post",
  path: "/batches",
  operationId: "createBatch",
  access: { scope: "documents", tests: true },
  tag: "Batches",
  summary: "Create a batch",
  description:
    "Renders many documents of one template after the response. All items are validated before that: if one is wrong, or the monthly allowance has no room for all of them, nothing is rendered, held or stored. Each item becomes a document and counts when it is completed, but not if it fails or is canceled.\n\nA JSON body has at most 1 MiB. With the type `application/x-ndjson`, the first line has the properties of the body except `items`, and each other line is an item; such a body has at most 50 MB, and `Content-Length` is required.\n\nRepeat a request with the same `Idempotency-Key` as for a document. The same NDJSON means the same bytes.",
  headers: ["Idempotency-Key"],
  body: "CreateBatch",
  bodyContent: { [ndjson]: { schema: { type: "string" } } },
  responses: [
    {
      status: 202,
      description:
        "The batch was accepted, or an earlier request with the same `Idempotency-Key` has created it. `Retry-After` says when to ask for its progress.",
      headers: ["Location", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After"],
      data: "Batch",
    },
  ],
  errors: [
    ...commonErrors,
    "invalidBatch",
    "wrongItems",
    "missingFieldsOfItems",
    "templateNotFound",
    "templateVersionNotFound",
    "repeatedBatchNotFound",
    "batchKeyInUse",
    "lengthRequired",
    "batchTooLarge",
    "unsupportedBatchBody",
    "otherBody",
    "renderLimitExceeded",
    "batchLimitExceeded",
  ],
};

const listBatches: ApiOperation = {
  method: "get",
  path: "/batches",
  operationId: "listBatches",
  ...reads,
  summary: "List batches",
  description: "Returns the batches of the account, newest first.",
  query: describedBatchesQuery,
  responses: [{ status: 200, description: "A page of the list.", headers: ["Link"], data: "BatchList" }],
  errors: commonErrors,
};

const getBatch: ApiOperation = {
  method: "get",
  path: "/batches/{id}",
  operationId: "getBatch",
  ...reads,
  summary: "Read a batch",
  description: "Returns the batch and how far it has got.",
  id,
  responses: [
    {
      status: 200,
      description: "The batch. `Retry-After` is present until it has ended.",
      headers: ["Retry-After"],
      data: "Batch",
    },
  ],
  errors: [...commonErrors, "batchNotFound"],
};

const getBatchResults: ApiOperation = {
  method: "get",
  path: "/batches/{id}/results",
  operationId: "getBatchResults",
  ...reads,
  summary: "Read the results of a batch",
  description:
    "Returns one line of JSON for each item, in the order of the request, as far as the batch has got: the schema `BatchResult`. There is no envelope.",
  id,
  responses: [
    {
      status: 200,
      description: "The results.",
      headers: ["Content-Disposition", "Cache-Control", "X-Content-Type-Options"],
      // OpenAPI 3.1 cannot say what the lines are.
      content: {
        [ndjson]: { schema: { type: "string" }, "x-item-schema": { $ref: "#/components/schemas/BatchResult" } },
      },
    },
  ],
  errors: [...commonErrors, "batchNotFound"],
};

const cancelBatch: ApiOperation = {
  method: "post",
  path: "/batches/{id}/cancel",
  operationId: "cancelBatch",
  ...changes,
  summary: "Cancel a batch",
  description:
    "Cancels the items whose render has not begun, and gives their renders back. The others are finished. A batch that has ended stays as it is.",
  id,
  responses: [{ status: 200, description: "The batch.", headers: ["Retry-After"], data: "Batch" }],
  errors: [...commonErrors, "batchNotFound"],
};

const deleteBatch: ApiOperation = {
  method: "delete",
  path: "/batches/{id}",
  operationId: "deleteBatch",
  ...changes,
  summary: "Delete a batch",
  description:
    "Removes a batch that has ended, with its data, its results and its merged files. Its documents stay: `GET /documents?batchId=` lists them.",
  id,
  responses: [{ status: 200, description: "The batch was deleted.", data: "DeletedBatch" }],
  errors: [...commonErrors, "batchNotFound", "batchNotEnded"],
};

export const batchOperations = [createBatch, listBatches, getBatch, getBatchResults, cancelBatch, deleteBatch];
