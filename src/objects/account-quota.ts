// One account's monthly quota. `accounts/quota-ledger.ts` keeps the records, and `operations/documents/settle-hold.ts`
// settles a hold. This class adds the timing. Its alarm settles holds whose lease has expired. If too many renders are
// in flight, a create waits until one of them ends.
import { DurableObject } from "cloudflare:workers";
import { settleDeletion, settleHold } from "../operations/documents/settle-hold.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import type { QuotaObject } from "../platform/accounts/quota-client.ts";
import type { LedgerDeletion } from "./accounts/deletion-records.ts";
import type { LedgerHold } from "./accounts/hold-records.ts";
import { quotaLedger, type LedgerReservation, type QuotaLedger } from "./accounts/quota-ledger.ts";
import { admissionQueue } from "./runtime/admission-queue.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "../core/accounts/quota.ts";
import type { SettlementServices } from "../ports/services.ts";
import { settlementServices } from "../services.ts";
import { readNumber } from "../settings.ts";

/** The delay before the alarm retries a failed settlement. */
const settlementRetryMs = 5_000;
const maxWaiting = 256;
const retryAfterSeconds = 1;

export class AccountQuota extends DurableObject<Env> implements QuotaObject {
  #ledger: QuotaLedger;
  #services: SettlementServices;
  #admissionQueue = admissionQueue(maxWaiting);
  #waitMs: number;
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#ledger = quotaLedger(ctx.storage);
    this.#services = settlementServices(env);
    this.#waitMs = readNumber(env, "IN_FLIGHT_WAIT_MS");
  }

  async reserve(request: string): Promise<Reservation> {
    const parsed = JSON.parse(request) as ReserveRequest;
    const waitsUntil = this.#services.now() + this.#waitMs;
    let reservation = await this.#tryReserve(parsed);
    while (reservation.status === "too_many_in_flight") {
      const waitMs = waitsUntil - this.#services.now();
      if (waitMs <= 0 || !(await this.#admissionQueue.wait(waitMs))) return { ...reservation, retryAfterSeconds };
      reservation = await this.#tryReserve(parsed);
      // If this waiter cannot use its slot, wake the next waiter.
      if (reservation.status !== "reserved" && reservation.status !== "too_many_in_flight") {
        this.#admissionQueue.admitNext();
      }
    }
    return reservation;
  }

  async #tryReserve(request: ReserveRequest): Promise<LedgerReservation> {
    const nowMs = this.#services.now();
    const reservation = this.#ledger.reserve(request, nowMs);
    if (reservation.status === "reserved") await this.#alarm.setNoLaterThan(nowMs + request.hold.leaseMs);
    return reservation;
  }

  async lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async commit(documentId: string): Promise<void> {
    this.#ledger.commit(documentId);
    this.#admissionQueue.admitNext();
  }

  async release(documentId: string): Promise<void> {
    this.#ledger.release(documentId);
    this.#admissionQueue.admitNext();
    await this.#setAlarmForNextDue();
  }

  async usage(month: string): Promise<{ used: number; reserved: number }> {
    return this.#ledger.usage(month);
  }

  async beginDelete(accountId: string, deletion: Deletion): Promise<void> {
    const nowMs = this.#services.now();
    this.#ledger.beginDelete(accountId, deletion, nowMs);
    this.#admissionQueue.admitNext();
    await this.#alarm.setNoLaterThan(nowMs + deletion.leaseMs);
  }

  /**
   * Settles expired holds and finishes interrupted deletes. Each step is idempotent, because the platform may repeat an
   * alarm.
   */
  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const nowMs = this.#services.now();
    const settled = await Promise.all([
      ...this.#ledger.expired(nowMs).map((hold) => this.#settle(hold)),
      ...this.#ledger.overdueDeletions(nowMs).map((deletion) => this.#finishDelete(deletion)),
    ]);
    this.#ledger.sweep(this.#services.now());
    await this.#setAlarmForNextDue(settled.includes(false) ? this.#services.now() + settlementRetryMs : 0);
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
}
