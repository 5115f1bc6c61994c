// Logs every request when its response is ready, and reports the duration of each stage to the caller of a create.
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import type { StageTimes } from "../core/observation/stage-clock.ts";
import { operator } from "../operations/accounts/manage-accounts.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

/** The methods that are logged by name. Callers can make up others. */
const knownMethods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/**
 * A create gets `Server-Timing` only after it has asked for a hold, because responses about a missing template and about
 * another account's template must not differ.
 */
export const observe: MiddlewareHandler<HttpEnv> = async (context, next) => {
  await next();
  const entry = entryOf(context);
  if ("reserve" in entry.stages) context.header("Server-Timing", serverTiming(entry));
  context.var.log("info", { event: "request.ended", ...entry });
  if (context.var.actor === operator) context.var.log("info", { event: "operator.acted", ...operatorEntry(context) });
};

/** Contains ids, constants and numbers, never text from a caller. docs/operations.md explains each property. */
function entryOf(context: HttpContext) {
  const { services, account, trace, arrivedAt, errorCode } = variablesOf(context);
  return {
    requestId: context.var.requestId,
    accountId: account?.id ?? null,
    documentId: trace?.documentId ?? null,
    method: methodOf(context),
    route: routeOf(context),
    status: context.res.status,
    code: errorCode ?? null,
    totalMs: services && arrivedAt !== undefined ? services.now() - arrivedAt : 0,
    requestBytes: statedLength(context),
    stages: trace?.clock.times() ?? {},
  };
}

function methodOf({ req: { method } }: HttpContext): string {
  return knownMethods.has(method) ? method : "other";
}

/** Logs an action of the operator. This line remains when the data of a deleted account is removed. */
function operatorEntry(context: HttpContext) {
  const { requestId, account, operationId, createdAccountId } = variablesOf(context);
  const [, inPath = ""] = /\/admin\/accounts\/([\da-f-]{36}(?:-test)?)(?:\/|$)/i.exec(context.req.path) ?? [];
  const accountId = account?.id ?? createdAccountId ?? (inPath || null);
  const method = methodOf(context);
  return { requestId, method, operationId: operationId ?? null, accountId, status: context.res.status };
}

/** A request may fail before it is authenticated, or even before its services are created. */
function variablesOf(context: HttpContext): Partial<HttpEnv["Variables"]> {
  return context.var;
}

/** Returns the pattern of the route, never the path itself. Patterns with a wildcard belong to middleware. */
function routeOf(context: HttpContext): string | null {
  const route = matchedRoutes(context).findLast(({ path }) => !path.includes("*"));
  return route?.path ?? null;
}

function statedLength({ req }: HttpContext): number | null {
  const header = req.header("Content-Length") ?? "";
  return /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Returns the value of the header `Server-Timing`, e.g. `authentication;dur=3, template;dur=12, total;dur=80`. */
function serverTiming({ stages, totalMs }: { stages: StageTimes; totalMs: number }): string {
  const metrics = Object.entries({ ...stages, total: totalMs });
  return metrics.map(([name, ms]) => `${name};dur=${ms}`).join(", ");
}
