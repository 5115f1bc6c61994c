import { expect, it } from "vitest";
import type { Delivery } from "../../../src/core/webhooks/delivery.ts";
import type { PendingWebhook } from "../../../src/core/webhooks/webhook-event.ts";
import { upgradeStorage } from "../../../src/objects/runtime/ledger.ts";
import { deliveryLedger, type DeliveryLedger } from "../../../src/objects/webhooks/delivery-ledger.ts";
import { deliveryStorageSteps } from "../../../src/objects/webhooks/delivery-storage.ts";
import { objectStorage } from "../../fakes/object-storage.ts";
import { eventTo } from "../../fakes/webhooks.ts";

const pending: Delivery = { status: "pending", attempts: 0, nextAttemptAt: 0, round: 0, history: [] };
const delivered: Delivery = { ...pending, status: "delivered", attempts: 1, nextAttemptAt: null };

function event(id: string, delivery: Partial<Delivery> = {}, url = "https://a.example/hook"): PendingWebhook {
  return { ...eventTo(url, { id }), delivery: { ...pending, ...delivery } };
}

function ledgerWith(...events: PendingWebhook[]): DeliveryLedger {
  const ledger = deliveryLedger(objectStorage());
  ledger.add(events, 0);
  return ledger;
}

function start(ledger: DeliveryLedger, nowMs = 0) {
  const started = ledger.startNext(nowMs, 4);
  if (!started) throw new Error("Nothing is due.");
  return started;
}

it("the delivery ledger starts each delivery once, and first the delivery that has been due longest", () => {
  const ledger = ledgerWith(event("late", { nextAttemptAt: 20 }), event("early", { nextAttemptAt: 10 }));
  ledger.add([event("unscheduled", { nextAttemptAt: null })], 15);

  const started = [9, 20, 20, 20, 20].map((nowMs) => ledger.startNext(nowMs, 4)?.event.id);

  expect(started).toEqual([undefined, "early", "unscheduled", "late", undefined]);
});

it("the delivery ledger repeats an attempt if the object restarts, and checks for it when its lease ends", () => {
  const storage = objectStorage();
  const ledger = deliveryLedger(storage);
  ledger.add([event("e")], 0);
  const [due, first] = [ledger.nextDue(5), start(ledger, 5)];
  const leaseEnd = ledger.nextDue(5);

  const restarted = deliveryLedger(storage);

  expect([due, leaseEnd, restarted.nextDue(7)]).toEqual([0, 45_005, 0]);
  expect([ledger.startNext(7, 4), restarted.startNext(7, 4)]).toEqual([null, first]);
});

it("the delivery ledger starts a postponed delivery at its new time", () => {
  const ledger = ledgerWith(event("e"));
  const sent = start(ledger);

  ledger.postpone(sent, 30);

  const postponed = { ...sent, faults: 1, delivery: { ...sent.delivery, nextAttemptAt: 30 } };
  expect([ledger.startNext(29, 4), ledger.startNext(30, 4)]).toEqual([null, postponed]);
});

it("a delivery that is added again stays the same unless the operator has redelivered it and no attempt is in flight", () => {
  const ledger = ledgerWith(event("e", { nextAttemptAt: 10 }));
  const roundStarted = (added: Partial<Delivery>) => {
    ledger.add([event("e", { nextAttemptAt: 10, ...added })], 0);
    return [ledger.unreported(9, 0).length, ledger.startNext(10, 4)?.delivery.round];
  };

  const unchanged = roundStarted({ nextAttemptAt: 99 });
  const inFlight = roundStarted({ round: 1 });
  ledger.recordAttempt({ event: event("e"), origin: "", delivery: pending, faults: 0 }, delivered, 10);
  ledger.markReported(ledger.unreported(9, 0));

  expect([unchanged, inFlight]).toEqual([
    [1, 0],
    [0, undefined],
  ]);
  expect([roundStarted({}), roundStarted({ round: 1 })]).toEqual([
    [0, undefined],
    [1, 1],
  ]);
});

it("an origin that failed three times in a row gets one attempt at a time until an attempt succeeds", () => {
  const ledger = ledgerWith(...[1, 2, 3, 4, 5, 6].map((n) => event(`${n}`, {}, `https://a.example/hook/${n}`)));
  const attempt = (delivery: Delivery) => ledger.recordAttempt(start(ledger), delivery, 0);
  const dead = { ...delivered, status: "dead" } as const;
  attempt(dead);
  attempt(dead);
  const [failing, succeeding] = [start(ledger), start(ledger)];
  ledger.recordAttempt(failing, dead, 0);
  ledger.add([event("other", {}, "https://a.example:8443/hook/1")], 0);

  expect([ledger.startNext(0, 4)?.event.id, ledger.startNext(0, 4)]).toEqual(["other", null]);
  ledger.recordAttempt(succeeding, delivered, 0);
  expect([ledger.startNext(0, 4)?.event.id, ledger.startNext(0, 4)?.event.id]).toEqual(["5", "6"]);
});

it("the delivery ledger prefers the origin with the fewest attempts in flight, and never exceeds the limit for one origin", () => {
  const events = ["a1", "a2", "a3", "a4", "b1", "b2"].map((id) => event(id, {}, `https://${id[0]}.example/${id}`));
  const ledger = ledgerWith(...events);
  const started = [1, 2, 3, 4, 5, 6].map(() => ledger.startNext(0, 3)?.event.id);

  expect(started).toEqual(["a1", "b1", "a2", "b2", "a3", undefined]);
});

it("the delivery ledger keeps the deliveries of the previous release, which stored a path in place of their origin", () => {
  const storage = objectStorage();
  upgradeStorage(storage, deliveryStorageSteps.slice(0, 2));
  const insert = `INSERT INTO deliveries (event_id, account_id, url, payload, endpoint, state, due, round, delivery)
      VALUES (?1, 'a', ?2, '', ?2, 'waiting', 0, 0, ?3)`;
  const urls = ["https://a.example/hook/1", "http://127.0.0.1:80/", "http://a/", "no URL"];
  for (const url of urls) storage.sql.exec(insert, `to ${url}`, url, JSON.stringify(pending));
  const ledger = deliveryLedger(storage);

  const origins = urls.map(() => start(ledger).origin);

  expect(origins.toSorted()).toEqual(["http://127.0.0.1:80", "http://a", "https://a.example", "no URL"]);
});

it("the delivery ledger returns a delivery for D1 until D1 has its current state", () => {
  const ledger = ledgerWith(event("e"), event("other", { nextAttemptAt: 90 }));
  const attempt = (nowMs: number, result: Partial<Delivery>) => {
    const sent = start(ledger, nowMs);
    const unreported = ledger.unreported(9, 0).map(({ eventId }) => eventId);
    ledger.recordAttempt(sent, { ...pending, ...result }, nowMs);
    return unreported;
  };

  const inFlight = attempt(0, { attempts: 1, nextAttemptAt: 50 });
  const stale = ledger.unreported(9, 0);
  ledger.markReported(stale);
  const reported = [ledger.unreported(9, 0), ledger.startNext(49, 4)];
  attempt(50, { attempts: 2, nextAttemptAt: 80 });
  ledger.markReported(stale);

  expect([inFlight, stale.map(({ eventId }) => eventId), ...reported]).toEqual([["other"], ["e", "other"], [], null]);
  expect(ledger.unreported(9, 0)).toMatchObject([{ eventId: "e", accountId: "a", delivery: { attempts: 2 } }]);
});

it.each([
  ["not JSON", "{"],
  ["of the wrong type", "null"],
  ["without its history", "{}"],
])("the delivery ledger continues with a delivery that is %s, and with other deliveries", (_what, stored) => {
  const storage = objectStorage();
  const ledger = deliveryLedger(storage);
  ledger.add([event("ended"), event("waiting"), event("neighbour")], 0);
  ledger.recordAttempt(start(ledger), delivered, 0);
  storage.sql.exec("UPDATE deliveries SET delivery = ? WHERE event_id <> 'neighbour'", stored);
  const reports = ledger.unreported(9, 0);
  ledger.markReported(reports);

  expect(reports.map(({ delivery }) => [delivery.status, delivery.history[0]?.error])).toEqual([
    ["dead", "the record of earlier attempts is unreadable"],
    ["pending", undefined],
    ["pending", "the record of earlier attempts is unreadable"],
  ]);
  for (const opened of [ledger, deliveryLedger(storage)]) {
    expect([start(opened).event.id, start(opened).event.id].toSorted()).toEqual(["neighbour", "waiting"]);
  }
});

it("a delivery is removed 30 seconds after it ended if D1 has its state, and so are the failures of its origin", () => {
  const storage = objectStorage();
  const ledger = deliveryLedger(storage);
  ledger.add([event("e"), event("unreported")], 0);
  const rows = (table: string) => storage.sql.exec(`SELECT * FROM ${table}`).toArray().length;
  ledger.recordAttempt(start(ledger), { ...delivered, status: "dead" }, 10);
  ledger.markReported(ledger.unreported(1, 0));
  const left = [30_009, 30_010].map((nowMs) => (ledger.sweep(nowMs), rows("deliveries")));

  expect([...left, rows("failing_origins")]).toEqual([2, 1, 1]);
  ledger.recordAttempt(start(ledger), { ...delivered, status: "dead" }, 10);
  ledger.sweep(30_010);
  expect([rows("deliveries"), ledger.nextDue(10)]).toEqual([1, 45_010]);
  ledger.markReported(ledger.unreported(1, 0));
  ledger.sweep(30_010);
  expect([rows("deliveries"), rows("failing_origins"), ledger.nextDue(10)]).toEqual([0, 0, null]);
});
