// Implements the monthly quota by calling the account's `AccountQuota` object.
import type { Reservation } from "../../core/accounts/quota.ts";
import { maxWaitMs } from "../../core/rendering/wait-limit.ts";
import type { BatchQuota, Quota } from "../../ports/accounts.ts";
import { objectCall, type Calls, type ObjectNamespace, type WithoutAccount } from "../object-client.ts";

/** The methods of an `AccountQuota` object. `request` is a `ReserveRequest` as JSON. */
export type QuotaObject = { reserve(request: string): Promise<Reservation> } & Pick<Quota, "beginDelete"> &
  WithoutAccount<Omit<Quota & BatchQuota, "reserve" | "beginDelete">>;

export function quotaClient(namespace: ObjectNamespace<QuotaObject>, calls: Calls): Quota & BatchQuota {
  const call = objectCall("AccountQuota", namespace, calls);
  return {
    reserve: (request) => {
      const { hold, timeoutMs } = request;
      const until = Date.now() + timeoutMs;
      // A second try has less time left to wait.
      const requestNow = () => JSON.stringify({ ...request, timeoutMs: Math.max(0, until - Date.now()) });
      return call(hold.draft.accountId, (object) => object.reserve(requestNow()), maxWaitMs(timeoutMs));
    },
    lookUpKey: (accountId, idempotency) => call(accountId, (object) => object.lookUpKey(idempotency)),
    commit: (accountId, documentId) => call(accountId, (object) => object.commit(documentId)),
    release: (accountId, documentId) => call(accountId, (object) => object.release(documentId)),
    beginDelete: (accountId, deletion) => call(accountId, (object) => object.beginDelete(accountId, deletion)),
    extend: (accountId, documentId, leaseMs) => call(accountId, (object) => object.extend(documentId, leaseMs)),
    reserveBatch: (accountId, hold, limit) => call(accountId, (object) => object.reserveBatch(hold, limit)),
    settleBatch: (accountId, batchId, progress) => call(accountId, (object) => object.settleBatch(batchId, progress)),
    usage: (accountId, month) => call(accountId, (object) => object.usage(month)),
  };
}
