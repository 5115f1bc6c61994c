// An operation of the API: one row contains its path, its access rule, its description and its handler. The routes, the access check and
// the OpenAPI documents are generated from these rows.
import type { z } from "zod";
import type { Account } from "../core/accounts/account.ts";
import type { Scope } from "../core/accounts/scopes.ts";
import type { OperatorServices, Services } from "../ports/services.ts";
import type { HttpContext } from "./context.ts";
import { success } from "./envelope.ts";
import { readJsonBody } from "./json-body.ts";
import type { ComponentName, DataOf } from "./openapi/components.ts";
import type { ErrorName } from "./openapi/error-cases.ts";
import type { RequestHeader, ResponseHeader } from "./openapi/headers.ts";
import type { MaxBody } from "./read-body.ts";
import { noParameters, validQuery } from "./validation.ts";

export type Tag = "Documents" | "Batches" | "Templates" | "Account" | "Webhooks" | "Keys" | "Operator";

/**
 * Who may call an operation: keys with this scope (test keys only if `tests` allows it), or the operator. If `operator` is true,
 * the operator may also call it for any account, below `/api/manage/v1/admin/accounts/{account}`.
 */
export type Access = { scope: Scope; tests?: true; operator?: true } | "operator";

/** OpenAPI media type objects, by media type. */
type Content = Record<string, object>;

type SuccessResponse = {
  status: 200 | 201 | 202 | 206 | 304;
  description: string;
  headers?: ResponseHeader[];
};

/** A method, and a path below the base URL. */
type Route = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

type Described = {
  access: Access;
  tag: Tag;
  summary: string;
  headers?: RequestHeader[];
  /** Whether a request without a body is valid, and the same as one with `{}`. */
  isBodyOptional?: true;
  /** A body that `handle` reads itself. */
  bodyContent?: Content;
  /** The content of successful responses other than JSON with `data`. */
  content?: Content;
  /** Headers that any response of the operation may have. */
  anyResponse?: ResponseHeader[];
};

export type OperationInput<Q = object, B = object> = {
  context: HttpContext;
  services: Services;
  /** Present in the management API. */
  manage: OperatorServices;
  /** The account of the key or, below `/admin/accounts/{account}`, the account in the path. */
  account: Account;
  /** The id of the key, or `operator`. */
  actor: string;
  /** Returns a parameter of the path. */
  param(name: string): string;
  query: Q;
  body: B;
  /** The JSON body as it was sent. */
  sentBody: unknown;
};

type Row<Q extends z.ZodObject, B extends z.ZodObject, D extends ComponentName | z.ZodType<object>> = Described & {
  /** By default, the summary. */
  description?: string;
  query?: Q;
  body?: B;
  /** The size of the largest body of this request, if it may have more than 1 MiB. */
  maxBody?(context: HttpContext): MaxBody | undefined;
  /** The schema of `data`, or its name. */
  data?: D;
  /** The first one is the default; `handle` can return a different response. */
  responses?: [SuccessResponse & { status: 200 | 201 | 202 }, ...SuccessResponse[]];
  /** The errors of this operation in addition to the errors that all operations have. */
  errors?: ErrorName[];
  handle(input: OperationInput<z.output<Q>, z.output<B>>): Promise<DataOf<D> | Response>;
};

export type ApiOperation = Described & {
  operationId: string;
  /** In lower case. */
  method: string;
  path: string;
  description: string;
  query?: z.ZodObject;
  body?: z.ZodObject;
  data?: ComponentName | z.ZodType;
  responses: SuccessResponse[];
  /** All possible errors of the operation. */
  errors: ErrorName[];
  validateQuery: ReturnType<typeof validQuery>;
  respond(context: HttpContext): Promise<Response>;
};

/** The errors that do not apply to the operator. */
const keyErrors: ErrorName[] = ["apiAccessDenied", "insufficientScope"];
const commonErrors: ErrorName[] = [
  "invalidQuery",
  "invalidApiKey",
  ...keyErrors,
  "tooManyRequests",
  "internalError",
  "serviceUnavailable",
];
const bodyErrors: ErrorName[] = ["invalidJson", "bodyTooLarge", "unsupportedBody"];

/** Returns the operation of a route such as `GET /documents/{id}`. */
export function operation<
  Q extends z.ZodObject = z.ZodObject,
  B extends z.ZodObject = z.ZodObject,
  D extends ComponentName | z.ZodType<object> = never,
>(operationId: string, route: Route, { handle, maxBody, ...row }: Row<Q, B, D>): ApiOperation {
  const [method = "", path = ""] = route.split(" ");
  const { query, body, isBodyOptional, errors = [], responses = [defaultResponse(operationId)] } = row;
  return {
    ...row,
    operationId,
    method: method.toLowerCase(),
    path,
    description: row.description ?? `${row.summary}.`,
    responses,
    errors: errorsOf(row.access, [...commonErrors, ...(body ? bodyErrors : []), ...errors]),
    validateQuery: validQuery(query ?? noParameters),
    async respond(context) {
      const { services, manage, account, actor } = context.var;
      const read = body && (await readJsonBody(context, body, { max: maxBody?.(context), isOptional: isBodyOptional }));
      const result = await handle({
        context,
        services,
        manage,
        account,
        actor,
        param: (name: string) => context.req.param(name) ?? "",
        // The value that the validator of this route returned.
        query: context.req.valid("query" as never) as z.output<Q>,
        body: read?.input ?? ({} as z.output<B>),
        sentBody: read?.value,
      });
      return result instanceof Response ? result : success(context, result, responses[0].status);
    },
  };
}

function defaultResponse(operationId: string) {
  const headers: ResponseHeader[] = operationId.startsWith("list") ? ["Link"] : [];
  return { status: 200 as const, description: "It succeeded.", headers };
}

/** Leaves out the general body error if the operation describes that error itself, and key errors for the operator. */
function errorsOf(access: Access, names: ErrorName[]): ErrorName[] {
  const omitted: ErrorName[] = names.includes("invalidBody") ? ["invalidJson"] : [];
  if (access === "operator") omitted.push(...keyErrors);
  return names.filter((name) => !omitted.includes(name));
}

/** Returns the operation that the operator calls for an account, below `path`. */
export function forOperator(row: ApiOperation, path: string): ApiOperation {
  const operationId = `admin${row.operationId.charAt(0).toUpperCase()}${row.operationId.slice(1)}`;
  const errors = errorsOf("operator", [...row.errors, "accountNotFound"]);
  return { ...row, path: path + row.path, operationId, access: "operator", tag: "Operator", errors };
}

/** Returns the content of a file of one of these media types. */
export function fileContent(...types: string[]): Content {
  return Object.fromEntries(types.map((type) => [type, { schema: { type: "string", format: "binary" } }]));
}
