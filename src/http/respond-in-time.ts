// Responds to every request in a bounded time, even if the database or the buckets hang and each of several calls takes as long as
// it may. The handler then continues, and its outcome is ignored. Creates that have begun have a limit of their own, which comes
// first (`operations/documents/in-time.ts`).
import { CodedError } from "colophon-base/loggable-error";
import type { MiddlewareHandler } from "hono";
import { internalError } from "../core/errors.ts";
import { withinTime } from "colophon-base/deadline";
import { isLongRequest, maxRequestMs } from "../core/long-requests.ts";
import type { HttpEnv } from "./context.ts";
import { failure } from "./envelope.ts";

/** The time beyond the time limit of a create. */
const graceMs = 900;

export const respondInTime: MiddlewareHandler<HttpEnv> = async (context, next) => {
  const { settings } = context.var.services;
  const limitMs = isLongRequest(context.req.method, context.req.path)
    ? maxRequestMs
    : settings.renderBudgetMs + graceMs;
  return withinTime(limitMs, next(), () => failure(context, internalError(new CodedError("timeout: the handler"))));
};
