import { expect, it } from "vitest";
import type { IdempotencyKey, ReserveRequest } from "../../../src/core/accounts/quota.ts";
import { quotaLedger, wrongCounts, type QuotaLedger } from "../../../src/objects/accounts/quota-ledger.ts";
import { objectStorage } from "../../fakes/object-storage.ts";
import { reserveRequest } from "../../fixtures/documents.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const month = "2026-11";
const idempotency = { key: "k", bodyHash: "b" };

/** Returns a ledger with one hold for each lease, all reserved at time 0. */
function ledgerWithHolds(...leases: number[]) {
  const ledger = quotaLedger(objectStorage());
  const holds = leases.map((leaseMs) => ({ ...reserveRequest({ month }).hold, leaseMs }));
  for (const hold of holds) ledger.reserve({ ...reserveRequest(), hold }, 0);
  return { ledger, holds, ids: holds.map(({ draft }) => draft.id) };
}

/** Reserves a hold for a new document at time 0, and returns the document's id and file key. */
function reserved(ledger: QuotaLedger, key: IdempotencyKey | null = null, inMonth = month) {
  const request = reserveRequest({ month: inMonth }, { idempotency: key });
  expect(ledger.reserve(request, 0)).toMatchObject({ status: "reserved" });
  const { id: documentId, fileKey } = request.hold.draft;
  return { request, documentId, fileKey };
}

it("the quota ledger counts the held and the committed renders of a month together up to the limit, and each document once", () => {
  const ledger = quotaLedger(objectStorage());
  const reserve = (request: ReserveRequest) => ledger.reserve({ ...request, limit: 2 }, 0);
  const first = reserveRequest({ month }, { inFlightLimit: 1 });
  ledger.commit(reserved(ledger, null, "2026-12").documentId);

  expect([reserve(first), reserve(first)]).toEqual([1, 1].map((used) => ({ status: "reserved", used, inFlight: 1 })));
  ledger.commit(first.hold.draft.id);
  expect(reserve(reserveRequest({ month }))).toMatchObject({ status: "reserved", used: 2 });
  expect(reserve(reserveRequest({ month }))).toEqual({ status: "exhausted", used: 2 });
  expect([month, "2026-12"].map(ledger.usage)).toEqual([1, 0].map((reserved) => ({ used: 1, reserved })));
});

it("the quota ledger refuses a render when the account has too many renders in flight, even if they belong to a different month", () => {
  const ledger = quotaLedger(objectStorage());
  reserved(ledger);

  const outcome = ledger.reserve(reserveRequest({ month: "2026-12" }, { inFlightLimit: 1 }), 0);

  expect(outcome).toEqual({ status: "too_many_in_flight" });
});

it.for([
  { state: "committed", calls: ["commit", "commit", "release"], used: 1 },
  { state: "released", calls: ["release", "release", "commit"], used: 0 },
] as const)("the quota ledger keeps a $state hold $state, whatever is called for it later", ({ calls, used }) => {
  const ledger = quotaLedger(objectStorage());
  const { documentId, request } = reserved(ledger);

  for (const call of calls) for (const id of [documentId, crypto.randomUUID()]) ledger[call](id);
  ledger.reserve(request, 0);

  expect(ledger.usage(month)).toEqual({ used, reserved: 0 });
});

it("the quota ledger returns the state of the document with a known idempotency key, even if the allowance is used up", () => {
  const ledger = quotaLedger(objectStorage());
  const known = (key: IdempotencyKey) => [
    ledger.lookUpKey(key, 0),
    ledger.reserve(reserveRequest({ month }, { idempotency: key, limit: 1 }), 0),
  ];
  const unknown = ledger.lookUpKey(idempotency, 0);
  const { documentId } = reserved(ledger, idempotency);
  const results = [...known(idempotency), ...known({ key: "k", bodyHash: "other" })];
  ledger.commit(documentId);

  const inProgress = { status: "in_progress", documentId, retryAfterSeconds: 60 };
  expect(unknown).toEqual({ status: "unknown" });
  expect(results).toEqual([inProgress, inProgress, { status: "other_body" }, { status: "other_body" }]);
  expect(known(idempotency)).toEqual([1, 2].map(() => ({ status: "done", documentId })));
  expect(ledger.usage(month)).toEqual({ used: 1, reserved: 0 });
});

it("the quota ledger frees an idempotency key when its hold is released", () => {
  const ledger = quotaLedger(objectStorage());
  ledger.release(reserved(ledger, idempotency).documentId);

  expect(ledger.lookUpKey(idempotency, 0)).toEqual({ status: "unknown" });
  reserved(ledger, { key: "k", bodyHash: "other" });
});

it.for([
  { status: "completed", isCommitted: false, used: 1 },
  { status: "completed", isCommitted: true, used: 1 },
  { status: "failed", isCommitted: false, used: 0 },
] as const)("the quota ledger settles the hold of a deleted $status document once (committed: $isCommitted)", (row) => {
  const ledger = quotaLedger(objectStorage());
  const { documentId, fileKey } = reserved(ledger);
  if (row.isCommitted) ledger.commit(documentId);

  for (const at of [0, 1]) ledger.beginDelete("a", { documentId, fileKey, status: row.status, leaseMs: 60_000 }, at);

  expect(ledger.usage(month)).toEqual({ used: row.used, reserved: 0 });
});

it("the quota ledger returns the holds whose lease has ended, oldest first", () => {
  const { ledger, holds, ids } = ledgerWithHolds(30, 10, 20, 5);
  ledger.commit(ids[3] ?? "");

  expect(ledger.expired(20)).toEqual([1, 2].map((index) => ({ documentId: ids[index], hold: holds[index] })));
});

it("the quota ledger remembers an idempotency key for a day, after which the key creates a new document", () => {
  const ledger = quotaLedger(objectStorage());
  const reserve = (nowMs: number) => ledger.reserve(reserveRequest({ month }, { idempotency }), nowMs).status;

  expect([0, dayMs - 1, dayMs, dayMs + 1].map(reserve)).toEqual(["reserved", "in_progress", "reserved", "in_progress"]);
});

it("the quota ledger removes settled holds a day after their leases end, checks for them an hour later, and keeps its counts", () => {
  const { ledger } = ledgerWithHolds();
  const [settled, held] = [reserveRequest({ month }, { idempotency }), reserveRequest({ month })];
  ledger.reserve({ ...settled, hold: { ...settled.hold, leaseMs: 5 } }, 10);
  ledger.commit(settled.hold.draft.id);

  const dues = [0, 14, 15].map((sweptMs) => {
    ledger.sweep(dayMs + sweptMs);
    return ledger.nextDue();
  });
  ledger.reserve(held, 0);
  ledger.sweep(2 * dayMs);

  expect(dues).toEqual([dayMs + hourMs + 15, dayMs + hourMs + 15, null]);
  expect(ledger.usage(month)).toEqual({ used: 1, reserved: 1 });
});

it("the quota ledger has work when a lease has ended, a file has to be removed, or a record is old", () => {
  const { ledger, ids } = ledgerWithHolds(50);
  const [documentId = ""] = ids;
  const deletion = { documentId, fileKey: "f", accountId: "a", due: 40 };
  const dues = [quotaLedger(objectStorage()).nextDue(), ledger.nextDue()];
  ledger.beginDelete("a", { ...deletion, status: "failed", leaseMs: 30 }, 10);
  dues.push(ledger.nextDue());
  const overdue = [ledger.overdueDeletions(39), ledger.overdueDeletions(40)];
  ledger.endDelete({ ...deletion, due: 50 });
  const kept = ledger.unsettled();
  ledger.endDelete(deletion);

  expect([...dues, ledger.nextDue()]).toEqual([null, 50, 40, 50 + dayMs + hourMs]);
  expect(overdue).toEqual([[], [deletion]]);
  expect([kept, ledger.unsettled()]).toEqual([1, 0]);
});

it("the quota ledger removes the files of released holds when their leases end, in case they were stored late", () => {
  const { ledger, holds, ids } = ledgerWithHolds(50, 40, 10, 60);
  const [late = "", early = "", committed = ""] = ids;
  ledger.commit(committed);

  for (const id of [late, early, committed]) ledger.release(id);

  const removal = (index: number, due: number) => {
    const { id: documentId = "", fileKey, accountId } = holds[index]?.draft ?? {};
    return { documentId, fileKey, accountId, due };
  };
  expect([ledger.overdueDeletions(49), ledger.overdueDeletions(50)]).toEqual([
    [removal(1, 40)],
    [removal(1, 40), removal(0, 50)],
  ]);
  expect(ledger.unsettled()).toBe(3);
});

it("the quota ledger corrects a count only if it has not changed and no render of the month is held", () => {
  const { ledger, ids } = ledgerWithHolds(10, 10);
  const [first = "", second = ""] = ids;
  const correct = (committed: number) => ledger.correctCount({ month, committed, completed: 7 });
  ledger.commit(first);
  const results = [correct(1)];
  const whileHeld = wrongCounts(ledger.counts(), { [month]: 5 });
  ledger.commit(second);
  results.push(correct(1));
  const wrong = wrongCounts(ledger.counts(), { "2026-10": 3 });

  expect([...results, correct(2)]).toEqual([false, false, true]);
  expect(whileHeld).toEqual([]);
  expect(wrong).toEqual([
    { month, committed: 2, completed: 0 },
    { month: "2026-10", committed: 0, completed: 3 },
  ]);
  expect([ledger.usage(month), wrongCounts(ledger.counts(), { [month]: 7 })]).toEqual([{ used: 7, reserved: 0 }, []]);
});

const hold = { batchId: "one", month, total: 3 };

it("a batch holds all of its renders once or none, in addition to the holds of single creates", () => {
  const { ledger } = ledgerWithHolds(10, 10);
  const reserve = (batchId: string, total: number, limit: number) =>
    ledger.reserveBatch({ ...hold, batchId, total }, limit, 0);

  const results = [reserve("one", 3, 4), reserve("one", 3, 5), reserve("one", 3, 5), reserve("two", 1, 5)];

  expect(results).toEqual([
    { status: "exhausted", used: 2 },
    { status: "reserved", used: 5 },
    { status: "reserved", used: 5 },
    { status: "exhausted", used: 5 },
  ]);
  expect(ledger.usage(month)).toEqual({ used: 0, reserved: 5 });
  expect(ledger.reserve(reserveRequest({ month }, { limit: 5 }), 0)).toEqual({ status: "exhausted", used: 5 });
});

it("a settled batch commits its completed renders and releases the rest, whatever the order of the calls", () => {
  const ledger = quotaLedger(objectStorage());
  ledger.reserveBatch(hold, 10, 0);
  const usages = ["1 1", "1 2", "1 1", "0 0", "2 3", "1 2", `2 ${Number.MAX_SAFE_INTEGER}`].map((progress) => {
    const [completed = 0, ended = 0] = progress.split(" ").map(Number);
    ledger.settleBatch("one", { completed, ended }, 0);
    const { used, reserved } = ledger.usage(month);
    return `${used} ${reserved}`;
  });

  expect(usages).toEqual(["1 2", "1 1", "1 1", "1 1", "2 0", "2 0", "2 0"]);
  expect(ledger.counts()).toEqual({ committed: { [month]: 2 }, monthsWithHolds: [] });
});

it("the renders of a batch count in the month in which they were reserved", () => {
  const ledger = quotaLedger(objectStorage());
  ledger.reserveBatch(hold, 3, 0);
  ledger.reserveBatch({ batchId: "next", month: "2026-12", total: 3 }, 3, dayMs);

  ledger.settleBatch("one", { completed: 1, ended: 1 }, dayMs);

  expect(ledger.usage(month)).toEqual({ used: 1, reserved: 2 });
  expect(ledger.usage("2026-12")).toEqual({ used: 0, reserved: 3 });
  expect(ledger.correctCount({ month, committed: 1, completed: 0 })).toBe(false);
});

it("a reservation that arrives after its batch was settled holds nothing, and is forgotten after two days", () => {
  const ledger = quotaLedger(objectStorage());
  ledger.settleBatch("one", { completed: 0, ended: Number.MAX_SAFE_INTEGER }, 0);
  ledger.reserveBatch(hold, 10, 0);
  const late = ledger.usage(month);
  ledger.reserveBatch({ ...hold, batchId: "lost" }, 10, 1);
  ledger.sweep(2 * dayMs);
  const kept = ledger.usage(month);
  ledger.sweep(2 * dayMs + 1);

  expect([late, kept, ledger.usage(month)]).toEqual([0, 3, 0].map((reserved) => ({ used: 0, reserved })));
});

it("the holds of batches and of queued documents do not count as in flight", () => {
  const ledger = quotaLedger(objectStorage());
  ledger.reserveBatch(hold, 10, 0);
  const reserve = (isQueued: boolean) =>
    ledger.reserve(reserveRequest({ month }, { isQueued, inFlightLimit: 1 }), 0).status;

  expect([true, true, false, true, false].map(reserve)).toEqual([
    ...["reserved", "reserved", "reserved", "reserved", "too_many_in_flight"],
  ]);
});

it("a repeated request learns how many seconds of the lease are left, and at least one", () => {
  const ledger = quotaLedger(objectStorage());
  const request = reserveRequest({}, { idempotency });
  ledger.reserve({ ...request, hold: { ...request.hold, leaseMs: 30_000 } }, 0);

  const left = [0, 1, 1_000, 29_500, 40_000].map((nowMs) => ledger.lookUpKey(idempotency, nowMs));

  expect(left).toMatchObject(
    [30, 30, 29, 1, 1].map((retryAfterSeconds) => ({ status: "in_progress", retryAfterSeconds })),
  );
});
