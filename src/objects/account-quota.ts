// One account's monthly allowance. A shell: the books are in `platform/quota-ledger.ts`, settling is an operation. Its own
// part is time: leases end by the alarm, and a create that finds too many renders under way waits here for one to end.
import { DurableObject } from "cloudflare:workers";
import { settleDeletion, settleHold } from "../operations/documents/settle-hold.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import type { QuotaObject } from "../platform/accounts/quota-client.ts";
import { quotaLedger, type LedgerDeletion, type LedgerHold, type QuotaLedger } from "./accounts/quota-ledger.ts";
import { admissionQueue } from "./runtime/admission-queue.ts";
import type { Deletion, IdempotencyKey, KnownKey, Reservation, ReserveRequest } from "../core/accounts/quota.ts";
import type { SettlementServices } from "../ports.ts";
import { settlementServices } from "../services.ts";
import { readNumber } from "../settings.ts";

/** After a failed settlement the alarm tries again this much later, ms. */
const settleAgainMs = 5_000;
const maxWaiting = 256;
const retryAfterSeconds = 1;

export class AccountQuota extends DurableObject<Env> implements QuotaObject {
  #ledger: QuotaLedger;
  #services: SettlementServices;
  #waiting = admissionQueue(maxWaiting);
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
    const giveUpAt = this.#services.now() + this.#waitMs;
    for (let hasWaited = false; ; hasWaited = true) {
      const nowMs = this.#services.now();
      const reservation = this.#ledger.reserve(parsed, nowMs);
      if (reservation.status === "reserved") await this.#alarm.setNoLaterThan(nowMs + parsed.hold.leaseMs);
      // A turn that was not used is the next one's.
      else if (hasWaited && reservation.status !== "full") this.#waiting.admitNext();
      if (reservation.status !== "full") return reservation;
      if (nowMs >= giveUpAt || !(await this.#waiting.wait(giveUpAt - nowMs)))
        return { status: "too_many_in_flight", retryAfterSeconds };
    }
  }

  async lookUpKey(idempotency: IdempotencyKey): Promise<KnownKey> {
    return this.#ledger.lookUpKey(idempotency, this.#services.now());
  }

  async commit(documentId: string): Promise<void> {
    this.#ledger.commit(documentId);
    this.#waiting.admitNext();
  }

  async release(documentId: string): Promise<void> {
    this.#ledger.release(documentId);
    this.#waiting.admitNext();
    await this.#armNext();
  }

  async usage(month: string): Promise<{ used: number; reserved: number }> {
    return this.#ledger.usage(month);
  }

  async beginDelete(accountId: string, deletion: Deletion): Promise<void> {
    const nowMs = this.#services.now();
    this.#ledger.beginDelete(accountId, deletion, nowMs);
    this.#waiting.admitNext();
    await this.#alarm.setNoLaterThan(nowMs + deletion.leaseMs);
  }

  /** Settles every hold past its lease, and ends deletes that broke off. Runs at least once; each step may run twice. */
  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    const nowMs = this.#services.now();
    const settled = await Promise.all([
      ...this.#ledger.expired(nowMs).map((hold) => this.#settle(hold)),
      ...this.#ledger.overdueDeletions(nowMs).map((deletion) => this.#endDelete(deletion)),
    ]);
    this.#ledger.sweep(this.#services.now());
    await this.#armNext(settled.includes(false) ? this.#services.now() + settleAgainMs : 0);
  }

  /** Sets the alarm for what is due next, but not before `soonest`. */
  async #armNext(soonest = 0): Promise<void> {
    const next = this.#ledger.nextDue();
    if (next !== null) await this.#alarm.setNoLaterThan(Math.max(next, soonest));
  }

  #settle({ documentId, hold }: LedgerHold): Promise<boolean> {
    return this.#attempt(documentId, async () => {
      const verdict = await settleHold(this.#services, hold);
      if (verdict === "completed") await this.commit(documentId);
      else await this.release(documentId);
    });
  }

  #endDelete(deletion: LedgerDeletion): Promise<boolean> {
    return this.#attempt(deletion.documentId, async () => {
      await settleDeletion(this.#services, deletion.accountId, deletion);
      this.#ledger.endDelete(deletion);
    });
  }

  /** False when it could not be settled now; the record stays, and the next alarm tries again. */
  async #attempt(documentId: string, settle: () => Promise<void>): Promise<boolean> {
    try {
      await settle();
      return true;
    } catch (cause) {
      this.#services.log("error", { event: "quota.settle_failed", documentId, cause });
      return false;
    }
  }
}
