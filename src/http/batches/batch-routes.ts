// Routes to create, list, read, cancel and delete the batches of an account.
import { Hono } from "hono";
import { batchRecord, type BatchState } from "../../core/batches/batch.ts";
import { createBatch } from "../../operations/batches/create-batch.ts";
import {
  batchResults,
  cancelBatch,
  deleteBatch,
  getBatch,
  listBatches,
} from "../../operations/batches/read-batches.ts";
import { setRateLimitHeaders } from "../accounts/rate-limit-headers.ts";
import type { HttpContext, HttpEnv } from "../context.ts";
import { success } from "../envelope.ts";
import { pageOf, paginate } from "../queries/list-response.ts";
import { noParameters, validQuery } from "../validation.ts";
import { readBatchRequest } from "./batch-body.ts";
import { batchesQuery } from "./batch-requests.ts";
import type { BatchList, DeletedBatch } from "./batch-responses.ts";

/** How often it makes sense to ask for the progress of a batch. */
const pollSeconds = 2;

export const batches = new Hono<HttpEnv>()
  .post("/", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const creation = createBatch(services, account, await readBatchRequest(context));
    context.executionCtx.waitUntil(creation.catch(() => {}));
    const { state, isReplay, used } = await creation;
    const { batch } = state;
    context.header("Location", `${services.settings.baseUrl}/batches/${batch.id}`);
    if (isReplay) context.header("Idempotent-Replayed", "true");
    if (used !== null) setRateLimitHeaders(context, { used, month: batch.month });
    return batchResponse(context, state, 202);
  })
  .get("/", validQuery(batchesQuery), async (context) => {
    const { services, account } = context.var;
    const parameters = context.req.valid("query");
    const { batches: states, ...listed } = await listBatches(services, account, pageOf(parameters));
    const items = states.map(({ batch: { createdAt, id } }) => ({ createdAt, id }));
    const pagination = paginate(context, parameters, { items, totalIsExact: true, ...listed });
    const list: BatchList = { batches: states.map(batchRecord), pagination };
    return success(context, list);
  })
  .get("/:id", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    return batchResponse(context, await getBatch(services, account, context.req.param("id")), 200);
  })
  .get("/:id/results", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const id = context.req.param("id");
    const results = await batchResults(services, account, id);
    return context.body(results, 200, {
      "Content-Type": "application/x-ndjson",
      "Content-Disposition": `attachment; filename="batch-${id.toLowerCase()}.ndjson"`,
      "Cache-Control": "private, no-cache",
      "X-Content-Type-Options": "nosniff",
    });
  })
  .post("/:id/cancel", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    return batchResponse(context, await cancelBatch(services, account, context.req.param("id")), 200);
  })
  .delete("/:id", validQuery(noParameters), async (context) => {
    const { services, account } = context.var;
    const deleted: DeletedBatch = { id: await deleteBatch(services, account, context.req.param("id")), deleted: true };
    return success(context, deleted);
  });

function batchResponse(context: HttpContext, state: BatchState, status: 200 | 202): Response {
  if (state.status !== "ended") context.header("Retry-After", String(pollSeconds));
  return success(context, batchRecord(state), status);
}
