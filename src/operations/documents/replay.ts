// Handles repeats of an idempotent create. Responses are not stored, so a repeat returns the document as it is in D1
// now.
import type { Account } from "../../core/accounts/account.ts";
import type { IdempotencyKey, KnownKey } from "../../core/accounts/quota.ts";
import type { Creation } from "../../core/documents/document.ts";
import { documentNotFound, idempotencyConflict } from "../../core/errors.ts";
import type { Services } from "../../ports/services.ts";

/**
 * Returns the document of the first request with this key. Returns null when the key is new or when the render of the
 * first request failed. Throws when the bodies differ, the first request is still running or its document has been
 * deleted.
 */
export async function findReplay(
  services: Services,
  account: Account,
  idempotency: IdempotencyKey,
): Promise<Creation | null> {
  const keyStatus = await services.quota.lookUpKey(account.id, idempotency);
  if (keyStatus.status === "unknown") return null;
  if (keyStatus.status === "in_progress" && (await releaseFailedKey(services, account, keyStatus.documentId)))
    return null;
  return replayDocument(services, account, keyStatus);
}

export async function replayDocument(
  services: Services,
  account: Account,
  keyStatus: Exclude<KnownKey, { status: "unknown" }>,
): Promise<Creation> {
  if (keyStatus.status === "other_body") throw idempotencyConflict("other_body");
  const document = await services.documents.find(account.id, keyStatus.documentId);
  // Until a document is queued, its hold has the lease of a create. If its first request has died, it is never rendered.
  const { leaseMs } = services.settings;
  const isQueued = keyStatus.status === "done" || keyStatus.retryAfterSeconds * 1_000 > leaseMs;
  if (document?.status === "processing" && isQueued) return { document, isReplay: true, used: null };
  if (document?.status === "completed") {
    // The document is stored, but its hold has not been committed yet.
    if (keyStatus.status === "in_progress") {
      services.background("commit the hold", services.quota.commit(account.id, document.id));
    }
    return { document, isReplay: true, used: null };
  }
  if (keyStatus.status === "done") throw documentNotFound(document ? lostFile : deleted);
  throw idempotencyConflict("in_progress", keyStatus.retryAfterSeconds);
}

const deleted = "The document that was created with this `Idempotency-Key` has been deleted.";
/** Only a repair changes a completed document to a failed one. */
const lostFile =
  "The file of the document that was created with this `Idempotency-Key` was lost. Create the document again with a new key.";

/**
 * Releases the hold of a failed document, because the request that created the document may not have done so. After
 * that, the idempotency key can be used again. Returns false when the document has not failed.
 */
export async function releaseFailedKey(
  services: Pick<Services, "documents" | "quota">,
  account: Account,
  documentId: string,
): Promise<boolean> {
  const document = await services.documents.find(account.id, documentId);
  if (document?.status !== "failed") return false;
  await services.quota.release(account.id, documentId);
  return true;
}
