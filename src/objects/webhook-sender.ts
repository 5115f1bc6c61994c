// Delivers one account's webhooks. `webhooks/delivery-ledger.ts` stores the deliveries, and `operations/webhooks/attempt-delivery.ts` makes
// an attempt. This class adds the timing: it starts due attempts, limits how many run at the same time, and sets the alarm for the next
// ones.
import { DurableObject } from "cloudflare:workers";
import type { Repair } from "../core/maintenance/repair.ts";
import { afterAttempt, delayAfterFaults } from "../core/webhooks/delivery.ts";
import { hasLinks } from "../core/webhooks/webhook-event.ts";
import { attemptDelivery } from "../operations/webhooks/attempt-delivery.ts";
import type { MaintainedObject } from "../platform/maintenance/account-objects.ts";
import type { DeliveryServices } from "../ports/services.ts";
import type { WebhookSenders } from "../ports/webhooks.ts";
import { deliveryServices } from "../services/object-services.ts";
import { readNumber } from "../settings.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import { hasTables } from "./runtime/ledger.ts";
import { deliveryLedger, type DeliveryLedger, type DueDelivery } from "./webhooks/delivery-ledger.ts";

/**
 * The delay before states are written to D1 again after a fault, and the delay of the alarm that is needed in case of a
 * restart.
 */
const retryDelayMs = 5_000;
const reportsPerBatch = 50;
/**
 * How many attempts and reports an alarm or a call may begin, each of which makes a query of D1, and up to three after faults. An attempt
 * with links counts as two. The platform allows 1,000 queries to each. The alarm for the rest begins with a new budget.
 */
const budgetOfEvent = 300;

export class WebhookSender extends DurableObject<Env> implements WebhookSenders, MaintainedObject {
  #openLedger: DeliveryLedger | null = null;
  /** True when the account has been deleted. Attempts in flight then leave no records. */
  #isDestroyed = false;
  #services: DeliveryServices;
  #maxInFlight: number;
  #isReporting = false;
  #budget = budgetOfEvent;
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env, services: DeliveryServices = deliveryServices(env)) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#services = services;
    this.#maxInFlight = readNumber(env, "WEBHOOKS_IN_FLIGHT");
  }

  /** Opening the ledger creates its tables, so an object that is only repaired or destroyed does not open it. */
  get #ledger(): DeliveryLedger {
    return (this.#openLedger ??= deliveryLedger(this.ctx.storage));
  }

  async accept(accountId: string, eventIds: string[]): Promise<void> {
    const events = await this.#services.webhooks.pending(accountId, eventIds);
    if (this.#isDestroyed && events.length === 0) return;
    this.#isDestroyed = false; // With an event, the account was imported again.
    this.#budget = budgetOfEvent;
    this.#ledger.add(events, this.#services.now());
    await this.#startDue();
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    this.#budget = budgetOfEvent;
    this.#ledger.sweep(this.#services.now());
    await this.#startDue();
  }

  /**
   * Starts due attempts up to the limit, and sets the alarm for the remaining deliveries. One attempt is reserved for other
   * origins, because all attempts of one origin may be waiting for a response.
   */
  async #startDue(): Promise<void> {
    if (this.#isDestroyed) return;
    while (this.#budget > 0 && this.#ledger.inFlight() < this.#maxInFlight) {
      const due = this.#ledger.startNext(this.#services.now(), Math.max(1, this.#maxInFlight - 1));
      if (!due) break;
      this.#budget -= hasLinks(due.event.payload) ? 2 : 1;
      this.#inBackground(this.#attempt(due));
    }
    this.#inBackground(this.#report());
    const nowMs = this.#services.now();
    const next = this.#ledger.nextDue(nowMs);
    // If a delivery is already due, it starts when an attempt in flight ends. The alarm is needed only if the object
    // restarts before that, or if the budget is used up.
    const delayMs = this.#budget > 0 ? retryDelayMs : 0;
    if (next !== null) await this.#alarm.setNoLaterThan(next > nowMs ? next : nowMs + delayMs);
  }

  /** Makes one attempt. If a fault in the service prevents it, the delivery is postponed. */
  async #attempt(due: DueDelivery): Promise<void> {
    const random = this.#services.random();
    try {
      const outcome = await attemptDelivery(this.#services, due.event, (interrupted) => {
        if (!this.#isDestroyed) this.#ledger.countAttempt(due, afterAttempt(due.delivery, interrupted, random));
      });
      if (this.#isDestroyed) return;
      const delivery = afterAttempt(due.delivery, outcome, random);
      this.#ledger.recordAttempt(due, delivery, this.#services.now());
      if (delivery.status === "dead")
        this.#services.log("warn", { event: "webhook.dead", accountId: due.event.accountId, eventId: due.event.id });
    } catch (cause) {
      this.#services.log("error", { event: "webhook.not_attempted", eventId: due.event.id, cause });
      const delayMs = delayAfterFaults(due.faults + 1, random);
      if (!this.#isDestroyed) this.#ledger.postpone(due, Math.ceil(this.#services.now() + delayMs));
    }
    await this.#startDue();
  }

  /** Writes changed deliveries to D1, one batch after another, until there is a fault. */
  async #report(): Promise<void> {
    if (this.#isReporting) return;
    this.#isReporting = true;
    let eventIds: string[] = [];
    try {
      for (;;) {
        const reports = this.#ledger.unreported(reportsPerBatch, this.#services.now());
        const [first] = reports;
        if (!first) break;
        if (this.#budget <= 0) return await this.#alarm.setNoLaterThan(this.#services.now());
        this.#budget -= reports.length;
        eventIds = reports.map(({ eventId }) => eventId);
        await this.#services.webhooks.report(first.accountId, reports);
        if (this.#isDestroyed) break;
        this.#ledger.markReported(reports);
      }
    } catch (cause) {
      this.#services.log("warn", { event: "webhook.report_failed", eventIds, cause });
      if (this.#isDestroyed) return;
      this.#ledger.postponeReports(eventIds, this.#services.now());
      await this.#alarm.setNoLaterThan(this.#services.now() + retryDelayMs);
    } finally {
      this.#isReporting = false;
    }
  }

  /**
   * Starts the work and does not wait for it. The object stays in memory while its own work runs. If the object
   * restarts, the alarm resumes the work.
   */
  #inBackground(work: Promise<void>): void {
    work.catch((cause: unknown) => this.#services.log("error", { event: "webhook.sender_failed", cause }));
  }

  /** Sets the alarm if it was lost although there is work to do. Returns the repair. */
  async repair(accountId: string): Promise<Repair[]> {
    if (!hasTables(this.ctx.storage) || this.#ledger.inFlight() > 0) return [];
    if (this.#ledger.nextDue(this.#services.now()) === null || !(await this.#alarm.isLost())) return [];
    await this.#startDue();
    return [{ kind: "missing_alarm", accountId, object: "WebhookSender" }];
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    this.#openLedger = null;
    await this.#alarm.moveTo(null);
    await this.ctx.storage.deleteAll();
  }
}
