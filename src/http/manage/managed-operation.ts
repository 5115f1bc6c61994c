// An operation of the management API: one row has its path, who may call it, its description and what it does. The routes, the
// OpenAPI document and the check of access are made from these rows.
import { Hono } from "hono";
import { z } from "zod";
import type { Account } from "../../core/accounts/account.ts";
import type { Listed } from "../../ports/accounts.ts";
import type { OperatorServices, Services } from "../../ports/services.ts";
import type { HttpContext, HttpEnv } from "../context.ts";
import { commonErrors, type ErrorName } from "../description/error-cases.ts";
import type { ResponseHeader } from "../description/headers.ts";
import type { ApiOperation } from "../description/operation.ts";
import { pagination } from "../description/response-parts.ts";
import { success } from "../envelope.ts";
import { readJsonBody } from "../json-body.ts";
import { describedPageQuery } from "../queries/described-page-query.ts";
import { pageOf, paginate, type PageParameters } from "../queries/list-response.ts";
import { noParameters, oneStart, pageQuery, validQuery } from "../validation.ts";

export type ManagedInput<Q = object, B = object> = {
  context: HttpContext;
  services: Services;
  manage: OperatorServices;
  /** The account of the key or, below `/admin/accounts/{account}`, that of the path. */
  account: Account;
  /** The id of the key, or `operator`. */
  actor: string;
  /** Returns a parameter of the path. */
  param(name: string): string;
  query: Q;
  body: B;
};

type Row<Q extends z.ZodObject, B extends z.ZodObject> = Pick<
  ApiOperation,
  "method" | "path" | "operationId" | "access" | "tag" | "summary" | "headers" | "bodyContent"
> & {
  description?: string;
  query?: Q;
  body?: B;
  /** The schema of `data`, or the media type of a response that is a file. */
  data: z.ZodType | string;
  /** The statuses of a success. Only `handle` can choose another than the first one. */
  statuses?: (200 | 201)[];
  errors?: ErrorName[];
  sentHeaders?: ResponseHeader[];
  /** Returns `data`, or a response that is a file or has another status. */
  handle(input: ManagedInput<z.output<Q>, z.output<B>>): Promise<object>;
};

export type ManagedOperation = ApiOperation & {
  validateQuery: ReturnType<typeof validQuery>;
  respond(context: HttpContext): Promise<Response>;
};

const bodyErrors: ErrorName[] = ["invalidJson", "bodyTooLarge", "unsupportedBody"];
/** What the operator cannot meet. */
const keyErrors: ErrorName[] = ["apiAccessDenied", "insufficientScope"];

export function operation<Q extends z.ZodObject = z.ZodObject, B extends z.ZodObject = z.ZodObject>(
  row: Row<Q, B>,
): ManagedOperation {
  const { query, body, data, statuses = [200], errors = [], sentHeaders = [], handle, ...described } = row;
  const all: ErrorName[] = [...commonErrors, ...(body ? bodyErrors : []), ...errors];
  const file = { [String(data)]: { schema: { type: "string", format: "binary" } } };
  return {
    ...described,
    description: row.description ?? `${row.summary}.`,
    ...(query && { query: { schema: query, properties: describedPageQuery } }),
    ...(body && { body }),
    responses: statuses.map((status) => ({
      status,
      description: status === 201 ? "It was created." : "It succeeded.",
      headers: [...(row.operationId.startsWith("list") ? ["Link" as const] : []), ...sentHeaders],
      ...(typeof data === "string" ? { content: file } : { data }),
    })),
    errors: row.access === "operator" ? all.filter((name) => !keyErrors.includes(name)) : all,
    validateQuery: validQuery(query ?? noParameters),
    async respond(context) {
      const { services, manage, account, actor } = context.var;
      const input = {
        ...{ context, services, manage, account, actor },
        param: (name: string) => context.req.param(name) ?? "",
        // What the validator of this route has returned.
        query: context.req.valid("query" as never) as z.output<Q>,
        body: body ? (await readJsonBody(context, body)).input : ({} as z.output<B>),
      };
      const result = await handle(input);
      return result instanceof Response ? result : success(context, result, statuses[0]);
    },
  };
}

/** Returns the routes of the rows. */
export function routesOf(rows: ManagedOperation[]): Hono<HttpEnv> {
  const routes = new Hono<HttpEnv>();
  for (const { method, path, validateQuery, respond } of rows)
    routes.on(method.toUpperCase(), routePathOf(path), validateQuery, respond);
  return routes;
}

/** Returns a path of the description as a path of a route. */
export function routePathOf(path: string): string {
  return path.replace(/\{(\w+)\}/g, ":$1");
}

export const listQuery = z.strictObject(pageQuery).refine(...oneStart);

/** Returns the schema of a list whose items have this name. */
export function listOf<T extends z.ZodType>(name: string, item: T) {
  return z.object({ [name]: z.array(item).meta({ description: "Newest first." }), pagination });
}

/** Returns the page that the query asks for, as `data` with its `pagination`. */
export async function pageResponse<T extends { createdAt: number; id: string }, R>(
  { context, query }: { context: HttpContext; query: PageParameters },
  name: string,
  read: (page: ReturnType<typeof pageOf>) => Promise<Listed<T>>,
  toRecord: (item: T) => R,
): Promise<object> {
  const listed = await read(pageOf(query));
  const shown = paginate(context, query, { ...listed, totalIsExact: true });
  return { [name]: listed.items.map(toRecord), pagination: shown };
}
