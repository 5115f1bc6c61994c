// The requests of the console, and failures as it shows them.
import { createManageClient, type ColophonError, type ManageClient } from "colophon-client/manage";

/** A failure: a `ColophonError`, or an error of the console itself, which has at most a code. */
export type ApiProblem = Error & Partial<Pick<ColophonError, "status" | "requestId" | "details">> & { code?: string };

/** Returns the requests below a path of the service. `onKeyRefused` is called if the key is not valid, or not valid any more. */
export function apiAt<Requests>(path: string, apiKey: string, onKeyRefused = () => {}): ManageClient<Requests> {
  const send = async (url: string, init: RequestInit) => {
    const response = await fetch(url, { ...init, cache: "no-store" });
    if (response.status === 401) onKeyRefused();
    return response;
  };
  return createManageClient({ baseUrl: location.origin + path, apiKey, fetch: send });
}

/** Returns the path below which the operator has the requests for an account. */
export function accountPath(id: string): string {
  return `/api/manage/v1/admin/accounts/${encodeURIComponent(id)}`;
}

export function problemOf(code: string, message: string): ApiProblem {
  return Object.assign(new Error(message), { code });
}

/** Returns whatever was thrown as a failure that can be shown. */
export function asProblem(error: unknown): ApiProblem {
  return error instanceof Error ? error : new Error(String(error));
}
