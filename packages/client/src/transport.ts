// Sends requests to the API. Each attempt has a time limit, and temporary failures are retried. Every failure is thrown as a
// `ColophonError`, except that an aborted signal's reason is thrown unchanged.
import { checkLimits, inTime, pause, type TimeLimit } from "./deadline.ts";
import { complete, dataOf, failureOf, readEnvelope } from "./envelope.ts";
import { ColophonError, connectionFailed } from "./errors.ts";
import { isTemporary, retryDelayMs } from "./retry.ts";

/** The last argument of every method. */
export type RequestOptions = {
  /** Aborts the request. The method then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** The maximum time of one attempt in ms; 30,000 by default. The service responds within 26 seconds. */
  timeoutMs?: number;
  /** The maximum number of retries after temporary failures. By default, only `totalTimeoutMs` limits them. */
  maxRetries?: number;
  /** The maximum time of all attempts and the pauses between them in ms; 90,000 by default. */
  totalTimeoutMs?: number;
};

export type TransportSettings = Required<Omit<RequestOptions, "signal">> & {
  /** Without a trailing slash. */
  baseUrl: string;
  apiKey: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** A number from 0 to 1. */
  random: () => number;
};

export type ApiRequest = {
  method: string;
  /** The path below the base URL, with its query. */
  path: string;
  /** JSON, unless a header says otherwise. Its length is known, so that the request has a `Content-Length`. */
  body?: string | Blob;
  headers?: Record<string, string>;
  /** Called with each failure that is followed by a retry. */
  onRetry?: (error: ColophonError) => void;
  /** Called with the headers of a successful response. */
  onSuccess?: (headers: Headers) => void;
};

/** A file with the headers of its response. */
export type ReceivedFile = { blob: Blob; headers: Headers };

export type Transport = {
  /** Sends the request, and returns the `data` of the response. */
  json<T>(request: ApiRequest, options?: RequestOptions): Promise<T>;
  /** Sends the request, and returns the response as soon as its headers have arrived. Its status is 2xx. */
  response(request: ApiRequest, options?: RequestOptions): Promise<Response>;
  /** Sends the request, and returns the body and headers of the response after receiving all of it. */
  file(request: ApiRequest, options?: RequestOptions): Promise<ReceivedFile>;
  settings: TransportSettings;
};

export function transport(settings: TransportSettings): Transport {
  const send = <T>(request: ApiRequest, options: RequestOptions, read: (response: Response) => Promise<T>) =>
    withRetries({ ...settings, ...given(options), onRetry: request.onRetry }, (limit) =>
      inTime(limit, async (signal) => read(await fetchResponse(settings, request, signal))),
    );
  return {
    settings,
    json: (request, options = {}) =>
      send(withAccept(request, "application/json"), options, async (response) => {
        const data = dataOf(response, await readEnvelope(response));
        request.onSuccess?.(response.headers);
        return trusted(data);
      }),
    response: (request, options = {}) => send(request, options, successful),
    file: (request, options = {}) =>
      send(request, options, async (response) => {
        const { headers } = await successful(response);
        return { blob: await complete(response.blob()), headers };
      }),
  };
}

async function successful(response: Response): Promise<Response> {
  if (!response.ok) throw failureOf(response, await readEnvelope(response));
  return response;
}

/** Drops undefined values, so that they do not override the client's settings. */
export function given<T extends object>(values: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  return trusted(Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)));
}

type RetrySettings = Pick<TransportSettings, "timeoutMs" | "maxRetries" | "totalTimeoutMs" | "random"> &
  Pick<RequestOptions, "signal"> & { onRetry: ApiRequest["onRetry"] };

async function withRetries<T>(settings: RetrySettings, attempt: (limit: TimeLimit) => Promise<T>): Promise<T> {
  checkLimits(settings);
  const { signal, timeoutMs, maxRetries, totalTimeoutMs, random, onRetry } = settings;
  const endMs = Date.now() + totalTimeoutMs;
  for (let retries = 0; ; retries++) {
    try {
      return await attempt({ timeoutMs: Math.min(timeoutMs, endMs - Date.now()), signal });
    } catch (error) {
      if (!(error instanceof ColophonError) || !isTemporary(error) || retries >= maxRetries) throw error;
      const delayMs = retryDelayMs(error, retries, random());
      if (Date.now() + delayMs >= endMs) throw error;
      onRetry?.(error);
      await pause(delayMs, signal);
    }
  }
}

async function fetchResponse(settings: TransportSettings, request: ApiRequest, signal: AbortSignal): Promise<Response> {
  const { baseUrl, apiKey, fetch } = settings;
  const { method, path, body, headers } = request;
  const url = `${baseUrl}${path}`;
  const init: RequestInit = {
    method,
    headers: {
      Authorization: `Bearer ${apiKey}`,
      ...(body === undefined ? {} : { "Content-Type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    // The API does not redirect, and the key must not reach a different host.
    redirect: "manual",
    signal,
  };
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw connectionFailed(`There was no response from ${new URL(url).origin}.`, cause);
  }
}

function withAccept(request: ApiRequest, accept: string): ApiRequest {
  return { ...request, headers: { Accept: accept, ...request.headers } };
}

/**
 * The types are generated from the service's description, which is checked against its responses, so responses are not validated
 * again.
 */
export function trusted<T>(data: unknown): T {
  return data as T;
}
