// Tests the timing of an account's webhooks: how many attempts run in parallel, and when the alarm makes the next ones.
import { expect, it, vi } from "vitest";
import { WebhookSender } from "../../src/objects/webhook-sender.ts";
import { objectStorage } from "../fakes/object-storage.ts";
import { fakeNow } from "../fakes/services.ts";
import { eventTo, fakeDelivery, fakeOutbox, responseOf } from "../fakes/webhooks.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

const accountId = "a";
const dayMs = 24 * 3_600_000;
/** Lets everything run that neither waits for the test nor signs a message. */
const idle = () => new Promise((resolve) => setTimeout(resolve));

function senderObject(inFlight = "3") {
  const storage = objectStorage();
  /** The attempts that have begun. Each waits for its secrets until the test ends it. */
  const attempts: PromiseWithResolvers<string[]>[] = [];
  const valid = () => (attempts.push(Promise.withResolvers()), attempts.at(-1)?.promise ?? Promise.reject());
  const webhooks = fakeOutbox();
  const services = fakeDelivery({ webhooks, secrets: { valid } });
  const env = { WEBHOOKS_IN_FLIGHT: inFlight } as unknown as Env;
  const open = () => new WebhookSender({ storage } as DurableObjectState, env, services);
  const sender = open();
  const alarmMs = async () => ((await storage.getAlarm()) ?? NaN) - fakeNow;
  const accept = (...ids: string[]) => {
    for (const id of ids)
      webhooks.add(eventTo(/[ :]/.test(id) ? id : "https://hooks.receiver.dev/", { id, accountId }));
    return sender.accept(accountId, ids).then(idle);
  };
  const end = async (index: number, response = responseOf()) => {
    services.state.response = response;
    attempts[index]?.resolve(services.state.secrets);
    await vi.waitUntil(() => services.state.sent.length > index, { timeout: 10_000, interval: 1 });
    await idle();
  };
  const fireAlarm = async (afterMs: number) => {
    services.state.nowMs = fakeNow + afterMs;
    await storage.deleteAlarm();
    return sender.alarm().then(idle);
  };
  const reported = async () =>
    webhooks
      .stored()
      .toReversed()
      .map(({ delivery }) => `${delivery.status} ${delivery.attempts}`);
  return { webhooks, storage, services, attempts, open, sender, accept, end, fireAlarm, alarmMs, reported };
}

it("a sender makes one attempt fewer to an origin than its setting allows at the same time, and makes each attempt once", async () => {
  const { storage, sender, attempts, accept, end, fireAlarm, alarmMs, reported } = senderObject();
  await accept("e1", "e2", "e3");
  const atFirst = [attempts.length, await alarmMs()];

  for (const index of [0, 1, 2]) await end(index);
  await sender.accept(accountId, ["e1"]);

  expect([atFirst, attempts.length, await reported()]).toEqual([[2, 5_000], 3, Array(3).fill("delivered 1")]);
  for (const afterMs of [5_000, dayMs + 120]) await fireAlarm(afterMs);
  expect([storage.sql.exec("SELECT * FROM deliveries").toArray(), await alarmMs()]).toEqual([[], NaN]);
});

it("an event is delivered immediately while 200 events to other paths of a silent host wait", async () => {
  const { sender, services, attempts, accept, reported } = senderObject("5");
  services.secrets.valid = async () => services.state.secrets;
  const { post } = services.transport;
  const silent: string[] = [];
  services.transport.post = (request) =>
    request.url.includes("slow") ? (silent.push(request.url), new Promise(() => {})) : post(request);
  await accept(...Array.from({ length: 200 }, (_, n) => `https://slow.example.com/hook/${n}`));
  await vi.waitUntil(() => silent.length > 0, { timeout: 10_000 });

  await accept("good");
  await vi.waitUntil(() => services.state.sent.length === 1, { timeout: 10_000 });
  await sender.accept(accountId, []);
  await idle();

  expect([silent.length, attempts.length, services.state.nowMs]).toEqual([4, 0, fakeNow + 40]);
  expect((await reported()).filter((delivery) => delivery === "delivered 1")).toHaveLength(1);
});

it.each<[string, number, string, (object: ReturnType<typeof senderObject>) => unknown]>([
  ["fails", 5_040, "pending 1", ({ end }) => end(0, responseOf({ status: 500 }))],
  ["is prevented by a fault of the service", 5_000, "pending 0", ({ attempts }) => attempts[0]?.reject(new Error())],
])("an attempt that %s is repeated when it is due, and not before", async (_how, dueMs, status, then) => {
  const object = senderObject();
  const { attempts, fireAlarm, alarmMs, reported } = object;
  await object.accept("e");
  await then(object);
  await idle();
  const results: unknown[] = [await alarmMs(), ...(await reported())];

  for (const afterMs of [dueMs - 1, dueMs]) results.push((await fireAlarm(afterMs), attempts.length));

  expect(results).toEqual([dueMs, status, 1, 2]);
});

it("a repair restores a lost alarm and starts deliveries that a restart has interrupted", async () => {
  const { open, sender, storage, accept, end, attempts, alarmMs, fireAlarm } = senderObject();
  const nothing = [await sender.repair(accountId)];
  await accept("e");
  const restarted = open();
  nothing.push(await restarted.repair(accountId));
  await storage.deleteAlarm();
  nothing.push(await sender.repair(accountId));

  const repaired = [await restarted.repair(accountId), attempts.length, await alarmMs()];
  await end(0);
  await fireAlarm(2 * dayMs);
  nothing.push(await sender.repair(accountId));

  const missing = [{ kind: "missing_alarm", accountId, object: "WebhookSender" }];
  expect(nothing).toEqual([[], [], [], []]);
  expect(repaired).toEqual([missing, 2, 45_000]);
});

it("an attempt is counted before it is made, and its delay grows even if each attempt ends the process", async () => {
  const { open, storage, accept, services, reported } = senderObject();
  const sent: string[] = [];
  services.secrets.valid = async () => services.state.secrets;
  services.transport.post = () => {
    sent.push(String(storage.sql.exec("SELECT delivery ->> 'attempts' AS n FROM deliveries").one()["n"]));
    return new Promise(() => {});
  };
  await accept("e");
  await vi.waitUntil(() => sent.length === 1, { timeout: 10_000 });
  const delaysMs: number[] = [];
  for (let attempt = 2; attempt <= 4; attempt++) {
    const restarted = open();
    await restarted.alarm();
    await idle();
    const due = Number(storage.sql.exec("SELECT due FROM deliveries").one()["due"]);
    delaysMs.push(due - services.state.nowMs);
    services.state.nowMs = due;
    await restarted.alarm();
    await vi.waitUntil(() => sent.length === attempt, { timeout: 10_000 });
  }

  expect(sent).toEqual(["1", "2", "3", "4"]);
  expect(delaysMs).toEqual([5_000, 300_000, 1_800_000]);
  expect(await reported()).toEqual(["pending 3"]);
});

it("an attempt that fails through a fault of the service is repeated after growing delays without being counted, and delays no other event", async () => {
  const { sender, accept, services, storage, fireAlarm, reported } = senderObject();
  services.secrets.valid = () => Promise.reject(new Error("unreadable"));
  await accept("e");
  const delaysMs: number[] = [];
  for (let fault = 1; fault <= 10; fault++) {
    const due = Number(storage.sql.exec("SELECT due FROM deliveries").one()["due"]);
    delaysMs.push((due - services.state.nowMs) / 1_000);
    await fireAlarm(due - fakeNow);
  }
  const during = await reported();
  services.secrets.valid = async () => services.state.secrets;
  await accept("valid", "not a URL");
  await vi.waitUntil(() => services.state.sent.length === 1, { timeout: 10_000 });
  await sender.accept(accountId, []);
  await idle();

  expect(delaysMs).toEqual([5, 30, 180, 1_080, 6_480, 38_880, 86_400, 86_400, 86_400, 86_400]);
  expect(during).toEqual(["pending 0"]);
  expect((await reported()).toSorted()).toEqual(["dead 1", "delivered 1", "pending 0"]);
});

it("a report that always fails is repeated after growing delays, and delays no other report", async () => {
  const { webhooks, sender, accept, services, fireAlarm, alarmMs } = senderObject();
  services.secrets.valid = async () => services.state.secrets;
  const logged: unknown[] = [];
  services.log = (_level, { event, eventIds }) => void logged.push([event, eventIds]);
  const { report } = services.webhooks;
  const refusedAtS: number[] = [];
  services.webhooks.report = async (account, reports) => {
    if (!reports.some(({ eventId }) => eventId === "refused")) return report(account, reports);
    refusedAtS.push(Math.round((services.state.nowMs - fakeNow) / 1_000));
    throw new Error("the row is refused");
  };
  await accept("before", "refused", "together");
  await vi.waitUntil(() => services.state.sent.length === 3, { timeout: 10_000 });
  await idle();
  while (refusedAtS.length < 11) await fireAlarm(await alarmMs());
  await accept("after");
  await vi.waitUntil(() => services.state.sent.length === 4, { timeout: 10_000 });
  await sender.accept(accountId, []);
  await idle();

  const items = webhooks.stored();
  const delivered = ["after delivered", "before delivered", "refused pending", "together delivered"];
  expect(items.map(({ id, delivery }) => `${id} ${delivery.status}`).toSorted()).toEqual(delivered);
  expect(logged.at(-1)).toEqual(["webhook.report_failed", ["refused"]]);
  const pausesS = refusedAtS.map((atS, index) => atS - (refusedAtS[index - 1] ?? 0));
  expect(pausesS.slice(-8)).toEqual([20, 40, 80, 160, 300, 300, 300, 300]);
});
