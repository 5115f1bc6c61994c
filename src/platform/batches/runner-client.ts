// Calls the `BatchRunner` object of an account.
import type { Batches } from "../../ports/batches.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

/** Reserving all renders of a batch calls a second object. */
const acceptWaitMs = 10_000;

/** The object's methods have the same names. */
export function runnerClient(namespace: ObjectNamespace<Batches>, calls: Calls): Batches {
  const call = objectCall("BatchRunner", namespace, calls);
  return {
    open: (accountId, id) => call(accountId, (object) => object.open(accountId, id)),
    accept: (accountId, request) => call(accountId, (object) => object.accept(accountId, request), acceptWaitMs),
    drop: (accountId, id) => call(accountId, (object) => object.drop(accountId, id)),
    lookUpKey: (accountId, idempotency) => call(accountId, (object) => object.lookUpKey(accountId, idempotency)),
    find: (accountId, id) => call(accountId, (object) => object.find(accountId, id)),
    list: (accountId, page) => call(accountId, (object) => object.list(accountId, page)),
    results: (accountId, id, from, limit) => call(accountId, (object) => object.results(accountId, id, from, limit)),
    cancel: (accountId, id) => call(accountId, (object) => object.cancel(accountId, id)),
    endLinks: (accountId, id) => call(accountId, (object) => object.endLinks(accountId, id)),
    remove: (accountId, id) => call(accountId, (object) => object.remove(accountId, id)),
    enqueue: (accountId, document) => call(accountId, (object) => object.enqueue(accountId, document)),
  };
}
