// Implements the monthly quota by calling the account's `AccountQuota` object.
import type { Deletion, IdempotencyKey, KnownKey, Reservation } from "../../core/accounts/quota.ts";
import type { PoolRefusal } from "../../core/rendering/render-job.ts";
import type { Quota } from "../../ports/accounts.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

/** The methods of an `AccountQuota` object. `request` is a `ReserveRequest` as JSON. */
export type QuotaObject = {
  reserve(request: string): Promise<Reservation>;
  lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey>;
  commit(documentId: string): Promise<void>;
  release(documentId: string, refused?: { accountId: string; refusal: PoolRefusal }): Promise<void>;
  usage(month: string): Promise<{ used: number; reserved: number }>;
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** `inFlightWaitMs` is the time for which the object may let a reservation wait. */
export function quotaClient(namespace: ObjectNamespace<QuotaObject>, calls: Calls, inFlightWaitMs: number): Quota {
  const call = objectCall("AccountQuota", namespace, calls);
  return {
    reserve: (request) =>
      call(request.hold.draft.accountId, (object) => object.reserve(JSON.stringify(request)), inFlightWaitMs),
    lookUpKey: (accountId, idempotency) => call(accountId, (object) => object.lookUpKey(idempotency)),
    commit: (accountId, documentId) => call(accountId, (object) => object.commit(documentId)),
    release: (accountId, documentId, refusal) =>
      call(accountId, (object) => object.release(documentId, refusal && { accountId, refusal })),
    beginDelete: (accountId, deletion) => call(accountId, (object) => object.beginDelete(accountId, deletion)),
    usage: (accountId, month) => call(accountId, (object) => object.usage(month)),
  };
}
