// Makes creates and deletions safe to repeat: creates have a key, and a repeated deletion succeeds if the first response was
// lost.
import type { ErrorCode } from "./api.ts";
import { ColophonError, type ColophonErrorCode } from "./errors.ts";
import { pathId } from "./query.ts";
import type { RequestOptions, Transport } from "./transport.ts";

/** The last argument of the methods that create something. */
export type CreateOptions = RequestOptions & {
  /**
   * 1 to 255 visible ASCII characters. For 24 hours, creates with the same key and the same body return the same document or batch and
   * count once. By default, the client generates a key for each call, which its own retries share.
   */
  idempotencyKey?: string;
};

/** Returns the caller's key, or a random one. Throws a `TypeError` if the caller's key is invalid. */
export function keyOf({ idempotencyKey }: CreateOptions): string {
  if (idempotencyKey !== undefined && !/^[!-~]{1,255}$/.test(idempotencyKey))
    throw new TypeError("`idempotencyKey` must be 1 to 255 visible ASCII characters.");
  return idempotencyKey ?? randomKey();
}

/** `crypto.randomUUID` is missing in browsers on pages without TLS. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** After these failures, it is unknown whether the service has carried out the request. */
const uncertain: ColophonErrorCode[] = ["CONNECTION_FAILED", "TIMEOUT", "UNEXPECTED_RESPONSE"];

type Item = { id: string; list: "/documents" | "/batches"; notFound: ErrorCode };

/** If a retry no longer finds the item, an earlier attempt whose response was lost has deleted it. */
export async function deleteItem(
  api: Transport,
  { id, list, notFound }: Item,
  options?: RequestOptions,
): Promise<{ id: string; deleted: true }> {
  let mayBeDeleted = false;
  const onRetry = ({ code }: ColophonError) => {
    mayBeDeleted ||= uncertain.includes(code);
  };
  try {
    return await api.json({ method: "DELETE", path: `${list}/${pathId(id)}`, onRetry }, options);
  } catch (error) {
    const isGone = error instanceof ColophonError && error.code === notFound;
    if (isGone && mayBeDeleted) return { id, deleted: true };
    throw error;
  }
}
