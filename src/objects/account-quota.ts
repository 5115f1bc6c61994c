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
import { InFlightQueue } from "./accounts/in-flight-queue.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "../core/accounts/quota.ts";
import type { PoolRefusal } from "../core/rendering/render-job.ts";
import type { SettlementServices } from "../ports/services.ts";
import { settlementServices } from "../services.ts";
import { readNumber } from "../settings.ts";

/** The delay before the alarm retries a failed settlement. */
const settlementRetryMs = 5_000;

export class AccountQuota extends DurableObject<Env> implements QuotaObject {
  #ledger: QuotaLedger;
  #services: SettlementServices;
  #inFlight = new InFlightQueue(() => Math.random());
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
    const reservation = await this.#tryReserve(parsed);
    return reservation.status === "too_many_in_flight" ? this.#waitAndReserve(parsed) : reservation;
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
