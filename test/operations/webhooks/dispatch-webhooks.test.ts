import { expect, it, vi } from "vitest";
import {
  consumeWebhookMessages,
  dispatchOverdueWebhooks,
  dispatchWebhooks,
} from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { fakeMaintenance } from "../../fakes/maintenance.ts";
import { fakeNow } from "../../fakes/services.ts";
import { fakeDispatch } from "../../fakes/webhooks.ts";

const eventIds = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);
const ofEach = (...ids: string[]) => new Map(ids.map((id) => [id, [`evt_${id}`]]));

it.each([
  [0, []],
  [100, [100]],
  [101, [100, 1]],
  [250, [100, 100, 50]],
])("%i events of one account are sent in calls of %j events", async (count, calls) => {
  const services = fakeDispatch();

  await dispatchWebhooks(services, new Map(count === 0 ? [] : [["a", eventIds(count)]]));

  expect(services.state.accepted.map(({ eventIds }) => eventIds.length)).toEqual(calls);
  expect(services.state.accepted.flatMap(({ eventIds }) => eventIds)).toEqual(eventIds(count));
});

it("an account whose sender cannot be reached is returned and logged, and other accounts get their events", async () => {
  const services = fakeDispatch(["b"]);

  const unreached = await dispatchWebhooks(services, ofEach("a", "b", "c"));

  expect(unreached).toEqual(new Set(["b"]));
  expect(services.state.accepted).toEqual(["a", "c"].map((id) => ({ accountId: id, eventIds: [`evt_${id}`] })));
  const cause = new Error("the object is away");
  expect(services.state.log).toEqual([
    { level: "warn", event: "webhook.dispatch_failed", accountId: "b", events: 1, cause },
  ]);
});

it("a sender that hangs does not delay other accounts", async () => {
  const services = fakeDispatch();
  const { accept } = services.senders;
  const { promise, resolve } = Promise.withResolvers<void>();
  services.senders.accept = (accountId, ids) => (accountId === "slow" ? promise : accept(accountId, ids));

  const dispatched = dispatchWebhooks(services, ofEach("slow", "b"));

  await expect.poll(() => services.state.accepted).toEqual([{ accountId: "b", eventIds: ["evt_b"] }]);
  resolve();
  expect(await dispatched).toEqual(new Set());
});

it("messages for a sender that hangs are retried after two seconds, and messages of other accounts are acknowledged", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const services = fakeDispatch();
  services.senders.accept = (accountId) => (accountId === "slow" ? new Promise(() => {}) : Promise.resolve());
  const ends: string[] = [];
  const messages = ["slow", "b"].map((accountId) => ({
    id: accountId,
    body: { accountId, eventId: "e" },
    ack: () => void ends.push(`ack ${accountId}`),
    retry: () => void ends.push(`retry ${accountId}`),
  }));

  const consumed = consumeWebhookMessages(services, messages);
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  await consumed;

  expect(ends).toEqual(["retry slow", "ack b"]);
});

it("an account is returned even if only the second call of its sender fails", async () => {
  const services = fakeDispatch();
  let calls = 0;
  services.senders.accept = async () => {
    if (++calls === 2) throw new Error("the object is away");
  };

  expect(await dispatchWebhooks(services, new Map([["a", eventIds(150)]]))).toEqual(new Set(["a"]));
});

it("the overdue events of the outbox are dispatched, and their number is logged", async () => {
  const services = fakeMaintenance();
  const { outbox } = services;
  await dispatchOverdueWebhooks(services);
  const overdue = ["a 1", "b 2", "a 3"].map((text) => text.split(" "));
  outbox.overdue = overdue.map(([accountId = "", id]) => ({ accountId, eventId: `evt_${id}` }));

  await dispatchOverdueWebhooks(services);

  expect(outbox.accepted).toEqual([
    { accountId: "a", eventIds: ["evt_1", "evt_3"] },
    { accountId: "b", eventIds: ["evt_2"] },
  ]);
  expect(services.state.log).toEqual([{ level: "warn", event: "webhook.overdue", accounts: 2, events: 3 }]);
  expect(outbox.asked[0]).toEqual({ nowMs: fakeNow, limit: 1_000 });
});
