import { describe, expect, it } from "vitest";
import type { ServiceError } from "../../../src/core/errors.ts";
import { hanging } from "../../fakes/services.ts";
import { documentsOf, expectNothingLeft, refusalOf, states, world, type World } from "./world.ts";

describe("a create when the allowance is used up", () => {
  it("fails with RENDER_LIMIT_EXCEEDED, the number of renders and the seconds until the reset", async () => {
    const { create } = await world({ now: Date.parse("2026-11-30T23:59:00.000Z") }, { monthlyRenders: 2 });
    await create();
    await create();

    const error = await refusalOf(create());

    expect(error.code).toBe("RENDER_LIMIT_EXCEEDED");
    expect(error.message).toBe("Monthly render limit exceeded. Current: 2/2");
    expect(error.retryAfterSeconds).toBe(60);
  });

  it("includes the monthly usage in RENDER_LIMIT_EXCEEDED", async () => {
    const { create } = await world({ now: Date.parse("2026-11-30T23:59:00.000Z") }, { monthlyRenders: 0 });

    const { usage } = await refusalOf(create());

    expect(usage).toEqual({ used: 0, limit: 0, month: "2026-11", nowMs: Date.parse("2026-11-30T23:59:00.000Z") });
  });

  it("asks for a wait of one second when the month ends while the hold is being refused", async () => {
    const all = await world({ now: Date.parse("2026-11-30T23:59:59.990Z") }, { monthlyRenders: 0 });
    const { reserve } = all.services.quota;
    all.services.quota.reserve = (request) => {
      all.services.state.nowMs += 20;
      return reserve(request);
    };

    const { retryAfterSeconds } = await refusalOf(all.create());

    expect(retryAfterSeconds).toBe(1);
  });

  it("asks for a wait of at most one second when the month ends before the hold is requested", async () => {
    const all = await world({ now: Date.parse("2026-11-30T23:59:59.990Z") }, { monthlyRenders: 1 });
    await all.create();
    const { find } = all.services.templates;
    all.services.templates.find = (...args) => {
      all.services.state.nowMs += 20;
      return find(...args);
    };

    const waitSeconds = await all.create().then(
      () => 0,
      ({ retryAfterSeconds }: ServiceError) => Number(retryAfterSeconds),
    );

    expect(waitSeconds).toBeLessThanOrEqual(1);
  });

  it("fails even if the renders that used up the allowance are still in flight", async () => {
    const all = await world({ renderer: { render: hanging() } }, { monthlyRenders: 1 });
    void all.create();
    await expect.poll(() => states(all)).toEqual(["held"]);

    const error = await refusalOf(all.create());

    expect(error.message).toBe("Monthly render limit exceeded. Current: 1/1");
  });

  it("reports a render count above the limit after the limit was lowered", async () => {
    const { services, account, create } = await world();
    await create();
    await create();
    account.plan.monthlyRenders = 1;
    await services.idle();

    const error = await refusalOf(create());

    expect(error.message).toBe("Monthly render limit exceeded. Current: 2/1");
  });

  it("persists nothing", async () => {
    const all = await world({}, { monthlyRenders: 0 });

    await refusalOf(all.create());

    expect(all.services.state.jobs).toEqual([]);
    expectNothingLeft(all);
  });
});

describe("a create with too many renders in flight", () => {
  /** Starts two renders, which is the maximum that the account may have in flight. */
  async function atInFlightLimit(options: { monthlyRenders?: number } = {}) {
    const rendersInFlight = { free: 2, starter: 2, pro: 2, enterprise: 2 };
    const all = await world({ settings: { rendersInFlight } }, options);
    const { render } = all.services.renderer;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    all.services.renderer.render = async (job) => {
      await promise;
      return render(job);
    };
    const inFlight = [all.create(), all.create()];
    await expect.poll(() => states(all)).toEqual(["held", "held"]);
    const settled = async () => {
      end();
      await Promise.all(inFlight);
      await all.services.idle();
    };
    return { all, settled };
  }

  it("fails with 503 RENDER_FAILED and the seconds to wait", async () => {
    const { all } = await atInFlightLimit();

    const error = await refusalOf(all.create());

    expect([error.reason, error.code]).toEqual(["no_capacity", "RENDER_FAILED"]);
    expect(error.retryAfterSeconds).toBe(1);
  });

  it("may wait at the account's object for the time that is left", async () => {
    const { all, settled } = await atInFlightLimit();
    const { reserve } = all.services.quota;
    const timeouts: number[] = [];
    all.services.quota.reserve = async (request) => {
      timeouts.push(request.timeoutMs);
      await settled();
      return reserve(request);
    };
    const { find } = all.services.templates;
    all.services.templates.find = (...args) => {
      all.services.state.nowMs += 3_000;
      return find(...args);
    };

    const { document } = await all.create();

    expect(document.status).toBe("completed");
    expect(timeouts).toEqual([22_000]);
  });

  it("states how many renders the plan allows in flight", async () => {
    const { all } = await atInFlightLimit();

    const { message } = await refusalOf(all.create());

    expect(message).toContain("2 renders in progress");
  });

  it("changes nothing but the holds of the renders in flight", async () => {
    const { all } = await atInFlightLimit();

    await refusalOf(all.create());

    expect(states(all)).toEqual(["held", "held"]);
    expect([documentsOf(all).length, all.services.state.files.size]).toEqual([0, 0]);
  });
});

describe("the use of a monthly allowance", () => {
  const thresholds = ({ services }: World) =>
    services.state.log
      .filter(({ event }) => event === "quota.threshold_reached")
      .map(({ percent, used }) => [percent, used]);
  const createTimes = async (all: World, times: number) => {
    for (let count = 0; count < times; count++) {
      await all.create();
      await all.services.idle();
    }
  };

  it.each([
    [5, 4],
    [7, 6],
    [10, 8],
  ])("of %i renders is logged once at 80 % (after %i renders) and once at 100 %", async (monthlyRenders, atEighty) => {
    const all = await world({}, { monthlyRenders });

    await createTimes(all, monthlyRenders);

    expect(thresholds(all)).toEqual([
      [80, atEighty],
      [100, monthlyRenders],
    ]);
  });

  it("is not logged below 80 %", async () => {
    const all = await world({}, { monthlyRenders: 5 });

    await createTimes(all, 3);

    expect(thresholds(all)).toEqual([]);
  });

  it("is not logged again when a create is refused because the allowance is used up", async () => {
    const all = await world({}, { monthlyRenders: 1 });
    await createTimes(all, 1);
    const before = thresholds(all);

    await refusalOf(all.create());

    expect(thresholds(all)).toEqual(before);
  });

  it("is logged with the account and its limit", async () => {
    const all = await world({}, { monthlyRenders: 5 });

    await createTimes(all, 4);

    expect(all.services.state.log).toContainEqual({
      level: "info",
      event: "quota.threshold_reached",
      accountId: all.account.id,
      percent: 80,
      used: 4,
      limit: 5,
    });
  });
});
