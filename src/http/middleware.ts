// The steps that every request passes: plain http is refused, the time of a response is limited, and unread bodies are drained.
import type { MiddlewareHandler } from "hono";
import { withinTime } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { isLoopbackHost } from "colophon-base/service-url";
import { internalError, ServiceError } from "../core/errors.ts";
import type { HttpEnv, HttpContext } from "./context.ts";
import { failure } from "./envelope.ts";
import { isLongRequest, maxRequestBytes, maxRequestMs } from "./long-requests.ts";

const httpsRequired = new ServiceError(
  "HTTPS_REQUIRED",
  "Use https. A key in this request was sent in the clear and counts as leaked: revoke it, and create a new one.",
);

/**
 * Refuses requests over http, because anyone on the network path could read their keys, and tells browsers to use only https for
 * this host. Requests from this machine itself are accepted.
 */
export const requireHttps: MiddlewareHandler<HttpEnv> = async (context, next) => {
  // Browsers ignore it in responses over http. It excludes subdomains, which may belong to others.
  context.header("Strict-Transport-Security", "max-age=31536000");
  const { protocol, hostname } = new URL(context.req.url);
  if (protocol !== "https:" && !isLoopbackHost(hostname)) return failure(context, httpsRequired);
  await next();
};

/** The time that is added to the time limit of a create. */
const graceMs = 900;

/**
 * Responds to every request in a bounded time, even if the database or the buckets hang and each of several calls uses its full
 * time. The handler then continues, and its outcome is ignored. Creates that have begun have a separate, shorter limit
 * (`operations/documents/in-time.ts`).
 */
export const respondInTime: MiddlewareHandler<HttpEnv> = async (context, next) => {
  const { settings } = context.var.services;
  const limitMs = isLongRequest(context.req.method, context.req.path)
    ? maxRequestMs
    : settings.renderBudgetMs + graceMs;
  return withinTime(limitMs, next(), () => failure(context, internalError(new CodedError("timeout: the handler"))));
};

/** A client that sends more slowly, or more than `maxRequestBytes`, may lose the response. */
const maxUnreadMs = 5_000;

/**
 * Reads the rest of a refused request's body. If more than 64 KiB remain, the runtime closes the connection shortly after the
 * response, and a client that is still sending sees a broken connection instead of the error.
 */
export const readUnreadBody: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  if (context.res.status < 400) return;
  // A client that has disconnected needs no response.
  await withinTime(maxUnreadMs, readRest(context), () => {}).catch(() => {});
};

async function readRest({ req, var: { endReading } }: HttpContext): Promise<void> {
  await endReading?.();
  const { body } = req.raw;
  if (!body || body.locked) return;
  const reader = body.getReader({ mode: "byob" });
  let buffer = new ArrayBuffer(256 * 1024);
  for (let bytes = 0; bytes < maxRequestBytes;) {
    const { done, value } = await reader.readAtLeast(buffer.byteLength, new Uint8Array(buffer));
    if (done) return;
    bytes += value.length;
    buffer = value.buffer;
  }
}
