// Calls the management API for the operator's commands. They reach the local service with the key in STATE_DIR or, if COLOPHON_URL and
// COLOPHON_OPERATOR_KEY are set, any other.
import { checkServiceUrl } from "colophon-base/service-url";
import { CommandError } from "colophon-templates/command";
import { readLocalSecrets } from "./local/local-secrets.ts";
import { stateDir } from "./paths.ts";

export type ServiceApi = {
  base: string;
  key: string;
  /**
   * Returns `data` of the response. `path` begins after the base. Bytes are sent as a zip, other bodies as JSON. Throws
   * `CommandError` with the message of a failure.
   */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** Returns the response, whose status is 404 or that of a success. Throws like `call`. */
  fetch(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Response>;
  /** Returns all items of a list, page by page. */
  list<T>(path: string, name: string): Promise<T[]>;
};

type Envelope<T> = { data: T; error?: { code: string; message: string }; meta?: { requestId: string } };
type Page = { pagination: { nextCursor: string | null } };

/** Removing a part of an account or repairing a batch takes that long at most. */
const timeoutMs = 120_000;

export async function serviceApi(env: NodeJS.ProcessEnv, isRemote: boolean): Promise<ServiceApi> {
  const { COLOPHON_URL: url, COLOPHON_OPERATOR_KEY: given } = env;
  // The key of the local service must not reach another one.
  if ((isRemote || url || given) && !(url && given))
    throw new CommandError(
      "set both COLOPHON_URL and COLOPHON_OPERATOR_KEY to call another service than the local one",
    );
  const address = checkServiceUrl(url || `http://localhost:${env["PORT"] ?? 8787}`);
  if (address.status === "refused") throw new CommandError(`${url ? "COLOPHON_URL" : "PORT"} ${address.reason}`);
  const key = given ?? (await readLocalSecrets(stateDir)).OPERATOR_KEY;
  if (!key)
    throw new CommandError(
      `there is no operator's key in ${stateDir}; run npm start first, or set COLOPHON_OPERATOR_KEY`,
    );
  return apiAt(`${address.url}/api/manage/v1/admin`, key);
}

export function apiAt(base: string, key: string): ServiceApi {
  async function send(
    method: string,
    path: string,
    body?: object,
    others: Record<string, string> = {},
  ): Promise<Response> {
    const isBytes = body instanceof Uint8Array;
    const type = isBytes ? "application/zip" : "application/json";
    const headers = { Authorization: `Bearer ${key}`, ...(body && { "Content-Type": type }), ...others };
    const sent = body && { body: isBytes ? new Uint8Array(body) : JSON.stringify(body) };
    // The API does not redirect, and the key must reach no other host.
    const init: RequestInit = { method, headers, ...sent, redirect: "manual", signal: AbortSignal.timeout(timeoutMs) };
    return fetch(base + path, init).catch((cause: unknown) => {
      throw new CommandError(`the service at ${new URL(base).origin} cannot be reached; does it run?`, { cause });
    });
  }
  async function call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await send(method, path, body);
    if (!response.ok) throw await failureOf(response);
    const envelope = (await response.json().catch(() => null)) as Envelope<T> | null;
    if (envelope?.data === undefined)
      throw new CommandError(`${new URL(base).origin} does not respond as Colophon does`);
    return envelope.data;
  }
  return {
    base,
    key,
    call,
    async fetch(...request) {
      const response = await send(...request);
      if (!response.ok && response.status !== 404) throw await failureOf(response);
      return response;
    },
    async list<T>(path: string, name: string) {
      const items: T[] = [];
      for (let cursor: string | null = ""; cursor !== null;) {
        const more: string = `${path.includes("?") ? "&" : "?"}limit=100${cursor && `&cursor=${cursor}`}`;
        const page: Page & Record<string, unknown> = await call("GET", path + more);
        items.push(...(page[name] as T[]));
        cursor = page.pagination.nextCursor;
      }
      return items;
    },
  };
}

async function failureOf(response: Response): Promise<CommandError> {
  const { error, meta } = ((await response.json().catch(() => null)) ?? {}) as Partial<Envelope<unknown>>;
  const where = response.status >= 500 && meta ? ` (request ${meta.requestId})` : "";
  return new CommandError(error ? `${error.message}${where}` : `the service responded with ${response.status}`);
}
