// The entry for programs that manage templates, keys and webhooks, or the whole service as its operator. Its requests and their
// types come from the API's description, by method and path. Requests are not retried, because most of them have no idempotency
// key.
import type { requests as documentRequests } from "./api.generated.ts";
import { settingsOf, type ClientOptions } from "./client-settings.ts";
import type { requests } from "./manage.generated.ts";
import { allItems, type ItemOf } from "./pages.ts";
import { pathPart, queryString, type QueryValue } from "./query.ts";
import { given, transport, trusted, type ApiRequest, type ReceivedFile, type RequestOptions } from "./transport.ts";

export { ColophonError, type ClientErrorCode, type ColophonErrorCode } from "./errors.ts";

/**
 * The requests for the templates, keys and webhooks of an account. Base URL: `/api/manage/v1`, or the base URL of an account for
 * the operator.
 */
export type AccountRequests = Omit<requests, `${string} /admin/${string}`>;
/** The requests of the operator for the whole service. Base URL: `/api/manage/v1/admin`. */
export type OperatorRequests = {
  [R in keyof requests as R extends `${infer Method} /admin${infer Path}` ? `${Method} ${Path}` : never]: requests[R];
};
/** The main entry's requests in the same form. Base URL: `/api/v1`, or the base URL of an account for the operator. */
export interface DocumentRequests extends documentRequests {}

type Operation = { parameters: { query?: unknown; header?: unknown; path?: unknown }; responses: object };
type Limits = Pick<RequestOptions, "signal" | "timeoutMs">;
/** A file is sent as a `Blob`, whose type is its media type. */
type Sent<C> = C extends { "application/json": infer Json } ? Json : Blob;
type Body<O> = O extends { requestBody: { content: infer C } }
  ? { body: Sent<C> }
  : O extends { requestBody?: infer B }
    ? { body?: NonNullable<B> extends { content: infer C } ? Sent<C> : never }
    : { body?: never };
type Input<O> = O extends Operation ? Limits & Pick<O["parameters"], "query" | "header" | "path"> & Body<O> : never;
type Arguments<O> = object extends Input<O> ? [input?: Input<O>] : [input: Input<O>];
type Content<O> = O extends { responses: infer R } ? R[keyof R] : never;

/** The `data` of the response to a request. */
export type DataOf<O> = Content<O> extends { content: { "application/json": infer Data } } ? Data : never;

/** The records of accounts and of the operator, as the API describes them. */
export type TemplateRecord = ItemOf<DataOf<requests["GET /templates"]>>;
export type VersionRecord = ItemOf<DataOf<requests["GET /templates/{template}/versions"]>>;
export type KeyRecord = ItemOf<DataOf<requests["GET /keys"]>>;
export type WebhookRecord = ItemOf<DataOf<requests["GET /webhooks"]>>;
export type EventRecord = ItemOf<DataOf<requests["GET /events"]>>;
export type UsageDay = DataOf<requests["GET /usage/days"]>["days"][number];
export type AccountRecord = ItemOf<DataOf<requests["GET /admin/accounts"]>>;
export type PlanRecord = DataOf<requests["GET /admin/plans"]>["plans"][number];

/** The argument of `createManageClient`. `baseUrl` is the base URL of the requests `R`. `timeoutMs` is 30 seconds by default. */
export type ManageOptions = Omit<ClientOptions, "maxRetries" | "totalTimeoutMs">;

/** Sends the requests `R`, such as `call("GET /keys", { query: { limit: 10 } })`. All methods throw a `ColophonError`. */
export type ManageClient<R> = {
  /** Returns the `data` of the response. */
  call<K extends keyof R & string>(request: K, ...input: Arguments<R[K]>): Promise<DataOf<R[K]>>;
  /** All items of a list, fetched page by page. */
  list<K extends keyof R & `GET ${string}`>(request: K, ...input: Arguments<R[K]>): AsyncIterable<ItemOf<DataOf<R[K]>>>;
  /** Returns a file after receiving all of it. */
  file<K extends keyof R & `GET ${string}`>(request: K, ...input: Arguments<R[K]>): Promise<ReceivedFile>;
};

type AnyInput = Limits & {
  path?: Record<string, string | number>;
  query?: Record<string, QueryValue>;
  header?: Record<string, string | undefined>;
  body?: object;
};

/** Returns a client for the requests `R` below the base URL. Nothing is sent until a method is called. */
export function createManageClient<R = AccountRequests>(options: ManageOptions): ManageClient<R> {
  const api = transport({ ...settingsOf(options), maxRetries: 0, totalTimeoutMs: Infinity });
  const call = async (request: string, input: AnyInput = {}) => api.json<never>(apiRequest(request, input), input);
  const list = (request: string, input: AnyInput = {}) =>
    allItems((query) => call(request, { ...input, query }), input.query ?? {});
  const file = async (request: string, input: AnyInput = {}) => api.file(apiRequest(request, input), input);
  return trusted({ call, list, file });
}

function apiRequest(request: string, { path = {}, query = {}, header = {}, body }: AnyInput): ApiRequest {
  const [method = "", template = ""] = request.split(" ");
  const filled = template.replace(/\{(\w+)\}/g, (_, name: string) => pathPart(name, path[name]));
  const type = body instanceof Blob ? { "Content-Type": body.type } : {};
  return {
    method,
    path: filled + queryString(query),
    headers: { ...type, ...given(header) },
    ...(body && { body: body instanceof Blob ? body : JSON.stringify(body) }),
  };
}
