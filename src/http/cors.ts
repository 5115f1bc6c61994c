// Lets pages of every origin use the API with a key, and read files (CORS). Browsers send no cookies, and only a page that knows a key
// can send it, so another origin has nothing to abuse.
import type { MiddlewareHandler } from "hono";
import type { HttpContext, HttpEnv } from "./context.ts";

/** The headers of responses that a page may read, in addition to the few that it may always read. */
const exposedHeaders =
  "Accept-Ranges, Allow, Content-Disposition, Content-Range, ETag, Idempotent-Replayed, Link, Location, Preference-Applied, " +
  "RateLimit, RateLimit-Policy, Retry-After, Server-Timing, WWW-Authenticate, X-Document-Id, X-Request-Id";

/** The headers of requests that the API reads. */
const allowedHeaders =
  "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, Prefer, Range";

/** The time for which browsers keep the response to a preflight. Chromium keeps it for two hours at most. */
const maxAgeSeconds = 7_200;

export const allowOrigins: MiddlewareHandler<HttpEnv> = async (context, next) => {
  context.set("allowsOrigins", true);
  context.header("Access-Control-Allow-Origin", "*");
  context.header("Access-Control-Expose-Headers", exposedHeaders);
  await next();
};

/** Returns whether a browser asks for permission to send a request. It asks without a key. */
export function isPreflight({ req, var: { allowsOrigins } }: HttpContext): boolean {
  const asks = req.header("Origin") !== undefined && req.header("Access-Control-Request-Method") !== undefined;
  return allowsOrigins === true && req.method === "OPTIONS" && asks;
}

export function preflightResponse(context: HttpContext, methods: string): Response {
  return context.body(null, 204, {
    "Access-Control-Allow-Methods": methods,
    "Access-Control-Allow-Headers": allowedHeaders,
    "Access-Control-Max-Age": String(maxAgeSeconds),
  });
}
