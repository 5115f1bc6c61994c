// Decides who may call an operation. Only the descriptions of operations add routes, so every route has a rule.
import { Hono, type MiddlewareHandler } from "hono";
import { includesScope } from "../core/accounts/scopes.ts";
import { insufficientScope, nothingHere } from "../core/errors.ts";
import { authenticate, authenticateOperator, limitRequests } from "../operations/accounts/authenticate.ts";
import { findAnyAccount, operator } from "../operations/accounts/manage-accounts.ts";
import { attemptOf, type HttpContext, type HttpEnv } from "./context.ts";
import { isPreflight } from "./cors.ts";
import type { Access, ApiOperation } from "./operation.ts";

/**
 * Authenticates a request below `base`. If `isFresh`, a revocation takes effect immediately, so a revoked key cannot create a
 * new key.
 */
export function requireAccess(base: string, { isFresh = false } = {}): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    if (isPreflight(context)) return next();
    if (context.req.path.startsWith(`${base}/admin/`)) await requireOperator(context);
    else await requireKey(context, isFresh);
    await next();
  };
}

async function requireKey(context: HttpContext, isFresh: boolean): Promise<void> {
  const { services } = context.var;
  const { account, key } = await authenticate(services, attemptOf(context), { isFresh });
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

/** Each route begins with the rule of its operation. */
export function routesOf(rows: ApiOperation[]): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  for (const row of rows) {
    const pattern = row.path.replace(/\{(\w+)\}/g, ":$1");
    routes.on(row.method.toUpperCase(), pattern, admit(row), row.validateQuery, row.respond);
  }
  return routes;
}

/**
 * Lets a request pass if its key may call the operation, and makes the account in the path the account of the request. A path that
 * ends with the account is left out, because that account may be deleted.
 */
function admit({ operationId, access, path }: ApiOperation): MiddlewareHandler<HttpEnv> {
  return async (context, next) => {
    context.set("operationId", operationId);
    requireScope(context, access);
    if (path.includes("/{account}/"))
      context.set("account", await findAnyAccount(context.var.manage, context.req.param("account") ?? ""));
    await next();
  };
}

function requireScope({ var: { key } }: HttpContext, access: Access): void {
  if (access === "operator" && key === null) return;
  if (access === "operator" || key === null) throw nothingHere();
  if (key.isTest && !access.tests) throw insufficientScope(null);
  if (!includesScope(key.scopes, access.scope)) throw insufficientScope(access.scope);
}
