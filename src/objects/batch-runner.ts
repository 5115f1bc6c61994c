// Renders one account's batches and queued documents. `batches/batch-ledger.ts` keeps the records, `batches/task-loop.ts` runs
// several renders at a time, and `operations/batches` does each step. This class decides what is next, and its alarm continues
// after a restart.
import { DurableObject } from "cloudflare:workers";
import { queuedLeaseMs, renderDocument, renderItem } from "../operations/batches/render-items.ts";
import { batchLedger, openMs, type BatchLedger } from "./batches/batch-ledger.ts";
import { finishBatch, removeBatch, removeMergedFiles } from "./batches/finish-batch.ts";
import { itemLines, type ItemLines } from "./batches/item-lines.ts";
import { TaskLoop, type Task, type TaskEnd } from "./batches/task-loop.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { hasTables } from "./runtime/storage-version.ts";
import type { Acceptance, AcceptRequest, BatchState, ItemState } from "../core/batches/batch.ts";
import type { IdempotencyKey } from "../core/accounts/quota.ts";
import type { Repair } from "../core/maintenance/repair.ts";
import type { Page } from "../core/pagination.ts";
import type { MaintainedObject } from "../platform/maintenance/account-objects.ts";
import type { Batches, BatchList, ClaimedDocument, ClaimedItem, KnownBatch, QueuedDocument } from "../ports/batches.ts";
import type { BatchServices } from "../ports/services.ts";
import { batchServices } from "../services/batch-services.ts";

/** What one alarm does. The platform limits the processor time and the calls of an alarm, and each alarm begins anew. */
const slice = { ms: 30_000, tasks: 1_000 };
/** If the object ends during an alarm, the next one comes after this time at the latest. */
const watchdogMs = 60_000;
/** A batch that has not ended by then is canceled. */
const maxBatchMs = 24 * 3_600_000;

export class BatchRunner extends DurableObject<Env> implements Batches, MaintainedObject {
  readonly #services: BatchServices;
  readonly #alarm: EarliestAlarm;
  readonly #newLoop: () => TaskLoop;
  #loop: TaskLoop;
  readonly #lines: ItemLines;
  #openLedger: BatchLedger | null = null;
  readonly #accepting = new Map<string, Promise<Acceptance>>();
  readonly #finishing = new Set<string>();

  constructor(ctx: DurableObjectState, env: Env, services?: BatchServices) {
    super(ctx, env);
    this.#services = services ?? batchServices(env, (work) => ctx.waitUntil(work));
    this.#alarm = earliestAlarm(ctx.storage);
    this.#lines = itemLines(this.#services.batchFiles);
    const { now, log, rendersAtOnce: atOnce } = this.#services;
    const failed = (cause: unknown) => log("warn", { event: "batch.postponed", cause });
    this.#newLoop = () => new TaskLoop({ atOnce, slice, now, next: (isIdle) => this.#next(isIdle), failed });
    this.#loop = this.#newLoop();
  }

  /** Opening the ledger creates its tables. What an earlier instance had in progress waits again. */
  get #ledger(): BatchLedger {
    if (!this.#openLedger) {
      this.#openLedger = batchLedger(this.ctx.storage);
      this.#openLedger.reopen();
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
    // The call may be a repeat of one that is still in progress.
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
      // A batch that has begun stays.
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
    // If this fails, the lease ends early, and the document fails unless it has been rendered by then.
    await quota.extend(accountId, document.hold.draft.id, queuedLeaseMs(settings));
    return "queued";
  }

  async lookUpKey(_accountId: string, idempotency: IdempotencyKey): Promise<KnownBatch> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async find(_accountId: string, batchId: string): Promise<BatchState | null> {
    return hasTables(this.ctx.storage) ? this.#ledger.find(batchId) : null;
  }

  async list(_accountId: string, page: Page): Promise<BatchList> {
    return this.#ledger.list(page);
  }

  async results(_accountId: string, batchId: string, from: number, limit: number): Promise<ItemState[] | null> {
    return this.#ledger.find(batchId) && this.#ledger.results(batchId, from, limit);
  }

  async cancel(accountId: string, batchId: string): Promise<BatchState | null> {
    if (!this.#ledger.find(batchId)) return null;
    this.#ledger.cancel(batchId);
    await this.#settle(accountId, batchId);
    await this.#workSoon();
    return this.#ledger.find(batchId);
  }

  async remove(_accountId: string, batchId: string): Promise<"removed" | "not_ended" | "not_found"> {
    if (!this.#ledger.find(batchId)) return "not_found";
    if (!this.#ledger.remove(batchId)) return "not_ended";
    await this.#workSoon();
    return "removed";
  }

  /** A run that is in progress looks for new work by itself; otherwise, the alarm begins one. */
  async #workSoon(): Promise<void> {
    this.#loop.wake();
    if (!this.#loop.isRunning) await this.#alarm.setNoLaterThan(this.#services.now());
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const { now, log } = this.#services;
    await this.#alarm.setNoLaterThan(now() + watchdogMs);
    const earliest = await this.#sweep().catch((cause: unknown) => {
      log("warn", { event: "batch.not_removed", cause });
      return now() + watchdogMs;
    });
    const loop = this.#loop;
    await loop.run();
    if (loop.isStopped) return;
    const due = this.#ledger.nextDue(now());
    if (due === null) return this.#alarm.clear();
    await this.#alarm.setNoLaterThan(Math.max(due, earliest, this.#loop.pausedUntilMs));
  }

  /** Removes what has expired. Returns the earliest time for the next alarm. */
  async #sweep(): Promise<number> {
    const nowMs = this.#services.now();
    const times = { nowMs, beganBefore: nowMs - maxBatchMs, openedBefore: nowMs - openMs };
    for (const batch of this.#ledger.sweep(times)) await removeBatch(this.#services, this.#ledger, batch);
    return nowMs;
  }

  /** Queued documents come first, then batches that can be finished, then items, and last those that have crashed the browser. */
  #next(isIdle: boolean): Task | null {
    const { now } = this.#services;
    const document = this.#ledger.claimDocument();
    if (document) return { run: () => this.#renderDocument(document) };
    const finished = this.#ledger.claimFinished(this.#finishing);
    if (finished) return { run: () => this.#finish(finished) };
    const item = this.#ledger.claimItem(now()) ?? (isIdle ? this.#ledger.claimSuspect() : null);
    return item && { run: () => this.#renderItem(item), isAlone: item.isAlone };
  }

  async #renderDocument(claimed: ClaimedDocument): Promise<TaskEnd> {
    const { hold, at } = claimed.document;
    let retryAfterSeconds: number | null = 0;
    try {
      retryAfterSeconds = await renderDocument(this.#services, this.#services.at(at), claimed);
      return retryAfterSeconds === null ? "done" : { retryAfterSeconds };
    } finally {
      if (retryAfterSeconds === null) this.#ledger.endDocument(hold.draft.id);
      else this.#ledger.returnDocument(hold.draft.id);
    }
  }

  async #renderItem(claimed: ClaimedItem): Promise<TaskEnd> {
    const { batchId, index } = claimed;
    let isSuspect: boolean | null = false;
    try {
      const batch = this.#ledger.batch(batchId);
      const item = await this.#lines.read(batch.accountId, batchId, this.#ledger.chunkOf(batchId, index), index);
      const render = await renderItem(this.#services.at(batch.at), batch, item, claimed);
      if (render.status === "postponed") return render;
      isSuspect = render.status === "crashed" || null;
      if (render.status === "ended") {
        this.#ledger.endItem(batchId, index, render.outcome);
        await this.#settle(batch.accountId, batchId);
      }
      return isSuspect ? { retryAfterSeconds: 0 } : "done";
    } finally {
      if (isSuspect !== null) this.#ledger.returnItem(batchId, index, isSuspect);
    }
  }

  /** Tells the quota how far the batch has got. If that fails, the end of the batch makes up for it. */
  async #settle(accountId: string, batchId: string): Promise<void> {
    const { quota, log } = this.#services;
    const settled = quota.settleBatch(accountId, batchId, this.#ledger.progress(batchId));
    await settled.catch((cause: unknown) => log("warn", { event: "batch.not_settled", batchId, cause }));
  }

  async #finish(state: BatchState): Promise<TaskEnd> {
    const { id } = state.batch;
    this.#finishing.add(id);
    try {
      await finishBatch(this.#services, this.#ledger, state);
      return "done";
    } finally {
      this.#finishing.delete(id);
    }
  }

  /** Sets the alarm if it was lost, corrects counts, and tells the quota how far each batch has got. */
  async repair(accountId: string): Promise<Repair[]> {
    if (!hasTables(this.ctx.storage)) return [];
    const { now } = this.#services;
    const corrected = this.#ledger.recount();
    for (const batchId of this.#ledger.openBatches()) await this.#settle(accountId, batchId);
    const repairs = corrected.map((batchId): Repair => ({ kind: "wrong_batch_count", accountId, batchId }));
    const due = this.#ledger.nextDue(now());
    if (due === null || (await this.ctx.storage.getAlarm()) !== null || this.#loop.isRunning) return repairs;
    this.#alarm.hasFired();
    await this.#alarm.setNoLaterThan(due);
    return [...repairs, { kind: "missing_alarm", accountId, object: "BatchRunner" }];
  }

  async destroy(): Promise<void> {
    await this.#loop.stop();
    if (hasTables(this.ctx.storage)) await removeMergedFiles(this.#services, this.#ledger);
    this.#openLedger = null;
    await this.#alarm.clear();
    await this.ctx.storage.deleteAll();
    this.#loop = this.#newLoop(); // The account may be imported again.
  }
}
