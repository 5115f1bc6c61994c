// The route for a create with `Prefer: respond-async` (RFC 7240): the document is rendered after the response. Other creates pass
// on to the next route.
import { Hono } from "hono";
import { createLater } from "../../operations/batches/create-later.ts";
import { inTime } from "../../operations/documents/in-time.ts";
import type { HttpContext, HttpEnv } from "../context.ts";
import { createdResponse } from "../documents/created-response.ts";
import { createBody, idempotencyOf } from "../documents/document-requests.ts";
import { readJsonBody } from "../json-body.ts";
import { noParameters, validQuery } from "../validation.ts";

export const laterDocuments = new Hono<HttpEnv>().post("/", validQuery(noParameters), async (context, next) => {
  if (!prefersAsync(context)) return next();
  const { services, account, arrivedAt } = context.var;
  const { input, value } = await readJsonBody(context, createBody);
  const idempotency = await idempotencyOf(context, value);
  const creation = createLater(services, account, { ...input, idempotency, arrivedAt });
  context.executionCtx.waitUntil(creation.catch(() => {}));
  const created = await inTime(services, arrivedAt, creation);
  if (created.document.status === "processing") {
    context.header("Preference-Applied", "respond-async");
    context.header("Retry-After", "1");
  }
  return createdResponse(context, created, { asFile: false });
});

function prefersAsync({ req }: HttpContext): boolean {
  const preferences = (req.header("Prefer") ?? "").split(",");
  return preferences.some((preference) => preference.split(/[;=]/)[0]?.trim().toLowerCase() === "respond-async");
}
