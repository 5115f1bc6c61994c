// The console's requests, and its representation of failures.
import { createManageClient, type ColophonError, type ManageClient } from "colophon-client/manage";

/** A failure: a `ColophonError`, or an error of the console itself, which may have a code. */
export type ApiProblem = Error & Partial<Pick<ColophonError, "status" | "requestId" | "details">> & { code?: string };

/** Returns the requests below a path of the service. `onKeyRefused` is called if the key is not valid or no longer valid. */
export function apiAt<Requests>(path: string, apiKey: string, onKeyRefused = () => {}): ManageClient<Requests> {
  const send = async (url: string, init: RequestInit) => {
    const response = await fetch(url, { ...init, cache: "no-store" });
    if (response.status === 401) onKeyRefused();
    return response;
  };
  return createManageClient({ baseUrl: location.origin + path, apiKey, fetch: send });
}

/** Returns the path of the operator's requests for an account. */
export function accountPath(id: string): string {
  return `/api/manage/v1/admin/accounts/${encodeURIComponent(id)}`;
}

export function problemOf(code: string, message: string): ApiProblem {
  return Object.assign(new Error(message), { code });
}

/** Converts any thrown value to a failure that can be shown. */
export function asProblem(error: unknown): ApiProblem {
  return error instanceof Error ? error : new Error(String(error));
}
