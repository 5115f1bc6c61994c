// One account's webhooks under way. A shell: the deliveries are in `platform/webhook-ledger.ts`, an attempt is an operation.
// Its own part is time: attempts that are due start here, a few at once, and the alarm wakes it for the next.
import { DurableObject } from "cloudflare:workers";
import { afterAttempt } from "../core/webhooks/delivery.ts";
import { attemptDelivery } from "../operations/webhooks/attempt-delivery.ts";
import {
  deliveryLedger,
  type AccountReport,
  type DeliveryLedger,
  type DueDelivery,
} from "./webhooks/delivery-ledger.ts";
import { earliestAlarm, type EarliestAlarm } from "./runtime/earliest-alarm.ts";
import type { SenderObject } from "../platform/webhooks/sender-client.ts";
import type { DeliveryServices } from "../ports.ts";
import { deliveryServices } from "../services.ts";
import { readNumber } from "../settings.ts";

/** After a failure of ours, D1 being away say, it is tried again this much later, ms. */
const tryAgainMs = 5_000;
const reportsABatch = 50;

export class WebhookSender extends DurableObject<Env> implements SenderObject {
  #ledger: DeliveryLedger;
  #services: DeliveryServices;
  #maxInFlight: number;
  /** Endpoints of the attempts under way. */
  #inFlight: string[] = [];
  #isReporting = false;
  #alarm: EarliestAlarm;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#alarm = earliestAlarm(ctx.storage);
    this.#ledger = deliveryLedger(ctx.storage);
    this.#services = deliveryServices(env);
    this.#maxInFlight = readNumber(env, "WEBHOOKS_IN_FLIGHT");
    this.#ledger.reviveAll(this.#services.now());
  }

  async accept(accountId: string, eventIds: string[]): Promise<void> {
    const events = await this.#services.webhooks.pending(accountId, eventIds);
    this.#ledger.take(events, this.#services.now());
    await this.#goOn();
  }

  override async alarm(): Promise<void> {
    this.#alarm.hasFired();
    this.#ledger.sweep(this.#services.now());
    await this.#goOn();
  }

  /** Starts what is due, and sees to the rest later. */
  async #goOn(): Promise<void> {
    const isUnderWay = (endpoint: string) => this.#inFlight.includes(endpoint);
    while (this.#inFlight.length < this.#maxInFlight) {
      const due = this.#ledger.next(this.#services.now(), isUnderWay);
      if (!due) break;
      this.#inBackground(this.#send(due));
    }
    this.#inBackground(this.#report());
    const next = this.#ledger.nextDue();
    const nowMs = this.#services.now();
    // What is due already waits for an attempt to end, and needs the alarm only should the object be restarted.
    if (next !== null) await this.#alarm.setNoLaterThan(next > nowMs ? next : nowMs + tryAgainMs);
  }

  /** What it leaves undone is due again. */
  async #send(due: DueDelivery): Promise<void> {
    this.#inFlight.push(due.endpoint);
    try {
      const outcome = await attemptDelivery(this.#services, due.event);
      const delivery = afterAttempt(due.delivery, outcome, this.#services.random());
      this.#ledger.settle(due, delivery, this.#services.now());
    } catch (cause) {
      this.#services.log("error", { event: "webhook.not_attempted", eventId: due.event.id, cause });
      this.#ledger.postpone(due, this.#services.now() + tryAgainMs);
    } finally {
      this.#inFlight.splice(this.#inFlight.indexOf(due.endpoint), 1);
    }
    await this.#goOn();
  }

  /** Tells D1 what has come of deliveries, one batch at a time. */
  async #report(): Promise<void> {
    if (this.#isReporting) return;
    this.#isReporting = true;
    try {
      for (let reports = this.#unreported(); reports.length > 0; reports = this.#unreported()) {
        const [{ accountId } = { accountId: "" }] = reports;
        await this.#services.webhooks.report(accountId, reports);
        this.#ledger.reported(reports);
      }
    } catch (cause) {
      this.#services.log("warn", { event: "webhook.report_failed", cause });
      await this.#alarm.setNoLaterThan(this.#services.now() + tryAgainMs);
    } finally {
      this.#isReporting = false;
    }
  }

  /** An object stays while work of its own is under way; should it be restarted, the alarm goes on. */
  #inBackground(work: Promise<void>): void {
    work.catch((cause: unknown) => this.#services.log("error", { event: "webhook.sender_failed", cause }));
  }

  #unreported(): AccountReport[] {
    return this.#ledger.unreported(reportsABatch);
  }
}
