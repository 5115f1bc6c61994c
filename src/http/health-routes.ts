// The routes of the health checks. They are outside the base URL and take no API key. The shallow check is public, so it
// calls no other part: it only shows that the Worker runs with complete variables and bindings.
import { Hono } from "hono";
import { z } from "zod";
import { unhealthy } from "../core/errors.ts";
import { checkParts } from "../operations/check-health.ts";
import { attemptOf, type HttpContext, type HttpEnv } from "./context.ts";
import { failure, success } from "./envelope.ts";
import { validQuery } from "./validation.ts";

// Unknown parameters are ignored, because monitors add parameters to avoid caches.
const healthQuery = z.object({ deep: z.literal("1", { error: "`deep` must be 1." }).optional() });

export const health = new Hono<HttpEnv>().get("/", validQuery(healthQuery), async (context) =>
  context.req.valid("query").deep ? deepCheck(context) : success(context, { status: "ok" }),
);

/** Returns a response with the state of every part. Its status is 503 if any of them failed. */
async function deepCheck(context: HttpContext): Promise<Response> {
  const parts = await checkParts(context.var.services, attemptOf(context));
  const failed = Object.entries(parts).flatMap(([name, { status }]) => (status === "failed" ? [name] : []));
  if (failed.length === 0) return success(context, { status: "ok", parts });
  return failure(context, unhealthy(failed), { data: { status: "failed", parts } });
}
