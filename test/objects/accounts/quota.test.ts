import { describe, expect, it } from "vitest";
import type { Deletion, IdempotencyKey, ReserveRequest } from "../../../src/core/accounts/quota.ts";
import { quotaLedger } from "../../../src/objects/accounts/quota-ledger.ts";
import { objectStorage } from "../../fakes/object-storage.ts";
import { reserveRequest } from "../../fixtures/documents.ts";

const month = "2026-11";
const accountId = "a";

type Quota = ReturnType<typeof make>;

/** The ledger of an account, at the time 0. */
function make() {
  const ledger = quotaLedger(objectStorage());
  return {
    ...ledger,
    reserve: (request: ReserveRequest) => ledger.reserve(request, 0),
    lookUpKey: (key: IdempotencyKey) => ledger.lookUpKey(key, 0),
    beginDelete: (deletion: Deletion) => ledger.beginDelete(accountId, deletion, 0),
  };
}

describe("the quota of an account", () => {
  /** Reserves a hold for a new document of the account, and returns the document's id. */
  const reserved = (quota: Quota, idempotency: IdempotencyKey | null = null) => {
    const request = reserveRequest({ month }, { idempotency });
    expect(quota.reserve(request)).toMatchObject({ status: "reserved" });
    return request.hold.draft.id;
  };

  it("counts held and committed renders together, up to the limit", () => {
    const quota = make();
    const reserve = () => quota.reserve(reserveRequest({ month }, { limit: 2 }));
    const first = reserveRequest({ month }, { limit: 2 });

    expect(quota.reserve(first)).toEqual({ status: "reserved", used: 1 });
    quota.commit(first.hold.draft.id);
    expect(reserve()).toEqual({ status: "reserved", used: 2 });
    expect(reserve()).toEqual({ status: "exhausted", used: 2 });

    expect(quota.usage(month)).toEqual({ used: 1, reserved: 1 });
  });

  it("creates only one hold when the same document is reserved twice", () => {
    const quota = make();
    const request = reserveRequest({ month }, { limit: 1, inFlightLimit: 1 });
    quota.reserve(request);

    expect(quota.reserve(request)).toEqual({ status: "reserved", used: 1 });

    expect(quota.usage(month)).toEqual({ used: 0, reserved: 1 });
  });

  it("counts each month separately", () => {
    const quota = make();
    reserved(quota);
    const december = reserveRequest({ month: "2026-12" });
    quota.reserve(december);
    quota.commit(december.hold.draft.id);

    expect(quota.usage(month)).toEqual({ used: 0, reserved: 1 });
    expect(quota.usage("2026-12")).toEqual({ used: 1, reserved: 0 });
  });

  it("refuses a render when the account has too many renders in flight, even if those renders belong to another month", () => {
    const quota = make();
    reserved(quota);

    const outcome = quota.reserve(reserveRequest({ month: "2026-12" }, { inFlightLimit: 1 }));

    expect(outcome).toEqual({ status: "too_many_in_flight" });
  });

  it.for([
    { state: "committed", calls: ["commit", "commit", "release"], usage: { used: 1, reserved: 0 } },
    { state: "released", calls: ["release", "release", "commit"], usage: { used: 0, reserved: 0 } },
  ] as const)("keeps a $state hold $state, whatever is called for it later", ({ calls, usage }) => {
    const quota = make();
    const request = reserveRequest({ month });
    const { id } = request.hold.draft;
    quota.reserve(request);

    for (const call of calls) quota[call](id);
    quota.reserve(request);

    expect(quota.usage(month)).toEqual(usage);
  });

  it("ignores a commit and a release for a document that was never reserved", () => {
    const quota = make();

    quota.commit(crypto.randomUUID());
    quota.release(crypto.randomUUID());

    expect(quota.usage(month)).toEqual({ used: 0, reserved: 0 });
  });

  it("returns the state of the document with a known idempotency key instead of a second hold", () => {
    const quota = make();
    const idempotency = { key: "k", bodyHash: "a" };
    const repeat = () => quota.reserve(reserveRequest({ month }, { idempotency }));
    expect(quota.lookUpKey(idempotency)).toEqual({ status: "unknown" });
    const documentId = reserved(quota, idempotency);

    expect(quota.lookUpKey(idempotency)).toEqual({
      status: "in_progress",
      documentId,
      retryAfterSeconds: 60,
    });
    expect(repeat()).toEqual({ status: "in_progress", documentId, retryAfterSeconds: 60 });
    quota.commit(documentId);

    expect(quota.lookUpKey(idempotency)).toEqual({ status: "done", documentId });
    expect(repeat()).toEqual({ status: "done", documentId });
    expect(quota.usage(month)).toEqual({ used: 1, reserved: 0 });
  });

  it("refuses an idempotency key that is reused with another body", () => {
    const quota = make();
    reserved(quota, { key: "k", bodyHash: "a" });
    const otherBody = { key: "k", bodyHash: "b" };

    expect(quota.lookUpKey(otherBody)).toEqual({ status: "other_body" });
    expect(quota.reserve(reserveRequest({ month }, { idempotency: otherBody }))).toEqual({
      status: "other_body",
    });
  });

  it("frees an idempotency key when its hold is released", () => {
    const quota = make();
    const documentId = reserved(quota, { key: "k", bodyHash: "a" });

    quota.release(documentId);

    expect(quota.lookUpKey({ key: "k", bodyHash: "b" })).toEqual({ status: "unknown" });
    reserved(quota, { key: "k", bodyHash: "b" });
  });

  it("recognises a known idempotency key even if the allowance is used up", () => {
    const quota = make();
    const idempotency = { key: "k", bodyHash: "a" };
    const documentId = reserved(quota, idempotency);

    const outcome = quota.reserve(reserveRequest({ month }, { idempotency, limit: 1 }));

    expect(outcome).toEqual({ status: "in_progress", documentId, retryAfterSeconds: 60 });
  });

  it.for([
    { status: "completed", usage: { used: 1, reserved: 0 } },
    { status: "failed", usage: { used: 0, reserved: 0 } },
  ] as const)("settles the hold of a $status document when its deletion begins", ({ status, usage }) => {
    const quota = make();
    const request = reserveRequest({ month });
    const { id: documentId, fileKey } = request.hold.draft;
    quota.reserve(request);

    quota.beginDelete({ documentId, fileKey, status, leaseMs: 60_000 });

    expect(quota.usage(month)).toEqual(usage);
  });

  it("counts a completed document even after its deletion has begun", () => {
    const quota = make();
    const request = reserveRequest({ month });
    const { id: documentId, fileKey } = request.hold.draft;
    quota.reserve(request);
    quota.commit(documentId);

    for (let repeat = 0; repeat < 2; repeat++)
      quota.beginDelete({ documentId, fileKey, status: "completed", leaseMs: 60_000 });

    expect(quota.usage(month)).toEqual({ used: 1, reserved: 0 });
  });
});
