// The operations that create, list, read, cancel and delete the batches of an account.
import type { BatchState } from "../../core/batches/batch.ts";
import { createBatch } from "../../operations/batches/create-batch.ts";
import {
  batchRecordOf,
  batchResults,
  cancelBatch,
  deleteBatch,
  endBatchLinks,
  getBatch,
  listBatches,
} from "../../operations/batches/read-batches.ts";
import { setRateLimitHeaders } from "../accounts/rate-limit-headers.ts";
import type { HttpContext } from "../context.ts";
import { operation } from "../operation.ts";
import { pageResponse } from "../queries/list-response.ts";
import { listQuery } from "../validation.ts";
import { readBatchRequest } from "./batch-body.ts";

/** The recommended interval between requests for a batch's progress. */
const pollSeconds = 2;

const ndjson = "application/x-ndjson";
const reads = { access: { scope: "documents:read", tests: true, operator: true }, tag: "Batches" } as const;
const changes = { access: { scope: "documents", tests: true, operator: true }, tag: "Batches" } as const;

export const batchRows = [
  operation("createBatch", "POST /batches", {
    access: { scope: "documents", tests: true },
    tag: "Batches",
    summary: "Create a batch",
    description:
      "Renders many documents of one template after the response. All items are validated first: if an item is invalid, or the monthly allowance does not cover all items, nothing is rendered, held or stored. Each item becomes a document and counts when it is completed, but not if it fails or is canceled.\n\nA JSON body has at most 1 MiB. With the type `application/x-ndjson`, the first line has the properties of the body except `items`, and each other line is an item; such a body has at most 50 MB, and `Content-Length` is required.\n\nRequests can be repeated with the same `Idempotency-Key`, as for a document. NDJSON counts as the same only if its bytes are the same.",
    headers: ["Idempotency-Key"],
    bodyContent: {
      "application/json": { schema: { $ref: "#/components/schemas/CreateBatch" } },
      [ndjson]: { schema: { type: "string" } },
    },
    data: "Batch",
    responses: [
      {
        status: 202,
        description:
          "The batch was accepted, or an earlier request with the same `Idempotency-Key` has created it. `Retry-After` says when to ask for its progress.",
        headers: ["Location", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy", "Retry-After"],
      },
    ],
    errors: [
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
    async handle({ context, services, account }) {
      const creation = createBatch(services, account, await readBatchRequest(context));
      context.executionCtx.waitUntil(creation.catch(() => {}));
      const { state, isReplay, used } = await creation;
      const { batch } = state;
      context.header("Location", `${services.settings.baseUrl}/batches/${batch.id}`);
      if (isReplay) context.header("Idempotent-Replayed", "true");
      if (used !== null) setRateLimitHeaders(context, { used, month: batch.month });
      return record(context, state);
    },
  }),
  operation("listBatches", "GET /batches", {
    ...reads,
    summary: "List batches",
    description: "Returns the batches of the account, newest first.",
    query: listQuery,
    data: "BatchList",
    responses: [{ status: 200, description: "A page of the list.", headers: ["Link"] }],
    handle: ({ services, account, ...input }) =>
      pageResponse(
        input,
        "batches",
        (page) => listBatches(services, account, page),
        (state) => batchRecordOf(services, state),
      ),
  }),
  operation("getBatch", "GET /batches/{id}", {
    ...reads,
    summary: "Read a batch",
    description: "Returns the batch with its progress.",
    data: "Batch",
    responses: [
      {
        status: 200,
        description: "The batch. `Retry-After` is present until it has ended.",
        headers: ["Retry-After"],
      },
    ],
    errors: ["batchNotFound"],
    handle: async ({ context, services, account, param }) =>
      record(context, await getBatch(services, account, param("id"))),
  }),
  operation("getBatchResults", "GET /batches/{id}/results", {
    ...reads,
    summary: "Read the results of a batch",
    description:
      "Returns one line of JSON (schema `BatchResult`) for each item that has ended, in the order of the request. There is no envelope.",
    // OpenAPI 3.1 cannot describe the lines.
    content: {
      [ndjson]: { schema: { type: "string" }, "x-item-schema": { $ref: "#/components/schemas/BatchResult" } },
    },
    responses: [
      {
        status: 200,
        description: "The results.",
        headers: ["Content-Disposition", "Cache-Control", "X-Content-Type-Options"],
      },
    ],
    errors: ["batchNotFound"],
    async handle({ context, services, account, param }) {
      const id = param("id");
      const results = await batchResults(services, account, id);
      return context.body(results, 200, {
        "Content-Type": ndjson,
        "Content-Disposition": `attachment; filename="batch-${id.toLowerCase()}.ndjson"`,
        "Cache-Control": "private, no-cache",
        "X-Content-Type-Options": "nosniff",
      });
    },
  }),
  operation("cancelBatch", "POST /batches/{id}/cancel", {
    ...changes,
    summary: "Cancel a batch",
    description:
      "Cancels the items whose render has not begun, and releases their holds. Renders in progress are finished. A batch that has ended does not change.",
    data: "Batch",
    responses: [{ status: 200, description: "The batch.", headers: ["Retry-After"] }],
    errors: ["batchNotFound"],
    handle: async ({ context, services, account, param }) =>
      record(context, await cancelBatch(services, account, param("id"))),
  }),
  operation("endBatchLinks", "DELETE /batches/{id}/links", {
    access: { scope: "documents", tests: true },
    tag: "Batches",
    summary: "End all links to a batch's merged files",
    description:
      "Makes all links to the merged files invalid that exist now, also those in records and webhooks. The record then has new links. Links to the batch's documents stay valid.",
    data: "EndedLinks",
    responses: [{ status: 200, description: "The links are invalid." }],
    errors: ["batchNotFound"],
    handle: async ({ services, account, param }) => ({
      id: await endBatchLinks(services, account, param("id")),
      linksEnded: true as const,
    }),
  }),
  operation("deleteBatch", "DELETE /batches/{id}", {
    ...changes,
    summary: "Delete a batch",
    description:
      "Removes a batch that has ended, with its data, its results and its merged files. Its documents stay: `GET /documents?batchId=` lists them.",
    data: "DeletedBatch",
    responses: [{ status: 200, description: "The batch was deleted." }],
    errors: ["batchNotFound", "batchNotEnded"],
    handle: async ({ services, account, param }) => ({
      id: await deleteBatch(services, account, param("id")),
      deleted: true as const,
    }),
  }),
];

/** Until the batch has ended, the response says when to check again. */
function record(context: HttpContext, state: BatchState) {
  if (state.status !== "ended") context.header("Retry-After", String(pollSeconds));
  return batchRecordOf(context.var.services, state);
}
