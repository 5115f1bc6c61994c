// Renders one account's batches and queued documents. `batches/batch-ledger.ts` keeps the records, `batches/task-loop.ts` runs several
// renders at a time, and `operations/batches` does each step. This class chooses the next render, and its alarm continues after a restart.
import { DurableObject } from "cloudflare:workers";
import type { IdempotencyKey } from "../core/accounts/quota.ts";
import type { Acceptance, AcceptRequest, BatchState, ItemState } from "../core/batches/batch.ts";
import { maxFaults, type Faults } from "../core/batches/render-faults.ts";
import type { Repair } from "../core/maintenance/repair.ts";
import type { Listed, Page } from "../core/pagination.ts";
import { queuedLeaseMs } from "../operations/batches/render-items.ts";
import type { MaintainedObject } from "../platform/maintenance/account-objects.ts";
import type { Batches, KnownBatch, QueuedDocument } from "../ports/batches.ts";
import type { BatchServices } from "../ports/services.ts";
import { batchServices } from "../services/object-services.ts";
import { batchLedger, openMs, type BatchLedger } from "./batches/batch-ledger.ts";
import { finishBatch, isMerging, removeMergedFiles, removeExpiredBatches } from "./batches/finish-batch.ts";
import { TaskLoop, type Task, type TaskEnd } from "./batches/task-loop.ts";
import { QueueTasks } from "./queue-tasks.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { hasTables } from "./runtime/ledger.ts";

/**
 * How much one alarm does, within the platform's limits for an alarm (10,000 calls, 1,000 queries, and the processor time set
 * in `wrangler.toml`): a render makes four calls, and heavy Liquid takes a second of processor time.
 */
const slice = { ms: 10_000, longMs: 60_000, tasks: 250 };
/** If the object ends during an alarm, the next alarm comes after this time at the latest. */
const watchdogMs = 60_000;
/** The storage key of the time at which the alarm's current run began. It is removed when the run ends. */
const runKey = "run-began";
/** More than a part of a batch has if each of its items has at most 1 MiB. */
const largeChunkBytes = 1_500_000;

export class BatchRunner extends DurableObject<Env> implements Batches, MaintainedObject {
  readonly #services: BatchServices;
  readonly #alarm: EarliestAlarm;
  readonly #newLoop: () => TaskLoop;
  #loop: TaskLoop;
  readonly #tasks: QueueTasks;
  #openLedger: BatchLedger | null = null;
  /** The number of items and documents that were waiting when the run began. */
  #waiting = 0;
  readonly #accepting = new Map<string, Promise<Acceptance>>();
  /** The batches that are being finished, and those that could not be finished, with the time of their next try. */
  readonly #finishing = new Map<string, Faults & { isMerging: boolean }>();

  constructor(ctx: DurableObjectState, env: Env, services?: BatchServices) {
    super(ctx, env);
    this.#services = services ?? batchServices(env, (work) => ctx.waitUntil(work));
    this.#alarm = earliestAlarm(ctx.storage);
    const { now, log } = this.#services;
    const atOnce = () => this.#services.rendersAtOnce(this.#waiting);
    const failed = (cause: unknown) => log("warn", { event: "batch.postponed", cause });
    this.#newLoop = () => new TaskLoop({ atOnce, slice, now, next: (isIdle) => this.#next(isIdle), failed });
    this.#loop = this.#newLoop();
    this.#tasks = new QueueTasks(this.#services, { ledger: () => this.#ledger, isStopped: () => this.#loop.isStopped });
  }

  /** Opening the ledger creates its tables. Renders that were in progress in an earlier instance are queued again. */
  get #ledger(): BatchLedger {
    if (!this.#openLedger) {
      this.#openLedger = batchLedger(this.ctx.storage);
      const renders = this.#openLedger.reopen();
      const beganAt = this.ctx.storage.kv.get<number>(runKey) ?? null;
      if (renders > 0 || beganAt !== null)
        this.#services.log("warn", { event: "batch.run_interrupted", renders, beganAt });
    }
    return this.#openLedger;
  }

  async open(accountId: string, batchId: string): Promise<void> {
    const nowMs = this.#services.now();
    this.#ledger.open(accountId, batchId, nowMs);
    await this.#alarm.setNoLaterThan(nowMs + openMs);
  }

  async accept(_accountId: string, request: AcceptRequest): Promise<Acceptance> {
    const { id } = request.batch;
    // The call may repeat one that is still in progress.
    const acceptance = this.#accepting.get(id) ?? this.#accept(request).finally(() => this.#accepting.delete(id));
    this.#accepting.set(id, acceptance);
    return acceptance;
  }

  async #accept(request: AcceptRequest): Promise<Acceptance> {
    const { id, accountId, month } = request.batch;
    const { now, settings, quota } = this.#services;
    if (!hasTables(this.ctx.storage)) return { status: "deleted" };
    const admission = this.#ledger.admit(request, settings.batchLimits, now());
    if (admission.status !== "admitted") return admission;
    try {
      const hold = { batchId: id, month, total: request.customIds.length };
      const reservation = await quota.reserveBatch(accountId, hold, request.limit);
      if (reservation.status === "exhausted") return reservation;
      this.#ledger.begin(id);
      const state = this.#ledger.find(id);
      return state ? { status: "accepted", state, used: reservation.used } : { status: "deleted" };
    } finally {
      // Does not remove a batch that has begun.
      this.#ledger.drop(id);
      await this.#workSoon();
    }
  }

  async drop(_accountId: string, batchId: string): Promise<void> {
    if (!hasTables(this.ctx.storage)) return; // The account was removed while the items arrived.
    this.#ledger.drop(batchId);
    await this.#workSoon();
  }

  async enqueue(accountId: string, document: QueuedDocument): Promise<"queued" | "too_many"> {
    const { now, settings, quota } = this.#services;
    if (this.#ledger.enqueue(document, settings.batchLimits, now()) === "too_many") return "too_many";
    await this.#workSoon();
    // If this fails, the lease ends earlier, and the document fails unless it has been rendered by then.
    await quota.extend(accountId, document.hold.draft.id, queuedLeaseMs(settings));
    return "queued";
  }

  async lookUpKey(_accountId: string, idempotency: IdempotencyKey): Promise<KnownBatch> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async find(_accountId: string, batchId: string): Promise<BatchState | null> {
    return hasTables(this.ctx.storage) ? this.#ledger.find(batchId) : null;
  }

  async list(_accountId: string, page: Page): Promise<Listed<BatchState>> {
    return this.#ledger.list(page);
  }

  async results(_accountId: string, batchId: string, from: number, limit: number): Promise<ItemState[] | null> {
    return this.#ledger.find(batchId) && this.#ledger.results(batchId, from, limit);
  }

  async cancel(accountId: string, batchId: string): Promise<BatchState | null> {
    if (!this.#ledger.find(batchId)) return null;
    this.#ledger.cancel(batchId);
    await this.#tasks.settle(accountId, batchId);
    await this.#workSoon();
    return this.#ledger.find(batchId);
  }

  async endLinks(_accountId: string, batchId: string): Promise<boolean> {
    if (!this.#ledger.find(batchId)) return false;
    this.#ledger.endLinks(batchId);
    return true;
  }

  async remove(_accountId: string, batchId: string): Promise<"removed" | "not_ended" | "not_found"> {
    if (!this.#ledger.find(batchId)) return "not_found";
    if (!this.#ledger.remove(batchId)) return "not_ended";
    await this.#workSoon();
    return "removed";
  }

  /** A run in progress looks for new work by itself; otherwise, the alarm begins a run. */
  async #workSoon(): Promise<void> {
    this.#loop.wake();
    if (!this.#loop.isRunning) await this.#alarm.setNoLaterThan(this.#services.now());
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const { now } = this.#services;
    await this.#alarm.setNoLaterThan(now() + watchdogMs);
    const loop = this.#loop;
    const removeAt = (await removeExpiredBatches(this.#services, this.#ledger)) ? 0 : now() + watchdogMs;
    if (loop.isStopped) return;
    this.#waiting = this.#ledger.waiting();
    this.ctx.storage.kv.put(runKey, now());
    await loop.run();
    if (loop.isStopped) return;
    this.ctx.storage.kv.delete(runKey);
    const due = this.#nextDue(removeAt);
    await this.#alarm.moveTo(due && Math.max(due, loop.pausedUntilMs));
  }

  /** Returns the time of the next work, not before now; null if there is none. */
  #nextDue(removeAt = 0): number | null {
    const finishes = [...this.#finishing.values()].map((finish) => finish.due);
    if (this.#nextFinished()) finishes.push(0);
    const due = Math.min(this.#ledger.nextDue(removeAt) ?? Infinity, ...finishes);
    return due === Infinity ? null : Math.max(due, this.#services.now());
  }

  /** Queued documents come first, then batches that can be finished, then items, and last the items that have crashed the browser. */
  #next(isIdle: boolean): Task | null {
    const nowMs = this.#services.now();
    const document = this.#ledger.claimDocument(nowMs);
    // One task with much data at a time, because its values take memory.
    if (document) return { run: () => this.#tasks.runDocument(document, this.#waiting), isAlone: document.isLarge };
    const finished = this.#nextFinished();
    if (finished) return { run: () => this.#finish(finished), isLong: isMerging(finished) };
    const item = this.#ledger.claimItem(nowMs) ?? (isIdle ? this.#ledger.claimSuspect(nowMs) : null);
    if (!item) return null;
    const isAlone = item.isAlone || this.#ledger.chunkOf(item.batchId, item.index).length > largeChunkBytes;
    return { run: () => this.#tasks.runItem(item, this.#waiting), isAlone };
  }

  async #finish(state: BatchState): Promise<TaskEnd> {
    const { id, accountId } = state.batch;
    const faults = Math.min(this.#finishing.get(id)?.faults ?? 0, maxFaults - 2); // Finishing a batch is retried without limit.
    this.#finishing.set(id, { faults, due: Infinity, isMerging: isMerging(state) });
    try {
      const isStopped = () => this.#loop.isStopped;
      await finishBatch({ services: this.#services, ledger: this.#ledger, isStopped }, state);
      this.#finishing.delete(id);
      return "done";
    } catch (cause) {
      return this.#tasks.retryLater({ accountId, cause, before: { faults, due: 0 } }, (after) => {
        this.#finishing.set(id, { ...after, isMerging: false });
        // The try does not count: the documents can be merged when the service works again.
        if (after.faults === faults) this.#ledger.countMergeTries(id, -2);
      });
    }
  }

  /** Merges one batch at a time, because its documents and the merged file take memory. */
  #nextFinished(): BatchState | null {
    const nowMs = this.#services.now();
    const hasMerge = [...this.#finishing.values()].some((finish) => finish.isMerging);
    const isNext = (state: BatchState) =>
      (this.#finishing.get(state.batch.id)?.due ?? 0) <= nowMs && !(hasMerge && isMerging(state));
    return this.#ledger.finished().find(isNext) ?? null;
  }

  /** Sets the alarm if it was lost, corrects counts, and reports each batch's progress to the quota. */
  async repair(accountId: string): Promise<Repair[]> {
    if (!hasTables(this.ctx.storage)) return [];
    const corrected = this.#ledger.recount();
    for (const batchId of this.#ledger.openBatches()) await this.#tasks.settle(accountId, batchId);
    const repairs = corrected.map((batchId): Repair => ({ kind: "wrong_batch_count", accountId, batchId }));
    const due = this.#nextDue();
    if (due === null || (await this.ctx.storage.getAlarm()) !== null || this.#loop.isRunning) return repairs;
    this.#alarm.hasFired();
    await this.#alarm.setNoLaterThan(due);
    return [...repairs, { kind: "missing_alarm", accountId, object: "BatchRunner" }];
  }

  async destroy(): Promise<void> {
    await this.#loop.stop();
    if (hasTables(this.ctx.storage)) await removeMergedFiles(this.#services, this.#ledger);
    this.#openLedger = null;
    await this.#alarm.moveTo(null);
    await this.ctx.storage.deleteAll();
    this.#finishing.clear();
    this.#loop = this.#newLoop(); // The account may be imported again.
  }
}
