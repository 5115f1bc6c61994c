// Tests that apply to every Quota: the account's Durable Object, its ledger alone, and the fake. They differ in one respect on
// purpose. When too many renders are in flight, the object waits before it refuses a request, but the others refuse at once.
import { describe, expect, it } from "vitest";
import type { IdempotencyKey } from "../../src/core/accounts/quota.ts";
import type { Quota } from "../../src/ports/accounts.ts";
import { reserveRequest } from "../fixtures/documents.ts";

const month = "2026-11";

export function quotaContract(name: string, make: () => Quota): void {
  describe(`${name} as a Quota`, () => {
    /** Reserves a hold for a new document of the account, and returns the document's id. */
    const reserved = async (quota: Quota, accountId: string, idempotency: IdempotencyKey | null = null) => {
      const request = reserveRequest({ accountId, month }, { idempotency });
      expect(await quota.reserve(request)).toMatchObject({ status: "reserved" });
      return request.hold.draft.id;
    };

    it("counts held and committed renders together, up to the limit", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      const reserve = () => quota.reserve(reserveRequest({ accountId, month }, { limit: 2 }));
      const first = reserveRequest({ accountId, month }, { limit: 2 });

      expect(await quota.reserve(first)).toEqual({ status: "reserved", used: 1 });
      await quota.commit(accountId, first.hold.draft.id);
      expect(await reserve()).toEqual({ status: "reserved", used: 2 });
      expect(await reserve()).toEqual({ status: "exhausted", used: 2 });

      expect(await quota.usage(accountId, month)).toEqual({ used: 1, reserved: 1 });
    });

    it("creates only one hold when the same document is reserved twice", async () => {
      const quota = make();
      const request = reserveRequest({ month }, { limit: 1, inFlightLimit: 1 });
      await quota.reserve(request);

      expect(await quota.reserve(request)).toEqual({ status: "reserved", used: 1 });

      expect(await quota.usage(request.hold.draft.accountId, month)).toEqual({ used: 0, reserved: 1 });
    });

    it("counts each account and each month separately", async () => {
      const quota = make();
      const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
      await reserved(quota, one);
      const december = reserveRequest({ accountId: one, month: "2026-12" });
      await quota.reserve(december);
      await quota.commit(one, december.hold.draft.id);

      expect(await quota.usage(one, month)).toEqual({ used: 0, reserved: 1 });
      expect(await quota.usage(one, "2026-12")).toEqual({ used: 1, reserved: 0 });
      expect(await quota.usage(other, month)).toEqual({ used: 0, reserved: 0 });
    });

    it("refuses a render when the account has too many renders in flight, even if those renders belong to another month", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      await reserved(quota, accountId);

      const outcome = await quota.reserve(
        reserveRequest({ accountId, month: "2026-12" }, { inFlightLimit: 1, timeoutMs: 100 }),
      );

      expect(outcome).toEqual({ status: "too_many_in_flight", retryAfterSeconds: expect.any(Number) as number });
    });

    it.for([
      { state: "committed", calls: ["commit", "commit", "release"], usage: { used: 1, reserved: 0 } },
      { state: "released", calls: ["release", "release", "commit"], usage: { used: 0, reserved: 0 } },
    ] as const)("keeps a $state hold $state, whatever is called for it later", async ({ calls, usage }) => {
      const quota = make();
      const request = reserveRequest({ month });
      const { id, accountId } = request.hold.draft;
      await quota.reserve(request);

      for (const call of calls) await quota[call](accountId, id);
      await quota.reserve(request);

      expect(await quota.usage(accountId, month)).toEqual(usage);
    });

    it("ignores a commit and a release for a document that was never reserved", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();

      await quota.commit(accountId, crypto.randomUUID());
      await quota.release(accountId, crypto.randomUUID());

      expect(await quota.usage(accountId, month)).toEqual({ used: 0, reserved: 0 });
    });

    it("returns the state of the document with a known idempotency key instead of a second hold", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      const idempotency = { key: "k", bodyHash: "a" };
      const repeat = () => quota.reserve(reserveRequest({ accountId, month }, { idempotency }));
      expect(await quota.lookUpKey(accountId, idempotency)).toEqual({ status: "unknown" });
      const documentId = await reserved(quota, accountId, idempotency);

      expect(await quota.lookUpKey(accountId, idempotency)).toEqual({
        status: "in_progress",
        documentId,
        retryAfterSeconds: 60,
      });
      expect(await repeat()).toEqual({ status: "in_progress", documentId, retryAfterSeconds: 60 });
      await quota.commit(accountId, documentId);

      expect(await quota.lookUpKey(accountId, idempotency)).toEqual({ status: "done", documentId });
      expect(await repeat()).toEqual({ status: "done", documentId });
      expect(await quota.usage(accountId, month)).toEqual({ used: 1, reserved: 0 });
    });

    it("refuses an idempotency key that is reused with another body, but only within the same account", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      await reserved(quota, accountId, { key: "k", bodyHash: "a" });
      const otherBody = { key: "k", bodyHash: "b" };

      expect(await quota.lookUpKey(accountId, otherBody)).toEqual({ status: "other_body" });
      expect(await quota.reserve(reserveRequest({ accountId, month }, { idempotency: otherBody }))).toEqual({
        status: "other_body",
      });
      expect(await quota.lookUpKey(crypto.randomUUID(), otherBody)).toEqual({ status: "unknown" });
    });

    it("frees an idempotency key when its hold is released", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      const documentId = await reserved(quota, accountId, { key: "k", bodyHash: "a" });

      await quota.release(accountId, documentId);

      expect(await quota.lookUpKey(accountId, { key: "k", bodyHash: "b" })).toEqual({ status: "unknown" });
      await reserved(quota, accountId, { key: "k", bodyHash: "b" });
    });

    it("recognises a known idempotency key even if the allowance is used up", async () => {
      const quota = make();
      const accountId = crypto.randomUUID();
      const idempotency = { key: "k", bodyHash: "a" };
      const documentId = await reserved(quota, accountId, idempotency);

      const outcome = await quota.reserve(reserveRequest({ accountId, month }, { idempotency, limit: 1 }));

      expect(outcome).toEqual({ status: "in_progress", documentId, retryAfterSeconds: 60 });
    });

    it.for([
      { status: "completed", usage: { used: 1, reserved: 0 } },
      { status: "failed", usage: { used: 0, reserved: 0 } },
    ] as const)("settles the hold of a $status document when its deletion begins", async ({ status, usage }) => {
      const quota = make();
      const request = reserveRequest({ month });
      const { id: documentId, accountId, fileKey } = request.hold.draft;
      await quota.reserve(request);

      await quota.beginDelete(accountId, { documentId, fileKey, status, leaseMs: 60_000 });

      expect(await quota.usage(accountId, month)).toEqual(usage);
    });

    it("counts a completed document even after its deletion has begun", async () => {
      const quota = make();
      const request = reserveRequest({ month });
      const { id: documentId, accountId, fileKey } = request.hold.draft;
      await quota.reserve(request);
      await quota.commit(accountId, documentId);

      for (let repeat = 0; repeat < 2; repeat++)
        await quota.beginDelete(accountId, { documentId, fileKey, status: "completed", leaseMs: 60_000 });

      expect(await quota.usage(accountId, month)).toEqual({ used: 1, reserved: 0 });
    });
  });
}
