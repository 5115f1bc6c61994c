import { describe, expect, it } from "vitest";
import { dispatchOverdueWebhooks, dispatchWebhooks } from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { fakeDispatch } from "../../fakes/webhooks.ts";
import { failing, fakeNow } from "../../fakes/services.ts";

const eventIds = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);

describe("dispatchWebhooks", () => {
  it("gives each account's sender the events of that account only", async () => {
    const services = fakeDispatch();

    const unreached = await dispatchWebhooks(
      services,
      new Map([
        ["a", ["evt_1", "evt_2"]],
        ["b", ["evt_3"]],
      ]),
    );

    expect(services.state.accepted).toEqual([
      { accountId: "a", eventIds: ["evt_1", "evt_2"] },
      { accountId: "b", eventIds: ["evt_3"] },
    ]);
    expect(unreached).toEqual(new Set());
  });

  it("calls no sender when there are no events", async () => {
    const services = fakeDispatch();

    await dispatchWebhooks(services, new Map());

    expect(services.state.accepted).toEqual([]);
  });

  it.each([
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("splits %i events of one account into calls of %j events", async (count, calls) => {
    const services = fakeDispatch();

    await dispatchWebhooks(services, new Map([["a", eventIds(count)]]));

    expect(services.state.accepted.map(({ eventIds }) => eventIds.length)).toEqual(calls);
    expect(services.state.accepted.flatMap(({ eventIds }) => eventIds)).toEqual(eventIds(count));
  });

  it("returns the accounts whose senders could not be reached, and dispatches the events of all other accounts", async () => {
    const services = fakeDispatch(["b"]);

    const unreached = await dispatchWebhooks(services, new Map(["a", "b", "c"].map((id) => [id, [`evt_${id}`]])));

    expect(unreached).toEqual(new Set(["b"]));
    expect(services.state.accepted.map(({ accountId }) => accountId)).toEqual(["a", "c"]);
  });

  it("logs which sender could not be reached, and why", async () => {
    const services = fakeDispatch(["b"]);

    await dispatchWebhooks(services, new Map([["b", eventIds(3)]]));

    expect(services.state.log).toEqual([
      {
        level: "warn",
        event: "webhook.dispatch_failed",
        accountId: "b",
        events: 3,
        cause: new Error("the object is away"),
      },
    ]);
  });

  it("does not make other accounts wait for a sender that hangs", async () => {
    const services = fakeDispatch();
    const { accept } = services.senders;
    const { promise, resolve } = Promise.withResolvers<void>();
    services.senders.accept = (accountId, ids) => (accountId === "slow" ? promise : accept(accountId, ids));

    const dispatched = dispatchWebhooks(
      services,
      new Map([
        ["slow", ["evt_1"]],
        ["b", ["evt_2"]],
      ]),
    );

    await expect.poll(() => services.state.accepted).toEqual([{ accountId: "b", eventIds: ["evt_2"] }]);
    resolve();
    expect(await dispatched).toEqual(new Set());
  });

  it("also returns an account if only the second call to its sender fails", async () => {
    const services = fakeDispatch();
    let calls = 0;
    services.senders.accept = async () => {
      if (++calls === 2) throw new Error("the object is away");
    };

    const unreached = await dispatchWebhooks(services, new Map([["a", eventIds(150)]]));

    expect(unreached).toEqual(new Set(["a"]));
  });
});

describe("dispatchOverdueWebhooks", () => {
  it("dispatches the overdue events of the outbox", async () => {
    const services = fakeDispatch();
    services.state.overdue = [
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
      { accountId: "a", eventId: "evt_3" },
    ];

    await dispatchOverdueWebhooks(services);

    expect(services.state.accepted).toEqual([
      { accountId: "a", eventIds: ["evt_1", "evt_3"] },
      { accountId: "b", eventIds: ["evt_2"] },
    ]);
  });

  it("logs how many events were overdue, and nothing when there were none", async () => {
    const services = fakeDispatch();
    await dispatchOverdueWebhooks(services);
    services.state.overdue = [
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
      { accountId: "a", eventId: "evt_3" },
    ];

    await dispatchOverdueWebhooks(services);

    expect(services.state.log).toEqual([{ level: "warn", event: "webhook.overdue", accounts: 2, events: 3 }]);
  });

  it("asks for at most 1,000 events that are overdue now", async () => {
    const services = fakeDispatch();

    await dispatchOverdueWebhooks(services);

    expect(services.state.asked).toEqual([{ nowMs: fakeNow, limit: 1_000 }]);
  });

  it("dispatches the events of all other senders when one is unreachable", async () => {
    const services = fakeDispatch(["a"]);
    services.state.overdue = [
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
    ];

    await dispatchOverdueWebhooks(services);

    expect(services.state.accepted).toEqual([{ accountId: "b", eventIds: ["evt_2"] }]);
  });

  it("rejects while D1 is down, so that the scheduled run fails visibly", async () => {
    const services = fakeDispatch();
    services.webhooks.overdue = failing("D1 is down");

    await expect(dispatchOverdueWebhooks(services)).rejects.toThrow("D1 is down");
  });
});
