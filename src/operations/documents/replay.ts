// Repeats of an idempotent create. The answer is the document as D1 has it now, never a stored copy of a response.
import type { Creation } from "../../core/documents/document.ts";
import { documentNotFound, idempotencyConflict } from "../../core/errors.ts";
import type { Account } from "../../core/accounts/account.ts";
import type { IdempotencyKey, KnownKey } from "../../core/accounts/quota.ts";
import type { Services } from "../../ports.ts";

/** The answer to a repeat, or null when the key is new. Throws what a repeat is refused with. */
export async function replayOf(
  services: Services,
  account: Account,
  idempotency: IdempotencyKey,
): Promise<Creation | null> {
  const known = await services.quota.lookUpKey(account.id, idempotency);
  if (known.status === "unknown") return null;
  if (known.status === "in_progress" && (await freeFailedKey(services, account, known.documentId))) return null;
  return replay(services, account, known);
}

export async function replay(
  services: Services,
  account: Account,
  known: Exclude<KnownKey, { status: "unknown" }>,
): Promise<Creation> {
  if (known.status === "other_body") {
    throw idempotencyConflict(
      422,
      "This `Idempotency-Key` was used with another body; use a new key for a new request.",
    );
  }
  const document = await services.documents.find(account.id, known.documentId);
  if (document?.status === "completed") {
    // The row is the truth; a hold that does not know it yet is told.
    if (known.status === "in_progress") {
      services.background("commit the hold", services.quota.commit(account.id, document.id));
    }
    return { document, isReplay: true, used: null };
  }
  if (known.status === "done") throw documentNotFound("The document that this `Idempotency-Key` made was deleted.");
  throw idempotencyConflict(409, "A request with this `Idempotency-Key` is in progress. Repeat it shortly.");
}

/** A failed render is not stored: when its maker did not get to giving its place back, that is done here. True when it was. */
export async function freeFailedKey(services: Services, account: Account, documentId: string): Promise<boolean> {
  const document = await services.documents.find(account.id, documentId);
  if (document?.status !== "failed") return false;
  await services.quota.release(account.id, documentId);
  return true;
}
