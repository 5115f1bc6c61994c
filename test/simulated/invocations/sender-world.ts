// One account with its real `WebhookSender` object, over the service's adapters and bindings in memory. Each call of the object and each
// alarm is an event, which has the limits of an invocation; work that an event has begun continues after it has responded.
import { vi } from "vitest";
import { WebhookSender } from "../../../src/objects/webhook-sender.ts";
import { createAccount } from "../../../src/operations/accounts/manage-accounts.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { shardArchives } from "../../../src/platform/maintenance/row-archives.ts";
import { webhookStore } from "../../../src/platform/webhooks/webhook-store.ts";
import type { DeliveryServices } from "../../../src/ports/services.ts";
import { deliveryServices } from "../../../src/services/object-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { memoryBucket, memoryD1 } from "../../fakes/bindings.ts";
import { objectStorage, storageOf } from "../../fakes/object-storage.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { completedDocument, eventOf } from "../../fixtures/documents.ts";
import { namespaceOf } from "./batch-world.ts";
import {
  drive,
  limitedBindings,
  newConnections,
  newInvocation,
  settled,
  stubFetch,
  type Connections,
  type Invocation,
} from "./invocation.ts";

/** The platform repeats an alarm that has failed or was interrupted. */
const repeatMs = 2_000;

type WorldOptions = {
  receiver?: (url: string) => Promise<Response> | Response;
  /** The call at which the first event that makes so many calls is killed. */
  killAt?: { call: number; hasEffect: boolean };
  /** Changes the services of the sender. */
  change?: (services: DeliveryServices) => void;
  /** By how much each alarm is late. */
  lateMs?: number;
  /** Whether each alarm fires twice. */
  isRepeated?: boolean;
};

export async function senderWorld(options: WorldOptions = {}) {
  const { receiver = () => new Response("ok"), change, lateMs = 0, isRepeated = false } = options;
  let { killAt } = options;
  const objects = namespaceOf(() => ({}));
  const bindings = {
    ...{
      DB: memoryD1(),
      FILES: memoryBucket().bucket,
      PRIVATE_FILES: memoryBucket().bucket,
      TEMPLATES: memoryBucket().bucket,
      WEBHOOKS: {},
    },
    ...{ ACCOUNT_QUOTA: objects, BATCH_RUNNER: objects, BROWSER_POOL: objects, WEBHOOK_SENDER: objects },
    WEBHOOK_SECRETS_KEY: Buffer.alloc(32, "tests").toString("base64"),
  } as unknown as Env;
  const storage = objectStorage();
  const events: Invocation[] = [];
  const alarmsAt: number[] = [];
  const received: string[] = [];
  const logged: { level: string; event: string }[] = [];
  const { id: accountId } = await drive(
    createAccount(operatorServices(bindings), { name: "Test", plan: "enterprise" }),
  );
  const d1 = d1Client(bindings.DB, 5_000);
  const outbox = webhookStore(singleDatabase(d1));
  let isAlarmRunning = false;
  let instance: { sender: WebhookSender; isDead: boolean; connections: Connections } | null = null;

  const current = () => events.at(-1) ?? newInvocation();
  stubFetch(
    (...args) => current().call(...args),
    async (url) => {
      received.push(url);
      return receiver(url);
    },
  );

  function live(): WebhookSender {
    if (instance && !instance.isDead) return instance.sender;
    const its = { isDead: false, connections: newConnections() };
    const limited = limitedBindings(bindings, (name, work, statements) =>
      its.isDead ? new Promise<never>(() => {}) : current().call(name, work, statements),
    );
    const log: DeliveryServices["log"] = (level, { event }) => void logged.push({ level, event });
    const services = { ...deliveryServices(limited), log };
    change?.(services);
    const sender = new WebhookSender({ storage: storageOf(its, storage) } as DurableObjectState, limited, services);
    instance = Object.assign(its, { sender });
    return sender;
  }

  /** Begins an event. If it is killed, the object ends; the platform repeats the alarm if it has not responded yet. */
  function begin(work: (sender: WebhookSender) => Promise<void>): Promise<void> {
    const sender = live();
    const its = instance;
    const invocation = newInvocation({ killAt, ...(its && { connections: its.connections }) });
    events.push(invocation);
    let hasResponded = false;
    void invocation.ended.catch(async () => {
      killAt = undefined;
      if (its) its.isDead = true;
      if (hasResponded) return;
      const next = await storage.getAlarm();
      await storage.setAlarm(Math.min(next ?? Infinity, Date.now() + repeatMs));
    });
    const responded = work(sender).then(() => void (hasResponded = true));
    return Promise.race([responded, invocation.ended]);
  }

  async function fireAlarm(): Promise<void> {
    isAlarmRunning = true;
    alarmsAt.push(Date.now());
    await storage.deleteAlarm();
    for (let time = isRepeated ? 2 : 1; time > 0; time--) await begin((sender) => sender.alarm()).catch(() => {});
    isAlarmRunning = false;
  }

  /** Lets alarms fire and time pass until nothing is left to do, or until the given time has passed. */
  async function pass(ms = Infinity): Promise<void> {
    const untilMs = Date.now() + ms;
    for (;;) {
      await settled();
      const alarm = await storage.getAlarm();
      const at = alarm === null || isAlarmRunning ? Infinity : Math.max(alarm + lateMs, Date.now());
      if (at <= Math.min(Date.now(), untilMs)) {
        void fireAlarm();
        continue;
      }
      if (at === Infinity && vi.getTimerCount() === 0) return;
      if (Math.min(at, untilMs) < Infinity) setTimeout(() => {}, Math.min(at, untilMs) - Date.now());
      if (Date.now() >= untilMs) return;
      vi.advanceTimersToNextTimer();
    }
  }

  async function accept(ids: string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += 100) {
      const part = ids.slice(from, from + 100);
      await drive(begin((sender) => sender.accept(accountId, part)).catch(() => {}));
    }
  }

  return {
    ...{ alarmsAt, events, logged, received, storage, pass },
    /** Stores events with these URLs in the outbox, and passes them to the sender, as the queue does. */
    async send(urls: string[]): Promise<void> {
      const all = urls.map((url) => eventOf(completedDocument({ accountId, createdAt: Date.now() }), { url }));
      await drive(Promise.all(all.map((event) => outbox.insert(event))));
      await accept(all.map(({ id }) => id));
    },
    /** Passes the overdue events to the sender, as the scheduled run does. */
    async dispatchOverdue(): Promise<void> {
      const overdue = await drive(shardArchives(d1, d1).events.overdue(Date.now(), 1_000));
      await accept(overdue.get(accountId) ?? []);
    },
    /** Returns how many deliveries have each state, as D1 has them. */
    async states(): Promise<Record<string, number>> {
      const { results } = await bindings.DB.prepare("SELECT status, count(*) AS n FROM webhook_events GROUP BY 1").all<{
        status: string;
        n: number;
      }>();
      return Object.fromEntries(results.map(({ status, n }) => [status, n]));
    },
  };
}
