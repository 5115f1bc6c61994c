// Tests a pool's measurements of a render, with fake browsers and a fake clock.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noMeasurements } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { RenderPool } from "../../../src/objects/rendering/pool.ts";
import { FakeBrowsers, poolParts, type FakePoolParts } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

/** Shorter than the time limits of single steps. */
const timeoutMs = 10_000;

function world(replaced: Partial<FakePoolParts> = {}) {
  const browsers = new FakeBrowsers();
  const pool = new RenderPool({ ...poolParts(browsers, { concurrentPages: 1 }), ...replaced });
  const render = (accountId: string) => {
    const measured = noMeasurements("pool-0");
    const outcome = pool.render(renderJob({ accountId, timeoutMs }), { measured });
    return { measured, outcome };
  };
  return { browsers, render };
}

const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

it("each part of a render in the pool is measured", async () => {
  const stored = Promise.withResolvers<void>();
  const { browsers, render } = world({ store: async (_job, _bytes, metadata) => (await stored.promise, metadata) });
  const [open, finish] = [browsers.hold("openSession"), browsers.hold("render")];
  const first = render("a");
  await wait(30);
  open();
  await wait(200);
  const second = render("b");
  finish();
  await wait(0);
  // The digest of the file is computed outside the fake clock.
  await new Promise((resolve) => setImmediate(resolve));
  await wait(7);
  stored.resolve();
  await Promise.all([first.outcome, second.outcome]);

  expect(first.measured).toEqual({
    pool: "pool-0",
    browserVersion: expect.stringContaining("Chrome"),
    isSessionReused: false,
    queueMs: 0,
    sessionMs: 30,
    browserMs: 200,
    putMs: 7,
  });
  expect(second.measured).toMatchObject({ isSessionReused: true, queueMs: 7, sessionMs: 0 });
});

it("only the time in the queue is measured for a refused render", async () => {
  const { browsers, render } = world();
  browsers.hold("render");
  void render("a");
  await wait(0);

  const refused = render("b");
  await wait(timeoutMs);

  expect(await refused.outcome).toMatchObject({ status: "no_capacity" });
  expect(refused.measured).toEqual({ ...noMeasurements("pool-0"), queueMs: expect.any(Number) as number });
});

it("the time of an attempt that gets no browser counts as waiting for the browser", async () => {
  const { browsers, render } = world();
  browsers.hold("openSession");
  const { outcome, measured } = render("a");

  await wait(timeoutMs);

  expect(await outcome).toMatchObject({ status: "timed_out" });
  expect(measured).toMatchObject({ sessionMs: timeoutMs, browserMs: null, putMs: null, browserVersion: null });
});

it("the time of a stopped render counts as work of the browser", async () => {
  const { browsers, render } = world();
  browsers.hold("render");
  const { outcome, measured } = render("a");

  await wait(timeoutMs);

  expect(await outcome).toMatchObject({ status: "timed_out" });
  expect(measured).toMatchObject({ sessionMs: 0, browserMs: timeoutMs, putMs: null });
});
