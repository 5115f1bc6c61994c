// Tests the records of an account's batches: which batches are admitted, which keys are known, how items end, and what is
// removed when.
import { expect, it } from "vitest";
import type { AcceptRequest, Batch, ItemOutcome, MergedFile } from "../../../src/core/batches/batch.ts";
import { batchLedger, openMs } from "../../../src/objects/batches/batch-ledger.ts";
import type { QueuedDocument } from "../../../src/ports/batches.ts";
import { objectStorage } from "../../fakes/object-storage.ts";
import { documentDraft } from "../../fixtures/documents.ts";

const dayMs = 24 * 3_600_000;
const limits = { items: 100, openBatches: 2, waitingItems: 5 };
const failed: ItemOutcome = { status: "failed", documentId: null, error: { code: "RENDER_FAILED", message: "no" } };
const completed: ItemOutcome = {
  ...{ status: "completed", documentId: "d", fileKey: "f", filename: null },
  ...{ pageCount: 1, fileSize: 1, warnings: [] },
};

const noFaults = { faults: 0, due: 0 };

type AcceptOptions = Partial<Omit<AcceptRequest, "batch">> & { total?: number; batch?: Partial<Batch> };

function acceptRequest(id: string, rest: AcceptOptions = {}) {
  const { total = 2, batch, ...others } = rest;
  const made = { id, accountId: "a", createdAt: 0, expiresAt: 30 * dayMs, secret: "s", ...batch } as Batch;
  const customIds = Array.from({ length: total }, (_, index) => `c${index}`);
  return { batch: made, customIds, chunks: [], idempotency: null, limit: 10, ...others } satisfies AcceptRequest;
}

function ledgerWith() {
  const storage = objectStorage();
  const ledger = batchLedger(storage);
  /** Opens a batch and admits it. */
  const admit = (id: string, rest: AcceptOptions = {}, nowMs = 0) => {
    ledger.open("a", id, nowMs);
    return ledger.admit(acceptRequest(id, rest), limits, nowMs);
  };
  const begin = (...args: Parameters<typeof admit>) => {
    admit(...args);
    ledger.begin(args[0]);
  };
  /** Begins a batch whose items have all ended. */
  const finish = (id: string, rest?: AcceptOptions, nowMs = 0, files: MergedFile[] = []) => {
    begin(id, rest, nowMs);
    for (const index of [0, 1]) ledger.endItem(id, index, completed);
    for (const file of files) ledger.addMerged(id, file, { until: 2 });
    ledger.markEnded(id, nowMs);
    ledger.end(id);
  };
  const sweep = (nowMs: number) => {
    const removable = ledger.cancelOverdue({ nowMs, beganBefore: nowMs - dayMs, openedBefore: nowMs - openMs });
    for (const { batchId } of removable) ledger.purge(batchId, nowMs);
    return removable.map(({ batchId }) => batchId);
  };
  const claim = () => ledger.claimItem(0) ?? ledger.claimSuspect(0);
  const returned = (batchId: string, index: number, isSuspect: boolean) =>
    ledger.returnItem({ batchId, index, ...noFaults, tries: 0, interruptions: 0, isAlone: false }, noFaults, isSuspect);
  const countsOf = (id: string) => ledger.find(id)?.counts;
  const outcomes = (id: string) => ledger.results(id, 0, 10)?.map(({ outcome }) => outcome.status);
  return { storage, ledger, admit, begin, finish, sweep, claim, returned, countsOf, outcomes };
}

const queued = (id: string): QueuedDocument =>
  ({ hold: { draft: documentDraft({ id }), leaseMs: 1, webhookUrl: null, cdnUrl: "" } }) as QueuedDocument;

it("a document with data of 5 MB is claimed as it was queued, and leaves no data when it has ended", () => {
  const { ledger, storage } = ledgerWith();
  // In UTF-8, each part ends within a character.
  const large = {
    ...queued("large"),
    request: { data: { text: `x${"😀€".repeat(600_000)}` } },
  } as unknown as QueuedDocument;
  for (const document of [large, queued("small")]) ledger.enqueue(document, limits, 0);

  const claimed = [ledger.claimDocument(0), ledger.claimDocument(0)];

  expect(claimed.map((each) => each && [each.document.hold.draft.id, each.isLarge])).toEqual([
    ["large", true],
    ["small", false],
  ]);
  expect(claimed[0]?.document).toEqual(large);
  ledger.endDocument("large");
  expect(storage.sql.exec("SELECT count(*) AS n FROM document_parts").one()).toEqual({ n: 0 });
});

it("the sealed passwords of an item are kept when it is tried again, and erased when it ends or is canceled", () => {
  const { ledger, storage, begin, claim, returned } = ledgerWith();
  const left = () =>
    storage.sql.exec<{ sealed: string }>("SELECT sealed FROM items WHERE sealed IS NOT NULL").toArray();
  begin("b", { total: 4, sealed: { 0: "s0", 1: "s1", 2: "s2" } });

  const claimed = claim();
  returned("b", 0, false);
  const again = [claim(), claim(), claim(), claim()];
  ledger.endItem("b", 0, completed);
  ledger.endItem("b", 1, failed);
  returned("b", 2, false);

  expect(claimed?.sealed).toBe("s0");
  expect(again.map((item) => item?.sealed)).toEqual(["s0", "s1", "s2", undefined]);
  expect(left()).toEqual([{ sealed: "s2" }]);
  ledger.cancelOverdue({ nowMs: 2 * dayMs, beganBefore: dayMs, openedBefore: 0 });
  expect(left()).toEqual([]);
});

it("a batch is refused if it would exceed a limit, and counts until it has ended", () => {
  const { ledger, admit, begin } = ledgerWith();
  begin("one", { total: 3 });
  ledger.enqueue(queued("d"), limits, 0);
  const results = [admit("two", { total: 2 })];
  results.push(admit("two", { total: 1 }), admit("three", { total: 1 }));
  ledger.drop("two");
  results.push(admit("three", { total: 1 }));
  const documents = [queued("d"), queued("e")].map((document) => ledger.enqueue(document, limits, 0));

  expect(results).toEqual([
    { status: "too_many", limit: "waitingItems" },
    { status: "admitted" },
    { status: "too_many", limit: "openBatches" },
    { status: "admitted" },
  ]);
  expect(documents).toEqual(["queued", "too_many"]);
});

it("a batch is admitted only while it is open: earlier its items are not recorded, and later they are removed", () => {
  const { ledger, admit, begin, sweep } = ledgerWith();
  const late = (id: string) => () => ledger.admit(acceptRequest(id), limits, 0);
  expect(late("unknown")).toThrow("no longer open");
  admit("dropped");
  ledger.drop("dropped");
  expect(late("dropped")).toThrow("no longer open");
  expect(sweep(1)).toEqual(["dropped"]);
  expect(late("dropped")).toThrow("no longer open");

  begin("accepted");
  ledger.drop("accepted");

  expect(late("accepted")()).toMatchObject({ status: "known", state: { status: "processing" } });
});

it("a key is remembered for a day, even for a different body, and even if its batch is being accepted or was deleted", () => {
  const { ledger, admit, sweep, finish } = ledgerWith();
  const idempotency = { key: "k", bodyHash: "b" };
  const again = (nowMs: number, bodyHash = "b") => {
    const { status } = ledger.lookUpKey({ key: "k", bodyHash }, nowMs);
    return status;
  };
  const statuses: string[] = [again(0)];
  admit("refused", { idempotency });
  statuses.push(again(0), admit("other", { idempotency }).status);
  ledger.drop("refused");
  statuses.push(again(0));
  finish("one", { idempotency });
  statuses.push(again(0), again(0, "c"), admit("other", { idempotency, total: 1 }).status);
  ledger.remove("one");
  statuses.push(again(0));
  sweep(1);
  statuses.push(again(1), again(1, "c"), again(dayMs - 1), again(dayMs));

  expect(statuses).toEqual([
    ...["unknown", "in_progress", "in_progress", "unknown", "known", "other_body", "known"],
    ...["deleted", "deleted", "other_body", "deleted", "unknown"],
  ]);
  expect(ledger.find("one")).toBeNull();
});

it("a purge removes everything except a row with an idempotency key, which is removed after a day", () => {
  const { storage, ledger, finish, sweep } = ledgerWith();
  finish("plain", {}, 0, [{ fileKey: "m", fileSize: 1, pageCount: 1 }]);
  finish("keyed", { idempotency: { key: "k", bodyHash: "b" } });
  for (const id of ["plain", "keyed"]) ledger.remove(id);
  const removable = ledger.cancelOverdue({ nowMs: 1, beganBefore: 0, openedBefore: 0 });
  sweep(1);
  const rows = () =>
    ["batches", "items", "chunks", "batch_inputs"].flatMap((table) =>
      storage.sql.exec(`SELECT * FROM ${table}`).toArray(),
    );
  const left = rows();
  const due = ledger.nextDue(0);
  sweep(dayMs);

  expect(removable.map(({ batchId, files }) => [batchId, files])).toEqual([
    ["keyed", []],
    ["plain", ["m"]],
  ]);
  expect(left).toMatchObject([{ id: "keyed", state: "deleted", key: "k" }]);
  expect([due, rows(), ledger.nextDue(0)]).toEqual([dayMs, [], null]);
});

it("a batch whose upload was interrupted is removed fifteen minutes after it was opened, and an ended batch when it expires", () => {
  const { ledger, finish, sweep } = ledgerWith();
  ledger.open("a", "died", 1_000);
  finish("ended", { batch: { expiresAt: 8 * openMs } });
  const dues = [ledger.nextDue(0)];
  const removed = [sweep(openMs + 999), sweep(openMs + 1_000)];
  dues.push(ledger.nextDue(0));
  removed.push(sweep(8 * openMs - 1), sweep(8 * openMs));

  expect(removed).toEqual([[], ["died"], [], ["ended"]]);
  expect([...dues, ledger.nextDue(0)]).toEqual([openMs + 1_000, 8 * openMs, null]);
});

it("a batch that has not ended after a day is canceled with the items that were tried, except items in progress", () => {
  const { ledger, begin, sweep, claim, returned, outcomes } = ledgerWith();
  begin("slow", { total: 3 });
  claim();
  returned("slow", 0, false);
  claim();
  claim();
  returned("slow", 0, true);
  sweep(dayMs);
  const before = outcomes("slow");
  sweep(dayMs + 1);
  const after = [ledger.find("slow")?.status, outcomes("slow")];
  returned("slow", 1, false);
  sweep(dayMs + 1);

  expect(before).toEqual(["processing", "processing", "processing"]);
  expect(after).toEqual(["canceling", ["canceled", "processing", "canceled"]]);
  expect(outcomes("slow")).toEqual(["canceled", "canceled", "canceled"]);
});

it("canceling ends only items that were never tried, because any other item may already be a completed document", () => {
  const { ledger, begin, claim, returned, outcomes, countsOf } = ledgerWith();
  begin("one", { total: 4 });
  for (const _ of [0, 1, 2]) claim();
  returned("one", 0, false);
  ledger.cancel("one");
  returned("one", 1, false);
  ledger.reopen();
  ledger.cancel("one");

  expect(outcomes("one")).toEqual(["processing", "processing", "processing", "canceled"]);
  expect([claim(), claim(), claim(), claim()].map((item) => item?.index)).toEqual([0, 1, 2, undefined]);
  expect(countsOf("one")).toEqual({ total: 4, completed: 0, failed: 0, canceled: 1 });
});

it("an item ends once: a second outcome changes nothing, and the item cannot wait again", () => {
  const { ledger, begin, claim, returned, outcomes, countsOf } = ledgerWith();
  begin("one");
  claim();
  ledger.endItem("one", 0, failed);
  ledger.endItem("one", 0, completed);
  returned("one", 0, false);
  ledger.cancel("one");

  expect([outcomes("one"), countsOf("one")]).toEqual([
    ["failed", "canceled"],
    { total: 2, completed: 0, failed: 1, canceled: 1 },
  ]);
  expect([ledger.progress("one"), claim()]).toEqual([{ completed: 0, ended: 2 }, null]);
  expect(ledger.finished().map(({ batch }) => batch.id)).toEqual(["one"]);
});

it("a recount corrects counts that differ from the items, and names the corrected batches", () => {
  const { storage, ledger, begin, finish, claim, countsOf } = ledgerWith();
  finish("right");
  begin("wrong");
  claim();
  ledger.endItem("wrong", 0, failed);
  storage.sql.exec("UPDATE batches SET completed = 2, failed = 0 WHERE id = 'wrong'");

  expect([ledger.recount(), ledger.recount()]).toEqual([["wrong"], []]);
  expect(countsOf("wrong")).toEqual({ total: 2, completed: 0, failed: 1, canceled: 0 });
});

it("reopening returns items in progress to the queue, suspects them the second time, and removes what was not accepted", () => {
  const { ledger, admit, begin, claim } = ledgerWith();
  begin("one");
  ledger.enqueue(queued("d"), limits, 0);
  admit("unaccepted", { total: 1 });
  const claims: unknown[] = [];
  for (const _ of [0, 1, 2]) {
    claims.push(claim(), ledger.claimDocument(0));
    ledger.reopen();
  }

  const item = (tries: number) => ({
    batchId: "one",
    index: tries < 2 ? 0 : 1,
    interruptions: tries % 2,
    isAlone: false,
  });
  expect(claims).toMatchObject([
    ...[item(0), { tries: 0, interruptions: 0 }],
    ...[item(1), { tries: 1, interruptions: 1 }],
    ...[item(2), { tries: 2, interruptions: 2 }],
  ]);
  expect(ledger.claimSuspect(0)).toMatchObject({ index: 0, tries: 2, interruptions: 2, isAlone: true });
  ledger.begin("unaccepted");
  expect(ledger.find("unaccepted")).toBeNull();
});

it("a batch whose documents expire before its end is canceled, and its results are kept for an hour", () => {
  const { ledger, begin } = ledgerWith();
  begin("short", { batch: { expiresAt: 60_000 } });

  ledger.cancelOverdue({ nowMs: 60_000, beganBefore: 0, openedBefore: 0 });
  const counts = ledger.find("short")?.counts;
  ledger.markEnded("short", 61_000);
  ledger.end("short");

  expect(counts).toMatchObject({ total: 2, canceled: 2 });
  expect(ledger.find("short")?.batch.expiresAt).toBe(61_000 + 3_600_000);
  expect(ledger.cancelOverdue({ nowMs: 3_660_999, beganBefore: 0, openedBefore: 0 })).toEqual([]);
  expect(ledger.cancelOverdue({ nowMs: 3_661_000, beganBefore: 0, openedBefore: 0 })).toMatchObject([
    { batchId: "short" },
  ]);
});
