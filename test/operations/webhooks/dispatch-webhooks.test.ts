import { describe, expect, it } from "vitest";
import {
  groupByAccount,
  dispatchWebhooks,
  dispatchOverdueWebhooks,
} from "../../../src/operations/webhooks/dispatch-webhooks.ts";
import { fakeDispatch } from "../../fakes/webhooks.ts";
import { failing, fakeNow } from "../../fakes/services.ts";

const eventIds = (count: number) => Array.from({ length: count }, (_, index) => `evt_${index}`);

describe("a hand-over", () => {
  it("gives each account's sender its own events, and nobody's else", async () => {
    const services = fakeDispatch();

    const unreached = await dispatchWebhooks(
      services,
      new Map([
        ["a", ["evt_1", "evt_2"]],
        ["b", ["evt_3"]],
      ]),
    );

    expect(services.state.handedOver).toEqual([
      { accountId: "a", eventIds: ["evt_1", "evt_2"] },
      { accountId: "b", eventIds: ["evt_3"] },
    ]);
    expect(unreached).toEqual(new Set());
  });

  it("of nothing asks no sender", async () => {
    const services = fakeDispatch();

    await dispatchWebhooks(services, new Map());

    expect(services.state.handedOver).toEqual([]);
  });

  it.each([
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("of %i events of one account takes calls of %j", async (count, calls) => {
    const services = fakeDispatch();

    await dispatchWebhooks(services, new Map([["a", eventIds(count)]]));

    expect(services.state.handedOver.map(({ eventIds }) => eventIds.length)).toEqual(calls);
    expect(services.state.handedOver.flatMap(({ eventIds }) => eventIds)).toEqual(eventIds(count));
  });

  it("names the accounts that could not be reached; the others have taken theirs", async () => {
    const services = fakeDispatch(["b"]);

    const unreached = await dispatchWebhooks(services, new Map(["a", "b", "c"].map((id) => [id, [`evt_${id}`]])));

    expect(unreached).toEqual(new Set(["b"]));
    expect(services.state.handedOver.map(({ accountId }) => accountId)).toEqual(["a", "c"]);
  });

  it("says in the log whose sender could not be reached, and why", async () => {
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

  it("does not let an account whose sender hangs keep the others waiting", async () => {
    const services = fakeDispatch();
    const { accept } = services.senders;
    const { promise, resolve } = Promise.withResolvers<void>();
    services.senders.accept = (accountId, ids) => (accountId === "slow" ? promise : accept(accountId, ids));

    const handing = dispatchWebhooks(
      services,
      new Map([
        ["slow", ["evt_1"]],
        ["b", ["evt_2"]],
      ]),
    );

    await expect.poll(() => services.state.handedOver).toEqual([{ accountId: "b", eventIds: ["evt_2"] }]);
    resolve();
    expect(await handing).toEqual(new Set());
  });

  it("counts an account as unreached when only its second call fails", async () => {
    const services = fakeDispatch();
    let calls = 0;
    services.senders.accept = async () => {
      if (++calls === 2) throw new Error("the object is away");
    };

    const unreached = await dispatchWebhooks(services, new Map([["a", eventIds(150)]]));

    expect(unreached).toEqual(new Set(["a"]));
  });
});

describe("the sweep", () => {
  it("brings what the outbox says was left behind", async () => {
    const services = fakeDispatch();
    services.state.overdue = [
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
      { accountId: "a", eventId: "evt_3" },
    ];

    await dispatchOverdueWebhooks(services);

    expect(services.state.handedOver).toEqual([
      { accountId: "a", eventIds: ["evt_1", "evt_3"] },
      { accountId: "b", eventIds: ["evt_2"] },
    ]);
  });

  it("asks for what is overdue now, a bounded number", async () => {
    const services = fakeDispatch();

    await dispatchOverdueWebhooks(services);

    expect(services.state.asked).toEqual([{ nowMs: fakeNow, limit: 1_000 }]);
  });

  it("goes on for the others when one sender cannot be reached, whose events make way for a minute", async () => {
    const services = fakeDispatch(["a"]);
    services.state.overdue = [
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
    ];

    await dispatchOverdueWebhooks(services);

    expect(services.state.handedOver).toEqual([{ accountId: "b", eventIds: ["evt_2"] }]);
    expect(services.state.putOff).toEqual([{ accountId: "a", eventIds: ["evt_1"], until: fakeNow + 60_000 }]);
  });

  it("rejects while D1 does not answer, so that the clock's run is seen to fail", async () => {
    const services = fakeDispatch();
    services.webhooks.overdue = failing("D1 is down");

    await expect(dispatchOverdueWebhooks(services)).rejects.toThrow("D1 is down");
  });
});

describe("events by account", () => {
  it("are in their order, each once", () => {
    const byAccount = groupByAccount([
      { accountId: "b", eventId: "evt_2" },
      { accountId: "a", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_1" },
      { accountId: "b", eventId: "evt_2" },
    ]);

    expect([...byAccount]).toEqual([
      ["b", ["evt_2", "evt_1"]],
      ["a", ["evt_1"]],
    ]);
  });

  it("are safe from names of an object's members", () => {
    const byAccount = groupByAccount([{ accountId: "__proto__", eventId: "constructor" }]);

    expect([...byAccount]).toEqual([["__proto__", ["constructor"]]]);
  });
});
