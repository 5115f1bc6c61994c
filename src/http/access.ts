// Decides who may call an operation. A path without a row in the descriptions of the operations is refused.
import type { MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { METHOD_NAME_ALL } from "hono/router";
import { includesScope } from "../core/accounts/scopes.ts";
import { insufficientScope, nothingHere } from "../core/errors.ts";
import { authenticate, authenticateOperator, limitRequests } from "../operations/accounts/authenticate.ts";
import { findAnyAccount, operator } from "../operations/accounts/manage-accounts.ts";
import { attemptOf, type HttpContext, type HttpEnv } from "./context.ts";
import { isPreflight } from "./cors.ts";
import { routePathOf, type Access, type ApiOperation } from "./operation.ts";

/**
 * Authenticates a request below `base`, and lets it pass if its key may call the operation. If `isFresh`, a revocation takes
 * effect immediately, so a revoked key cannot create a new key.
 */
export function requireAccess(
  base: string,
  operations: ApiOperation[],
  { isFresh = false } = {},
): MiddlewareHandler<HttpEnv> {
  const byRoute = new Map(
    operations.map((row) => [`${row.method.toUpperCase()} ${base}${routePathOf(row.path)}`, row]),
  );
  return async (context, next) => {
    if (isPreflight(context)) return next();
    if (context.req.path.startsWith(`${base}/admin/`)) await requireOperator(context);
    else await requireKey(context, isFresh);
    const route = routeOf(context);
    const operation = route && byRoute.get(`${route.method} ${route.path}`);
    context.set("operationId", operation?.operationId);
    if (route) requireScope(context, operation?.access);
    await next();
  };
}

async function requireKey(context: HttpContext, isFresh: boolean): Promise<void> {
  const { services } = context.var;
  const { account, key } = await authenticate(services, attemptOf(context), isFresh);
  context.set("account", account);
  context.set("key", key);
  context.set("actor", key.id);
  await limitRequests(services, account);
}

async function requireOperator(context: HttpContext): Promise<void> {
  await authenticateOperator(context.var.services, attemptOf(context));
  context.set("key", null);
  context.set("actor", operator);
}

function requireScope({ var: { key } }: HttpContext, access: Access | undefined): void {
  if (access === "operator" && key === null) return;
  if (!access || access === "operator" || key === null) throw nothingHere();
  if (key.isTest && !access.tests) throw insufficientScope(null);
  if (!includesScope(key.scopes, access.scope)) throw insufficientScope(access.scope);
}

/** Returns the route that will handle the request, or none for an unknown path or method, which is refused later. */
function routeOf(context: HttpContext) {
  return matchedRoutes(context).findLast(({ method }) => method !== METHOD_NAME_ALL);
}

/**
 * Makes the account in the path the account of the request. A path that names only the account is skipped, because that account may
 * be deleted.
 */
export const useAccountOfPath: MiddlewareHandler<HttpEnv> = async (context, next) => {
  if (!routeOf(context)?.path.includes("/:account/")) return next();
  context.set("account", await findAnyAccount(context.var.manage, context.req.param("account") ?? ""));
  await next();
};
