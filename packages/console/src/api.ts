// The requests of the console. Every response that is not a success becomes an `ApiProblem`, also if there is none.
import type { Detail, Pagination } from "./records.ts";

/** A failure, with what the service says about it. `status` is 0 if no response came. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly requestId: string | null;
  readonly details: Detail[];

  constructor(status: number, code: string, message: string, requestId: string | null = null, details: Detail[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.details = details;
  }
}

export type Query = Record<string, string | undefined>;
type Body = { json: unknown } | { zip: Uint8Array<ArrayBuffer>; ifVersion: number | undefined };

/** One of the two APIs, for one account. */
export type Api = ReturnType<typeof apiAt>;
/** A page of a list, whose items are under the name of the list. */
export type Listed<N extends string, T> = Record<N, T[]> & { pagination: Pagination };

/** A render may take 25 s, and the largest upload 80 s at 2 Mbit/s. */
const timeoutMs = 30_000;
const uploadTimeoutMs = 120_000;

/** `onKeyRefused` is called if the key is not valid, or not valid any more. */
export function apiAt(base: string, key: string, onKeyRefused: (problem: ApiProblem) => void = () => {}) {
  const request = async (method: string, path: string, body?: Body, signal?: AbortSignal): Promise<Response> => {
    const response = await send(`${base}${path}`, method, key, body, signal);
    if (response.ok) return response;
    const problem = await problemOf(response);
    if (problem.status === 401) onKeyRefused(problem);
    throw problem;
  };
  const dataOf = async <T>(response: Response): Promise<T> => {
    const envelope = await response.json().catch(() => {
      throw new ApiProblem(
        response.status,
        "UNREADABLE",
        "The response was cut off, or is not that of a Colophon service.",
      );
    });
    return envelope.data;
  };
  return {
    get: async <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
      dataOf(await request("GET", `${path}${queryText(query)}`, undefined, signal)),
    send: async <T>(method: "POST" | "DELETE", path: string, json?: unknown): Promise<T> =>
      dataOf(await request(method, path, json === undefined ? undefined : { json })),
    putZip: async <T>(path: string, zip: Uint8Array<ArrayBuffer>, ifVersion?: number): Promise<T> =>
      dataOf(await request("PUT", path, { zip, ifVersion })),
    /** Returns a response that has no envelope: a file, or the results of a batch. */
    file: async (path: string, signal?: AbortSignal): Promise<Blob> => {
      const response = await request("GET", path, undefined, signal);
      return response.blob().catch(() => {
        throw new ApiProblem(0, "UNREACHABLE", "The connection was lost during the download.");
      });
    },
  };
}

async function send(url: string, method: string, key: string, body?: Body, signal?: AbortSignal): Promise<Response> {
  const isUpload = body !== undefined && "zip" in body;
  const deadline = AbortSignal.timeout(isUpload ? uploadTimeoutMs : timeoutMs);
  const headers = new Headers({ Authorization: `Bearer ${key}` });
  if (body) headers.set("Content-Type", isUpload ? "application/zip" : "application/json");
  if (isUpload && body.ifVersion !== undefined) headers.set("If-Match", `"${body.ifVersion}"`);
  return fetch(url, {
    method,
    headers,
    cache: "no-store",
    signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    ...(body && { body: isUpload ? body.zip : JSON.stringify(body.json) }),
  }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    const reason = deadline.aborted ? "did not respond in time" : "cannot be reached";
    throw new ApiProblem(0, "UNREACHABLE", `The service ${reason}. Is it running, and are you online?`);
  });
}

async function problemOf(response: Response): Promise<ApiProblem> {
  const { error, meta } = await response.json().catch(() => ({}));
  const requestId = meta?.requestId ?? response.headers.get("X-Request-Id");
  const message = error?.message ?? `The response has status ${response.status}, and no message.`;
  return new ApiProblem(response.status, error?.code ?? "UNREADABLE", message, requestId, error?.details ?? []);
}

/** Leaves out what is undefined or empty. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "",
  );
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

/** Returns any failure as an `ApiProblem`, so that it can be shown. One of the console itself has no code. */
export function asProblem(error: unknown): ApiProblem {
  if (error instanceof ApiProblem) return error;
  return new ApiProblem(0, "", error instanceof Error ? error.message : String(error));
}
