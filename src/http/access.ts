// Decides who may call an operation. Only the descriptions of operations add routes, so every route has a rule.
import type { MiddlewareHandler } from "hono";
import { includesScope, type Scope } from "../core/accounts/scopes.ts";
import { insufficientScope, nothingHere } from "../core/errors.ts";
import { authenticate, authenticateOperator, limitRequests } from "../operations/accounts/authenticate.ts";
import { findAnyAccount, operator } from "../operations/accounts/manage-accounts.ts";
import { attemptOf, type HttpContext, type HttpEnv } from "./context.ts";
import { isPreflight } from "./cors.ts";

/**
 * Who may call an operation: keys with this scope (test keys only if `tests` allows it), or the operator. If `operator` is true,
 * the operator may also call it for any account, below `/api/manage/v1/admin/accounts/{account}`.
 */
export type Access = { scope: Scope; tests?: true; operator?: true } | "operator";

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

type Operation = { operationId: string; access: Access; path: string };

/**
 * Lets a request pass if its key may call the operation, and makes the account in the path the account of the request. A path that
 * ends with the account is left out, because that account may be deleted.
 */
export function admit({ operationId, access, path }: Operation): MiddlewareHandler<HttpEnv> {
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
