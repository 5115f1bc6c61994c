// The envelope around every JSON response body.
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { internalError, ServiceError } from "../core/errors.ts";
import { shownError } from "../core/shown-error.ts";
import type { HttpContext } from "./context.ts";
import { errorHeaders, statusOf } from "./error-status.ts";
import type { DataOf } from "./openapi/components.ts";

export function success(context: HttpContext, data: object, status: 200 | 201 | 202 = 200): Response {
  return context.json({ success: true, data, meta: meta(context) }, status);
}

type Additions = { headers?: Record<string, string>; data?: object };

/**
 * Returns a response with the failure envelope for a thrown value. If the value is not a `ServiceError`, the service is at fault: the
 * caller gets a general message, and the cause is logged. `headers` are sent in addition to the headers of the error, and `data` in
 * addition to the error. A refusal that has a cause may hide a fault, so it is also logged.
 */
export function failure(context: HttpContext, thrown: unknown, { headers = {}, data }: Additions = {}): Response {
  const error = thrown instanceof ServiceError ? thrown : internalError(thrown);
  context.set("errorCode", error.code);
  const status = statusOf(error);
  if (status >= 500 || error.cause !== undefined) logFailure(context, error);
  for (const [name, value] of Object.entries({ ...errorHeaders(error), ...headers })) context.header(name, value);
  const body: DataOf<"Failure"> = {
    success: false,
    ...(data && { data }),
    error: shownError(error),
    meta: meta(context),
  };
  return context.json(body, status as ContentfulStatusCode);
}

/** Logs a failed request. A refusal without a cause is not a fault, and there may be many, so it is logged without a stack. */
function logFailure(context: HttpContext, error: ServiceError): void {
  const { log, requestId } = context.var;
  const { code, retryAfterSeconds, cause } = error;
  if (retryAfterSeconds !== undefined && cause === undefined)
    return log("info", { event: "request.refused", requestId, code, retryAfterSeconds });
  log("error", { event: "request.failed", requestId, code, cause: cause ?? error });
}

function meta(context: HttpContext): DataOf<"Meta"> {
  return { timestamp: new Date().toISOString(), requestId: context.var.requestId };
}
