// Calls the `BatchRunner` object of an account. Larger arguments and results are JSON, which takes less time to pass on.
import type { Acceptance, BatchState, ItemState } from "../../core/batches/batch.ts";
import type { IdempotencyKey } from "../../core/accounts/quota.ts";
import type { Page } from "../../core/pagination.ts";
import type { BatchList, Batches, KnownBatch } from "../../ports/batches.ts";
import { objectCall, type Calls, type ObjectNamespace } from "../object-client.ts";

/** The methods of a `BatchRunner` object. Results that are text are JSON of what the method of `Batches` returns. */
export type RunnerObject = {
  open(accountId: string, batchId: string): Promise<void>;
  /** `request` is an `AcceptRequest` as JSON. */
  accept(request: string): Promise<string>;
  drop(batchId: string): Promise<void>;
  lookUpKey(idempotency: IdempotencyKey): Promise<string>;
  find(batchId: string): Promise<string>;
  list(page: Page): Promise<string>;
  results(batchId: string, from: number, limit: number): Promise<string>;
  cancel(batchId: string): Promise<string>;
  remove(batchId: string): Promise<"removed" | "not_ended" | "not_found">;
  /** `document` is a `QueuedDocument` as JSON. */
  enqueue(document: string): Promise<"queued" | "too_many">;
};

/** Holding all renders of a batch takes a call of another object. */
const acceptWaitMs = 10_000;

export function runnerClient(namespace: ObjectNamespace<RunnerObject>, calls: Calls): Batches {
  const call = objectCall("BatchRunner", namespace, calls);
  return {
    open: (accountId, batchId) => call(accountId, (object) => object.open(accountId, batchId)),
    accept: async (request) => {
      const text = JSON.stringify(request);
      return parse<Acceptance>(await call(request.batch.accountId, (object) => object.accept(text), acceptWaitMs));
    },
    drop: (accountId, batchId) => call(accountId, (object) => object.drop(batchId)),
    lookUpKey: async (accountId, idempotency) =>
      parse<KnownBatch>(await call(accountId, (object) => object.lookUpKey(idempotency))),
    find: async (accountId, batchId) =>
      parse<BatchState | null>(await call(accountId, (object) => object.find(batchId))),
    list: async (accountId, page) => parse<BatchList>(await call(accountId, (object) => object.list(page))),
    results: async (accountId, batchId, from, limit) =>
      parse<ItemState[] | null>(await call(accountId, (object) => object.results(batchId, from, limit))),
    cancel: async (accountId, batchId) =>
      parse<BatchState | null>(await call(accountId, (object) => object.cancel(batchId))),
    remove: (accountId, batchId) => call(accountId, (object) => object.remove(batchId)),
    enqueue: (document) => {
      const text = JSON.stringify(document);
      return call(document.hold.draft.accountId, (object) => object.enqueue(text));
    },
  };
}

/** The object has made the text. */
function parse<T>(text: string): T {
  return JSON.parse(text) as T;
}
