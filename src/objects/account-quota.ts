// One account's monthly allowance. A shell: the books are in `platform/quota-ledger.ts`, settling is an operation.
import { DurableObject } from "cloudflare:workers";
import { settleHold } from "../operations/settle-hold.ts";
import { quotaLedger, type QuotaLedger } from "../platform/quota-ledger.ts";
import type { QuotaObject } from "../platform/quota-client.ts";
import type { Hold, Reservation } from "../ports.ts";
import { settlementServices } from "../services.ts";

/** After a failed settlement the alarm tries again this much later, ms. */
const settleAgainMs = 5_000;

export class AccountQuota extends DurableObject<Env> implements QuotaObject {
  #ledger: QuotaLedger;
  /** The alarm that is set, ms since the epoch; unknown (`undefined`) after a restart. */
  #alarmAt: number | null | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#ledger = quotaLedger(ctx.storage);
  }

  async reserve(hold: string, limit: number): Promise<Reservation> {
    const reservation = this.#ledger.reserve(JSON.parse(hold) as Hold, limit, Date.now());
    await this.#arm(this.#ledger.nextLeaseEnd());
    return reservation;
  }

  async commit(documentId: string): Promise<void> {
    this.#ledger.commit(documentId);
  }

  async release(documentId: string): Promise<void> {
    this.#ledger.release(documentId);
  }

  async usage(month: string): Promise<{ used: number; reserved: number }> {
    return this.#ledger.usage(month);
  }

  /** Settles every hold past its lease. Runs at least once; each step may run twice. */
  override async alarm(): Promise<void> {
    this.#alarmAt = null;
    const services = settlementServices(this.env);
    let failed = false;
    for (const { documentId, hold } of this.#ledger.expired(Date.now())) {
      try {
        const verdict = await settleHold(services, hold);
        if (verdict === "completed") this.#ledger.commit(documentId);
        else this.#ledger.release(documentId);
      } catch (cause) {
        failed = true;
        services.log("error", { event: "hold.settle_failed", documentId, cause });
      }
    }
    this.#ledger.sweep(Date.now());
    const next = this.#ledger.nextLeaseEnd();
    await this.#arm(next !== null && failed ? Math.max(next, Date.now() + settleAgainMs) : next);
  }

  /** Sees to it that an alarm is set no later than `at`. */
  async #arm(at: number | null): Promise<void> {
    if (at === null) return;
    this.#alarmAt ??= await this.ctx.storage.getAlarm();
    if (this.#alarmAt !== null && this.#alarmAt <= at) return;
    this.#alarmAt = at;
    await this.ctx.storage.setAlarm(at);
  }
}
