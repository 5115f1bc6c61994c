// One account's monthly quota. `accounts/quota-ledger.ts` keeps the records, and `operations/documents/settle-hold.ts`
// settles a hold. This class adds the timing. Its alarm settles holds whose lease has expired. If too many renders are
// in flight, a create waits until one of them ends. A repair pass mends what a lost alarm has left.
import { DurableObject } from "cloudflare:workers";
import { settleDeletion, settleHold } from "../operations/documents/settle-hold.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { exportPage } from "./runtime/export-page.ts";
import { hasTables } from "./runtime/storage-version.ts";
import type { Mend } from "../core/maintenance/repair.ts";
import type { MaintainedQuota } from "../platform/maintenance/account-objects.ts";
import type { TablePage, TablePosition } from "../ports/maintenance.ts";
import type { QuotaObject } from "../platform/accounts/quota-client.ts";
import type { LedgerDeletion } from "./accounts/deletion-records.ts";
import type { LedgerHold } from "./accounts/hold-records.ts";
import { quotaLedger, type LedgerReservation, type QuotaLedger } from "./accounts/quota-ledger.ts";
import { InFlightQueue } from "./accounts/in-flight-queue.ts";
import { overdueMends, wrongCounts, type WrongCount } from "./accounts/quota-repair.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "../core/accounts/quota.ts";
import type { PoolRefusal } from "../core/rendering/render-job.ts";
import type { QuotaServices } from "../ports/services.ts";
import { settlementServices } from "../services.ts";
import { readNumber } from "../settings.ts";

/** The delay before the alarm retries a failed settlement. */
const settlementRetryMs = 5_000;
/** A round of a repair settles as many records as an alarm does. */
const maxRepairRounds = 10;

export class AccountQuota extends DurableObject<Env> implements QuotaObject, MaintainedQuota {
  #openLedger: QuotaLedger | null = null;
  #services: QuotaServices;
  #inFlight = new InFlightQueue(() => Math.random());
  #waitMs: number;
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#services = settlementServices(env);
    this.#waitMs = readNumber(env, "IN_FLIGHT_WAIT_MS");
  }

  /** Opening the ledger creates its tables, so an object that is only repaired or destroyed does not open it. */
  get #ledger(): QuotaLedger {
    return (this.#openLedger ??= quotaLedger(this.ctx.storage));
  }

  async reserve(request: string): Promise<Reservation> {
    const parsed = JSON.parse(request) as ReserveRequest;
    if (this.#inFlight.isRefusedByPool(parsed)) return this.#reserveNothing(parsed);
    const reservation = await this.#tryReserve(parsed);
    return reservation.status === "too_many_in_flight" ? this.#waitAndReserve(parsed) : reservation;
  }

  /** Returns what a reservation finds that is not new: a repeat of an earlier request, or that no renders are left. */
  async #reserveNothing(request: ReserveRequest): Promise<Reservation> {
    const found = await this.#tryReserve({ ...request, inFlightLimit: 0 });
    if (found.status !== "too_many_in_flight") return found;
    return { status: "no_capacity", retryAfterSeconds: this.#inFlight.retryAfterSeconds(request.hold.draft.accountId) };
  }

  /** Waits for `IN_FLIGHT_WAIT_MS` at most. After that, the Worker calls again, so no create waits whose caller is gone. */
  async #waitAndReserve(request: ReserveRequest): Promise<Reservation> {
    for (const waitsUntil = this.#services.now() + this.#waitMs; ;) {
      const waited = await this.#inFlight.wait(request, waitsUntil - this.#services.now());
      if (waited.status === "waiting") return waited;
      if (waited.status === "refused")
        return { status: "too_many_in_flight", retryAfterSeconds: waited.retryAfterSeconds };
      const reservation = await this.#tryReserve(request);
      if (reservation.status === "too_many_in_flight") continue;
      // If this create does not need the slot, wake the next one.
      if (reservation.status !== "reserved") this.#inFlight.admitNext();
      return reservation;
    }
  }

  async #tryReserve(request: ReserveRequest): Promise<LedgerReservation> {
    const nowMs = this.#services.now();
    const reservation = this.#ledger.reserve(request, nowMs);
    if (reservation.status === "reserved") {
      this.#inFlight.observe(this.#ledger.inFlight());
      await this.#alarm.setNoLaterThan(nowMs + request.hold.leaseMs);
    }
    return reservation;
  }

  async lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async commit(documentId: string): Promise<void> {
    this.#ledger.commit(documentId);
    this.#holdSettled();
  }

  async release(documentId: string, refused?: { accountId: string; refusal: PoolRefusal }): Promise<void> {
    this.#ledger.release(documentId);
    if (refused) this.#inFlight.poolRefused(refused.accountId, refused.refusal);
    this.#holdSettled();
    await this.#setAlarmForNextDue();
  }

  async usage(month: string): Promise<{ used: number; reserved: number }> {
    return this.#ledger.usage(month);
  }

  async beginDelete(accountId: string, deletion: Deletion): Promise<void> {
    const nowMs = this.#services.now();
    this.#ledger.beginDelete(accountId, deletion, nowMs);
    this.#holdSettled();
    await this.#alarm.setNoLaterThan(nowMs + deletion.leaseMs);
  }

  #holdSettled(): void {
    this.#inFlight.observe(this.#ledger.inFlight());
    this.#inFlight.admitNext();
  }

  /**
   * Settles expired holds and finishes interrupted deletes. Each step is idempotent, because the platform may repeat an
   * alarm.
   */
  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const isSettled = await this.#settleDue();
    await this.#setAlarmForNextDue(isSettled ? 0 : this.#services.now() + settlementRetryMs);
  }

  /** Settles some of the work that is due. Returns false if any of it failed. */
  async #settleDue(): Promise<boolean> {
    const nowMs = this.#services.now();
    const settled = await Promise.all([
      ...this.#ledger.expired(nowMs).map((hold) => this.#settle(hold)),
      ...this.#ledger.overdueDeletions(nowMs).map((deletion) => this.#finishDelete(deletion)),
    ]);
    this.#ledger.sweep(this.#services.now());
    return !settled.includes(false);
  }

  /**
   * Sets the alarm for the time at which the next work is due, but not for a time before `soonest` (ms since the
   * epoch).
   */
  async #setAlarmForNextDue(soonest = 0): Promise<void> {
    const next = this.#ledger.nextDue();
    if (next !== null) await this.#alarm.setNoLaterThan(Math.max(next, soonest));
  }

  #settle({ documentId, hold }: LedgerHold): Promise<boolean> {
    return this.#succeeds(documentId, async () => {
      const status = await settleHold(this.#services, hold);
      if (status === "completed") await this.commit(documentId);
      else await this.release(documentId);
    });
  }

  #finishDelete(deletion: LedgerDeletion): Promise<boolean> {
    return this.#succeeds(deletion.documentId, async () => {
      await settleDeletion(this.#services, deletion.accountId, deletion);
      this.#ledger.endDelete(deletion);
    });
  }

  /**
   * Runs `settle` and returns whether it succeeded. After a failure the record stays, so that the next alarm tries
   * again.
   */
  async #succeeds(documentId: string, settle: () => Promise<void>): Promise<boolean> {
    try {
      await settle();
      return true;
    } catch (cause) {
      this.#services.log("error", { event: "quota.settle_failed", documentId, cause });
      return false;
    }
  }

  /**
   * Mends what is overdue and counts that differ from D1, and returns what was mended. A dry run returns what would be mended,
   * and changes nothing.
   */
  async repair(accountId: string, isDryRun: boolean): Promise<Mend[]> {
    const { overdue, counts } = await this.#findMends(accountId);
    const correction = (count: WrongCount): Mend => ({ kind: "wrong_count", accountId, ...count });
    if (isDryRun || overdue.length + counts.length === 0) return [...overdue, ...counts.map(correction)];
    const nowMs = this.#services.now();
    for (let round = 0; round < maxRepairRounds; round++) {
      if (!(await this.#settleDue()) || overdueMends(this.#ledger, accountId, nowMs).length === 0) break;
    }
    const corrected = counts.filter((count) => this.#ledger.correctCount(count));
    await this.#restoreAlarm();
    const left = new Set(overdueMends(this.#ledger, accountId, nowMs).map((mend) => JSON.stringify(mend)));
    return [...overdue.filter((mend) => !left.has(JSON.stringify(mend))), ...corrected.map(correction)];
  }

  async #findMends(accountId: string): Promise<{ overdue: Mend[]; counts: WrongCount[] }> {
    const isUnused = !hasTables(this.ctx.storage);
    const counts = isUnused ? { committed: {}, monthsWithHolds: [] } : this.#ledger.counts();
    const wrong = wrongCounts(counts, await this.#services.archive.completedByMonth(accountId));
    if (isUnused) return { overdue: [], counts: wrong };
    const isAlarmMissing = this.#ledger.nextDue() !== null && (await this.ctx.storage.getAlarm()) === null;
    const overdue = overdueMends(this.#ledger, accountId, this.#services.now());
    if (isAlarmMissing) overdue.push({ kind: "missing_alarm", accountId, object: "AccountQuota" });
    return { overdue, counts: wrong };
  }

  /** Sets the alarm even if this instance believes that it is set, because the platform drops an alarm that kept failing. */
  async #restoreAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) === null) this.#alarm.hasFired();
    await this.#setAlarmForNextDue();
  }

  async unsettled(): Promise<number> {
    return hasTables(this.ctx.storage) ? this.#ledger.unsettled() : 0;
  }

  async exportPage(position: TablePosition | null): Promise<TablePage> {
    return exportPage(this.ctx.storage, ["holds", "months", "idempotency_keys", "deletions"], position);
  }

  async destroy(): Promise<void> {
    this.#openLedger = null;
    this.#alarm.hasFired();
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }
}
