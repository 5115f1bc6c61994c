// One account's monthly quota. `accounts/quota-ledger.ts` keeps the records, and `operations/documents/settle-hold.ts` settles a hold. This
// class adds the timing. Its alarm settles holds whose lease has expired. If too many renders are in flight, a create waits until one of
// them ends. A repair pass settles what remains if an alarm is lost.
import { DurableObject } from "cloudflare:workers";
import type {
  BatchHold,
  BatchProgress,
  BatchReservation,
  Deletion,
  IdempotencyKey,
  KnownKey,
  Reservation,
  ReserveRequest,
} from "../core/accounts/quota.ts";
import type { Repair } from "../core/maintenance/repair.ts";
import { FairQueue } from "../core/rendering/fair-queue.ts";
import { maxWaitMs, retryAfterSeconds } from "../core/rendering/wait-limit.ts";
import { settleDeletion, settleHold } from "../operations/documents/settle-hold.ts";
import type { QuotaObject } from "../platform/accounts/quota-client.ts";
import type { MaintainedQuota } from "../platform/maintenance/account-objects.ts";
import type { QuotaServices } from "../ports/services.ts";
import { settlementServices } from "../services/shared-services.ts";
import type { LedgerDeletion, LedgerHold } from "./accounts/hold-records.ts";
import { quotaLedger, wrongCounts, type LedgerReservation, type QuotaLedger } from "./accounts/quota-ledger.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { hasTables } from "./runtime/ledger.ts";

/** The delay before the alarm retries a failed settlement. */
const settlementRetryMs = 5_000;
/** The maximum number of creates of an account that wait because too many of its renders are in flight. */
const maxWaiting = 256;

/** A create and its last reservation, which is `too_many_in_flight` while the create waits. */
type WaitingCreate = { accountId: string; request: ReserveRequest; reservation: LedgerReservation };

export class AccountQuota extends DurableObject<Env> implements QuotaObject, MaintainedQuota {
  #openLedger: QuotaLedger | null = null;
  #services: QuotaServices;
  /** The creates that wait because too many renders are in flight, in the order in which they arrived. */
  #waiting = new FairQueue<WaitingCreate>(maxWaiting);
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env, services: QuotaServices = settlementServices(env)) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#services = services;
  }

  /** Opening the ledger creates its tables, so an object that is only repaired or destroyed does not open it. */
  get #ledger(): QuotaLedger {
    return (this.#openLedger ??= quotaLedger(this.ctx.storage));
  }

  /** If too many renders are in flight, waits until one has ended. If the Worker is gone by then, the hold remains until its lease ends. */
  async reserve(request: string): Promise<Reservation> {
    const parsed = JSON.parse(request) as ReserveRequest;
    const { hold, inFlightLimit, timeoutMs } = parsed;
    const first = this.#ledger.reserve(parsed, this.#services.now());
    const create = { accountId: hold.draft.accountId, request: parsed, reservation: first };
    if (create.reservation.status === "too_many_in_flight") await this.#waiting.wait(create, maxWaitMs(timeoutMs));
    const { reservation } = create;
    if (reservation.status === "too_many_in_flight") {
      const retryAfter = retryAfterSeconds(this.#waiting.length, inFlightLimit, Math.random());
      return { ...reservation, retryAfterSeconds: retryAfter };
    }
    if (reservation.status === "reserved") await this.#alarm.setNoLaterThan(this.#services.now() + hold.leaseMs);
    return reservation;
  }

  async lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async commit(documentId: string): Promise<void> {
    this.#ledger.commit(documentId);
    this.#reserveWaiting();
  }

  async release(documentId: string): Promise<void> {
    this.#ledger.release(documentId);
    this.#reserveWaiting();
    await this.#setAlarmForNextDue();
  }

  async extend(documentId: string, leaseMs: number): Promise<void> {
    this.#ledger.extend(documentId, this.#services.now() + leaseMs);
    await this.#setAlarmForNextDue();
  }

  async reserveBatch(hold: BatchHold, limit: number): Promise<BatchReservation> {
    return this.#ledger.reserveBatch(hold, limit, this.#services.now());
  }

  async settleBatch(batchId: string, progress: BatchProgress): Promise<void> {
    this.#ledger.settleBatch(batchId, progress, this.#services.now());
  }

  async usage(month: string): Promise<{ used: number; reserved: number }> {
    return this.#ledger.usage(month);
  }

  async beginDelete(accountId: string, deletion: Deletion): Promise<void> {
    const nowMs = this.#services.now();
    this.#ledger.beginDelete(accountId, deletion, nowMs);
    this.#reserveWaiting();
    await this.#alarm.setNoLaterThan(nowMs + deletion.leaseMs);
  }

  /** Reserves the holds of waiting creates, in the order in which they arrived, until too many renders are in flight again. */
  #reserveWaiting(): void {
    for (let next = this.#waiting.next(); next; next = this.#waiting.next()) {
      next.reservation = this.#ledger.reserve(next.request, this.#services.now());
      if (next.reservation.status === "too_many_in_flight") return;
      this.#waiting.admit(next);
    }
  }

  /** Settles expired holds and finishes interrupted deletes. Each step is idempotent, because the platform may repeat an alarm. */
  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const { hasFailed } = await this.#settleDue();
    await this.#setAlarmForNextDue(hasFailed ? this.#services.now() + settlementRetryMs : 0);
  }

  /** Settles some of the due work. Returns the repairs, and whether any of them failed. */
  async #settleDue(): Promise<{ settled: Repair[]; hasFailed: boolean }> {
    const nowMs = this.#services.now();
    const holds = await Promise.all(this.#ledger.expired(nowMs).map((hold) => this.#settle(hold)));
    // Settling a hold may add a file to remove.
    const deletions = this.#ledger.overdueDeletions(nowMs).map((deletion) => this.#finishDelete(deletion));
    const results = [...holds, ...(await Promise.all(deletions))];
    this.#ledger.sweep(this.#services.now());
    return { settled: results.filter((result) => result !== null), hasFailed: results.includes(null) };
  }

  /** Sets the alarm for the time at which the next work is due, but no earlier than `soonest` (ms since the epoch). */
  async #setAlarmForNextDue(soonest = 0): Promise<void> {
    const next = this.#ledger.nextDue();
    if (next !== null) await this.#alarm.setNoLaterThan(Math.max(next, soonest));
  }

  #settle({ documentId, hold }: LedgerHold): Promise<Repair | null> {
    return this.#attempt({ kind: "expired_hold", accountId: hold.draft.accountId, documentId }, async () => {
      const status = await settleHold(this.#services, hold);
      if (status === "completed") await this.commit(documentId);
      else await this.release(documentId);
    });
  }

  #finishDelete(deletion: LedgerDeletion): Promise<Repair | null> {
    const { accountId, documentId } = deletion;
    return this.#attempt({ kind: "overdue_file_removal", accountId, documentId }, async () => {
      await settleDeletion(this.#services, accountId, deletion);
      this.#ledger.endDelete(deletion);
    });
  }

  /**
   * Runs `settle` and returns the repair, or null if it failed. A failure leaves the record, so that the next alarm
   * tries again.
   */
  async #attempt(repair: Repair & { documentId: string }, settle: () => Promise<void>): Promise<Repair | null> {
    try {
      await settle();
      return repair;
    } catch (cause) {
      this.#services.log("error", { event: "quota.settle_failed", documentId: repair.documentId, cause });
      return null;
    }
  }

  /** Repairs overdue records and counts that differ from D1, and returns the repairs. Idempotent. */
  async repair(accountId: string): Promise<Repair[]> {
    const isUnused = !hasTables(this.ctx.storage);
    const overdue = isUnused ? [] : await this.#repairOverdue(accountId);
    const counts = isUnused ? { committed: {}, monthsWithHolds: [] } : this.#ledger.counts();
    const wrong = wrongCounts(counts, await this.#services.completedByMonth(accountId));
    const corrected = wrong.filter((count) => this.#ledger.correctCount(count));
    return [...overdue, ...corrected.map((count): Repair => ({ kind: "wrong_count", accountId, ...count }))];
  }

  /** Settles as much as one alarm does. If more remains, the alarm is due immediately. */
  async #repairOverdue(accountId: string): Promise<Repair[]> {
    const isAlarmMissing = this.#ledger.nextDue() !== null && (await this.#alarm.isLost());
    const { settled } = await this.#settleDue();
    await this.#setAlarmForNextDue();
    return isAlarmMissing ? [...settled, { kind: "missing_alarm", accountId, object: "AccountQuota" }] : settled;
  }

  async unsettled(): Promise<number> {
    return hasTables(this.ctx.storage) ? this.#ledger.unsettled() : 0;
  }

  async destroy(): Promise<void> {
    this.#openLedger = null;
    await this.#alarm.moveTo(null);
    await this.ctx.storage.deleteAll();
  }
}
