// The allowance from the Worker's side: calls to the account's object, each with a deadline. Every method is idempotent,
// so a call whose answer was lost is simply made again.
import type { Deletion, IdempotencyKey, KnownKey, Quota, Reservation } from "../ports.ts";
import { withDeadline } from "./deadline.ts";

/** What an `AccountQuota` object answers to. `request` is JSON of `ReserveRequest`: structured clones of deep values throw. */
export type QuotaObject = {
  reserve(request: string): Promise<Reservation>;
  lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey>;
  commit(documentId: string): Promise<void>;
  release(documentId: string): Promise<void>;
  usage(month: string): Promise<{ used: number; reserved: number }>;
  beginDelete(accountId: string, deletion: Deletion): Promise<void>;
};

/** A Durable Object namespace, as far as calling one of its objects by name goes. */
export type ObjectNamespace<T> = { idFromName(name: string): DurableObjectId; get(id: DurableObjectId): T };

const tries = 2;

export function quotaClient(namespace: ObjectNamespace<QuotaObject>, tryTimeoutMs: number): Quota {
  const call = async <T>(accountId: string, method: (object: QuotaObject) => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        // A stub whose call failed may stay broken: each try takes a new one.
        const object = namespace.get(namespace.idFromName(accountId));
        return await withDeadline("AccountQuota", tryTimeoutMs, method(object));
      } catch (error) {
        if (attempt >= tries) throw error;
      }
    }
  };
  return {
    reserve: (request) => call(request.hold.draft.accountId, (object) => object.reserve(JSON.stringify(request))),
    lookUpKey: (accountId, idempotency) => call(accountId, (object) => object.lookUpKey(idempotency)),
    commit: (accountId, documentId) => call(accountId, (object) => object.commit(documentId)),
    release: (accountId, documentId) => call(accountId, (object) => object.release(documentId)),
    beginDelete: (accountId, deletion) => call(accountId, (object) => object.beginDelete(accountId, deletion)),
    usage: (accountId, month) => call(accountId, (object) => object.usage(month)),
  };
}
