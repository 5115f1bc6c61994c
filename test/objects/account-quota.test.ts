// Tests the timing of an account's quota: which creates wait, which holds the alarm settles, and what a repair restores.
import { afterEach, expect, it, vi } from "vitest";
import type { ReserveRequest } from "../../src/core/accounts/quota.ts";
import { AccountQuota } from "../../src/objects/account-quota.ts";
import { objectStorage } from "../fakes/object-storage.ts";
import { failing, fakeNow, fakeServices } from "../fakes/services.ts";
import { completedDocument, reserveRequest } from "../fixtures/documents.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

afterEach(() => vi.useRealTimers().restoreAllMocks());

/** How long after the end of its lease the alarm removes a settled hold. */
const sweepAfterMs = 25 * 3_600_000;
const month = "2026-11";
const accountId = "a";
const deletion = { documentId: "", fileKey: "f", status: "completed" as const, leaseMs: 30_000 };

function quotaObject() {
  const storage = objectStorage();
  const services = fakeServices();
  const { state, documents } = services;
  const completedByMonth = async () => ({});
  const quota = new AccountQuota({ storage } as DurableObjectState, {} as Env, { ...services, completedByMonth });
  /** Reserves a hold for a render whose file is stored. */
  const reserve = (rest: Partial<ReserveRequest> = {}) => {
    const request = reserveRequest({ accountId, month }, rest);
    state.files.set(request.hold.draft.fileKey, completedDocument());
    return { draft: request.hold.draft, reservation: quota.reserve(JSON.stringify(request)) };
  };
  const alarmMs = async () => ((await storage.getAlarm()) ?? NaN) - fakeNow;
  const fireAlarm = async (afterMs: number) => {
    state.nowMs = fakeNow + afterMs;
    await storage.deleteAlarm();
    return quota.alarm().then(alarmMs);
  };
  /** Makes D1 fail for this document, until the returned function is called. */
  const failFor = (id: string) => {
    const { insert } = documents;
    documents.insert = (document, event) => (document.id === id ? failing("D1 is down")() : insert(document, event));
    return () => Object.assign(documents, { insert });
  };
  return { storage, state, quota, reserve, alarmMs, fireAlarm, failFor };
}

it.each<[string, (quota: AccountQuota, id: string) => Promise<void>]>([
  ["committed", (quota, id) => quota.commit(id)],
  ["released", (quota, id) => quota.release(id)],
  ["deleted", (quota, documentId) => quota.beginDelete(accountId, { ...deletion, documentId })],
])("a create waits while too many renders are in flight, until one of them is %s", async (_how, end) => {
  vi.useFakeTimers();
  const { quota, reserve } = quotaObject();
  const { draft } = reserve();
  const settled: string[] = [];
  // The second create cannot use its slot, because its key is known by then, so it passes the slot on.
  for (const idempotency of [{ key: "k", bodyHash: "b" }, { key: "k", bodyHash: "b" }, null])
    void reserve({ idempotency, inFlightLimit: 1 }).reservation.then(({ status }) => settled.push(status));
  await vi.advanceTimersByTimeAsync(17_999);
  const before = [...settled];

  await end(quota, draft.id);
  await vi.advanceTimersByTimeAsync(0);

  expect([before, settled.toSorted()]).toEqual([[], ["in_progress", "reserved"]]);
  expect((await quota.usage(month)).reserved).toBe(1);
});

it("the alarm is set for the end of a lease, even after the object was destroyed, but not for a refused create", async () => {
  const { quota, storage, reserve, alarmMs } = quotaObject();

  expect([(await reserve({ limit: 0 }).reservation).status, await alarmMs()]).toEqual(["exhausted", NaN]);
  expect([(await reserve().reservation).status, await alarmMs()]).toEqual(["reserved", 60_000]);
  await quota.destroy();
  expect([storage.kv.get("storage-version"), await alarmMs()]).toEqual([undefined, NaN]);
  expect([(await reserve().reservation).status, await alarmMs()]).toEqual(["reserved", 60_000]);
});

it("an object whose holds are settled has one alarm at the end of the lease, and then none for a day", async () => {
  const { quota, reserve, alarmMs, fireAlarm } = quotaObject();
  const { draft, reservation } = reserve();
  await reservation;
  await quota.commit(draft.id);
  const alarms: number[] = [];

  for (let at = await alarmMs(); at < sweepAfterMs; at = await fireAlarm(at)) alarms.push(at);

  expect([alarms, await alarmMs()]).toEqual([[60_000], sweepAfterMs + 60_000]);
});

it("the alarm settles each hold whose lease has ended, and retries a hold that it cannot settle five seconds later", async () => {
  const { quota, state, reserve, fireAlarm, failFor } = quotaObject();
  const first = reserve().draft;
  state.nowMs += 1_000;
  const [stuck, second] = [reserve().draft, reserve().draft];
  for (const draft of [first, second]) state.documents.set(draft.id, completedDocument(draft));
  const restore = failFor(stuck.id);
  const alarms = [await fireAlarm(59_999), await fireAlarm(60_000), await fireAlarm(61_000)];
  const left = await quota.usage(month);

  restore();
  await fireAlarm(66_000);
  // The alarm may have been set again immediately, to look for a file that is stored late.
  alarms.push(await fireAlarm(66_000), await fireAlarm(sweepAfterMs + 60_000));

  expect(alarms).toEqual([60_000, 61_000, 66_000, sweepAfterMs + 60_000, NaN]);
  expect([left, await quota.usage(month)]).toEqual([1, 0].map((reserved) => ({ used: 2, reserved })));
  expect(state.documents.get(stuck.id)).toMatchObject({ status: "failed", error: { code: "RENDER_FAILED" } });
  expect([...state.files.keys()]).toEqual([first.fileKey, second.fileKey]);
});

it.each([false, true])("the alarm finishes a delete; it keeps the file if the row is stored: %s", async (isStored) => {
  const { quota, state, storage, reserve, alarmMs, fireAlarm } = quotaObject();
  const { id: documentId, ...draft } = reserve().draft;
  await storage.deleteAlarm();
  await quota.beginDelete(accountId, { documentId, fileKey: draft.fileKey, status: "completed", leaseMs: 30_000 });
  if (isStored) state.documents.set(documentId, completedDocument({ ...draft, id: documentId }));
  const before = [await alarmMs(), await quota.unsettled()];

  await fireAlarm(30_000);

  expect([before, await quota.unsettled()]).toEqual([[30_000, 1], 0]);
  expect(state.files.has(draft.fileKey)).toBe(isStored);
});

it("a repair reports what it settled, and sets the alarm for the remaining holds", async () => {
  const { quota, state, storage, reserve, alarmMs, failFor } = quotaObject();
  const unused = [await quota.repair(accountId), await quota.unsettled(), storage.kv.get("storage-version")];
  const [{ draft: expired }, { draft: stuck, reservation }] = [reserve(), reserve()];
  await reservation;
  const intact = await quota.repair(accountId);
  state.nowMs += 60_000;
  await storage.deleteAlarm();
  failFor(stuck.id);

  const repaired = [await quota.repair(accountId), await quota.unsettled(), await alarmMs()];

  const kinds = ["expired_hold", "overdue_file_removal"];
  const settled = kinds.map((kind) => ({ kind, accountId, documentId: expired.id }));
  const alarm = { kind: "missing_alarm", accountId, object: "AccountQuota" };
  expect([unused, intact]).toEqual([[[], 0, undefined], []]);
  expect(repaired).toEqual([[...settled, alarm], 1, 60_000]);
});
