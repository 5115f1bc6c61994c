// Calls the API of a running service over HTTP, as a customer does. Every call has a deadline, and no redirect is followed,
// so that a key is sent to no other host.
import { isObject, parseJson } from "../untrusted-json.ts";

/** The response of an API call. `data` and `errorCode` are read from the envelope. */
export type ApiResponse = {
  status: number;
  headers: Headers;
  data: Record<string, unknown>;
  errorCode: string | null;
  errorMessage: string | null;
};

export type ApiRequest = {
  method?: "GET" | "POST" | "DELETE";
  /** The value of the Authorization header after `Bearer `. */
  bearer?: string;
  body?: unknown;
  headers?: Record<string, string>;
};

export type ServiceClient = {
  origin: string;
  /** Calls a path below the base URL, for example `/documents`. Throws if the response has no envelope. */
  api(path: string, request?: ApiRequest): Promise<ApiResponse>;
  /** Calls a path of the origin, for example `/healthz`. Throws if the response has no envelope. */
  call(path: string, request?: ApiRequest): Promise<ApiResponse>;
};

/** Longer than a create may take. */
const timeoutMs = 45_000;

export function serviceClient(baseUrl: string): ServiceClient {
  const { origin, pathname } = new URL(baseUrl);
  const call = (path: string, request: ApiRequest = {}) => send(`${origin}${path}`, request);
  return { origin, call, api: (path, request) => call(`${pathname}${path}`, request) };
}

async function send(url: string, { method = "GET", bearer, body, headers = {} }: ApiRequest): Promise<ApiResponse> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }),
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  }).catch((error: Error) => {
    throw new Error(`${url} does not respond: ${error.cause instanceof Error ? error.cause.message : error.message}`);
  });
  const envelope = parseJson(await response.text());
  if (!isObject(envelope) || typeof envelope["success"] !== "boolean")
    throw new Error(`the response of ${url} with status ${response.status} is not from this service`);
  const error = isObject(envelope["error"]) ? envelope["error"] : {};
  return {
    status: response.status,
    headers: response.headers,
    data: isObject(envelope["data"]) ? envelope["data"] : {},
    errorCode: typeof error["code"] === "string" ? error["code"] : null,
    errorMessage: typeof error["message"] === "string" ? error["message"] : null,
  };
}

/** Downloads a file without a key, as the reader of a document does. */
export async function download(url: string, bearer?: string): Promise<{ type: string; bytes: Uint8Array }> {
  const response = await fetch(url, {
    headers: bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` },
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new Error(`${new URL(url).host} does not serve the file: status ${response.status}`);
  return { type: response.headers.get("Content-Type") ?? "", bytes: new Uint8Array(await response.arrayBuffer()) };
}
