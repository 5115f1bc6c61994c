import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sha256Hex } from "colophon-base/encoding";
import type { RenderOutcome } from "colophon-render/render-job";
import { renderJob } from "colophon-test-kit/render-job";
import { NoCapacityError } from "../../../src/objects/rendering/browser-session.ts";
import { RenderPool, type PoolSettings } from "../../../src/objects/rendering/pool.ts";
import { expectCallAfter, FakeBrowsers, poolParts, type FakePoolParts, type Step } from "./fake-browsers.ts";

// Only these timers are fake. `setImmediate` and similar functions stay real, because the real crypto may need them to compute
// digests.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function renderPool(
  settings: Partial<PoolSettings> = {},
  replaced: Partial<FakePoolParts> & { browsers?: FakeBrowsers } = {},
) {
  const browsers = replaced.browsers ?? new FakeBrowsers();
  const store = vi.fn(poolParts(browsers, settings).store);
  const parts = { ...poolParts(browsers, settings), store, ...replaced };
  const pool = new RenderPool(parts);
  const render = (accountId: string = crypto.randomUUID(), timeoutMs = 20_000, isBackground = false) =>
    pool.render({ ...renderJob({ accountId, timeoutMs }), isBackground });
  return { browsers, pool, render, store, logged: parts.logged, memory: parts.memory };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const rendered = expect.objectContaining({ status: "rendered" });
/** The outcome of a render that is refused because of the pool's queue. */
const refused = (retryAfterSeconds: number) => ({ status: "no_capacity", retryAfterSeconds });

it("a rendered file has the metadata that the store returns", async () => {
  const bytes = new Uint8Array([1]);
  const metadata = {
    fileSize: 1,
    sha256: await sha256Hex(bytes),
    width: 794,
    height: 1123,
    pageCount: 1,
    imageSize: null,
    warnings: [],
  };
  const store = vi.fn(async () => ({ ...metadata, warnings: ["as stored"] }));
  const { pool } = renderPool({}, { store });
  const job = renderJob({ accountId: "a" });

  const outcome = await pool.render(job);

  expect(store).toHaveBeenCalledExactlyOnceWith(job, bytes, metadata);
  expect(outcome).toEqual({ status: "rendered", ...metadata, warnings: ["as stored"] });
});

it("a rendered file that cannot be stored is reported as a crash, not as a rendered document", async () => {
  const store = () => Promise.reject(new Error("R2 is down"));
  const { render, logged } = renderPool({ concurrentPages: 1 }, { store });

  expect(await render()).toEqual({ status: "crashed", reason: "the file could not be stored" });
  expect(await render()).toMatchObject({ status: "crashed" });
  expect(logged).toMatchObject([{ event: "file.put_failed" }, { event: "file.put_failed" }]);
});

const pending = () => Promise.withResolvers<boolean>();

it("an early render stores its file when it is permitted to, and leaves its page to other renders while it waits", async () => {
  const { pool, render, store } = renderPool({ concurrentPages: 1 });
  const permission = pending();
  const early = pool.render(renderJob({ accountId: "a" }), { mayStore: () => permission.promise });
  await settle();

  expect(await render("b")).toEqual(rendered);
  expect(store).toHaveBeenCalledTimes(1);
  permission.resolve(true);

  expect(await early).toEqual(rendered);
  expect(store).toHaveBeenCalledTimes(2);
});

it("an early render that may not store its file ends, stores nothing, and drops only its own page", async () => {
  const { pool, browsers, render, store } = renderPool({ concurrentPages: 1 });
  browsers.hang("render");
  const permission = pending();
  const early = pool.render(renderJob({ accountId: "a" }), { mayStore: () => permission.promise });
  await settle();
  permission.resolve(false);

  expect(await early).toEqual({ status: "not_permitted" });
  expect(browsers.pageOf("a")).toMatchObject({ isClosed: true });
  expect(await render("b")).toEqual(rendered);
  expect([store.mock.calls.length, browsers.sessions.length]).toEqual([1, 1]);
});

it("an early render that has already ended when it is refused permission to store its file stores nothing", async () => {
  const { pool, store } = renderPool();
  const permission = pending();
  const early = pool.render(renderJob({ accountId: "a" }), { mayStore: () => permission.promise });
  await settle();
  permission.resolve(false);

  expect(await early).toEqual({ status: "not_permitted" });
  expect(store).not.toHaveBeenCalled();
});

it("an early render counts as crashed if it never learns whether it may store its file", async () => {
  const { pool, store } = renderPool();
  const lost = pool.render(renderJob({ accountId: "a" }), { mayStore: () => Promise.reject(new Error("gone")) });
  const silent = pool.render(renderJob({ accountId: "b", timeoutMs: 5_000 }), { mayStore: () => pending().promise });

  expect(await lost).toMatchObject({ status: "crashed" });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await silent).toMatchObject({ status: "crashed" });
  expect(store).not.toHaveBeenCalled();
});

it("admission asks refused renders to come back later the longer the queue is", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 2, queueLength: 20 });
  browsers.hang("render");
  browsers.hang("render");
  for (let count = 0; count < 22; count++) void render(`account ${count}`);
  await settle();

  // Each of the two pages is assumed to render five documents a second.
  expect(await render("late")).toEqual(refused(3));
});

it("admission leaves a quarter of the pages to other accounts when one account uses the rest", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 4 });
  for (let count = 0; count < 4; count++) browsers.hang("render");
  for (let count = 0; count < 4; count++) void render("slow");
  await settle();
  browsers.recover();

  expect(await render("other")).toEqual(rendered);
  expect(browsers.pages.filter(({ accounts }) => accounts.includes("slow"))).toHaveLength(3);
});

it("admission allows background renders one page at a time, and refuses renders that exceed their queue", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 4, queueLength: 1 });
  const release = browsers.hold("render");
  const order: string[] = [];
  const renderInOrder = (name: string, isBackground: boolean) =>
    render(name, 20_000, isBackground).then(() => order.push(name));
  const all = [renderInOrder("batch", true), renderInOrder("next", true)];
  await settle();
  expect(await render("batch", 20_000, true)).toEqual(refused(2));
  all.push(renderInOrder("single", false));
  await settle();
  const accounts = browsers.pages.flatMap((page) => page.accounts);

  release();
  await Promise.all(all);

  expect([accounts.toSorted(), order.at(-1)]).toEqual([["batch", "single"], "next"]);
});

it("the next background render begins after four times the last one's duration while other renders arrive, or else immediately", async () => {
  const { browsers, render } = renderPool();
  const renderFor = (ms: number, accountId: string) => {
    setTimeout(browsers.hold("render"), ms);
    return render(accountId, 20_000, true);
  };
  await render("other");
  const first = renderFor(50, "first");
  const second = render("second", 20_000, true);
  await vi.advanceTimersByTimeAsync(50);
  await first;
  await vi.advanceTimersByTimeAsync(199);
  expect(browsers.pageOf("second")).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await second;

  await vi.advanceTimersByTimeAsync(1_000);
  const third = renderFor(50, "third");
  const fourth = render("fourth", 20_000, true);
  await vi.advanceTimersByTimeAsync(50);

  expect(await Promise.all([third, fourth])).toEqual([rendered, rendered]);
});

it("a render that a different pool could accept is refused as soon as the platform refuses to start a browser", async () => {
  const { browsers, pool, render } = renderPool();
  browsers.fail("openSession", new NoCapacityError("none left", { retryAfterMs: 2_000 }));

  expect(await pool.render({ ...renderJob({ accountId: "a" }), hasOther: true })).toEqual(refused(2));
  const waiting = render("a");
  await vi.advanceTimersByTimeAsync(2_000);

  expect(await waiting).toEqual(rendered);
});

it("admission counts each render that is in progress or waits until the render has ended", async () => {
  const { browsers, pool, render } = renderPool({ concurrentPages: 2 });
  const release = browsers.hold("render");
  const loads: number[] = [];
  const all = ["a", "b", "b"].map((accountId) => render(accountId).then(() => loads.push(pool.load)));
  expect(pool.load).toBe(3);

  release();
  await Promise.all(all);

  expect(loads).toEqual([2, 1, 0]);
});

it("admission refuses a render when it has waited so long that too little time is left for its work", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 1 });
  browsers.hang("render");
  void render("a");
  await settle();
  const ended = vi.fn();
  void render("b", 9_000).then(ended);

  await expectCallAfter(2_000, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith(refused(1));
});

it("admission lets a render wait as long as enough time is left for its work", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 1 });
  const release = browsers.hold("render");
  const first = render("a", 60_000);
  await settle();
  const second = render("b", 25_000);

  await vi.advanceTimersByTimeAsync(17_900);
  release();

  expect(await Promise.all([first, second])).toEqual([rendered, rendered]);
});

it("admission subtracts the time in the queue from the time allowed for the render", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 1 });
  const release = browsers.hold("render");
  browsers.hang("render");
  const first = render("a");
  await settle();
  const ended = vi.fn();
  void render("b", 9_000).then(ended);
  await vi.advanceTimersByTimeAsync(1_500);
  release();
  await first;

  await expectCallAfter(7_500, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
});

it("the number of pages never exceeds the limit on contexts, however many accounts render at the same time", async () => {
  const { browsers, render } = renderPool({ concurrentPages: 4, maxPages: 5, queueLength: 64 });

  const outcomes = await Promise.all(Array.from({ length: 40 }, () => render()));

  expect(outcomes).toEqual(outcomes.map(() => rendered));
  expect(browsers.sessions[0]?.maxContexts).toBe(5);
  expect(browsers.pages.every(({ accounts }) => new Set(accounts).size <= 1)).toBe(true);
});

it("the session is replaced after its maximum number of renders, even while a render is running", async () => {
  const { browsers, render } = renderPool({ maxRendersPerSession: 3 });
  const release = browsers.hold("render");
  const slow = render("slow");
  await settle();

  for (const account of ["a", "a", "a", "b"]) {
    await render(account);
    await settle();
  }
  expect(browsers.pageOf("a")?.session).toBe(browsers.sessions[0]);
  expect(browsers.pageOf("b")?.session).toBe(browsers.sessions[1]);
  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  release();

  expect(await slow).toEqual(rendered);
  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it("closeIfIdle closes the session as soon as the idle time has passed", async () => {
  const { browsers, pool, render, memory, logged } = renderPool();
  await render();

  await vi.advanceTimersByTimeAsync(59_999);
  expect(await pool.closeIfIdle(60_000)).toBe(false);
  expect(browsers.sessions[0]?.isClosed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await pool.closeIfIdle(60_000)).toBe(true);

  expect(browsers.sessions[0]?.isClosed).toBe(true);
  expect(memory.ids).toEqual([]);
  expect(logged).toEqual([{ event: "browser.session_retired", reason: "it was idle", renders: 1 }]);
});

it("closeIfIdle does not count a check of the browser as a render", async () => {
  const { browsers, pool, render } = renderPool();
  await render();
  await vi.advanceTimersByTimeAsync(59_999);
  await pool.browserVersion();
  await vi.advanceTimersByTimeAsync(1);

  expect(await pool.closeIfIdle(60_000)).toBe(true);
  expect(browsers.sessions[0]?.isClosed).toBe(true);
});

it("closeIfIdle does not close the session while a render is running", async () => {
  const { browsers, pool, render } = renderPool();
  const release = browsers.hold("render");
  const outcome = render();
  await vi.advanceTimersByTimeAsync(10_000);

  expect(await pool.closeIfIdle(0)).toBe(false);
  release();

  expect(await outcome).toEqual(rendered);
  expect(await pool.closeIfIdle(0)).toBe(true);
});

it("closeIfIdle does not close the first session while it is being opened", async () => {
  const { browsers, pool, render } = renderPool();
  const release = browsers.hold("openSession");
  expect(await Promise.all([render("late", 1_000), vi.advanceTimersByTimeAsync(1_000)])).toMatchObject([
    { status: "timed_out" },
    {},
  ]);

  expect(await pool.closeIfIdle(0)).toBe(false);
  release();
  await settle();

  expect(await pool.closeIfIdle(0)).toBe(true);
  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([true]);
});

it("closeIfIdle closes a replacement session only after it has been opened", async () => {
  const { browsers, pool, render } = renderPool({ maxRendersPerSession: 1 });
  await render();
  const release = browsers.hold("openSession");
  await render();
  await settle();

  const whileOpening = await pool.closeIfIdle(0);
  release();
  await settle();

  expect(whileOpening).toBe(false);
  expect(await pool.closeIfIdle(0)).toBe(true);
  expect(browsers.sessions.every(({ isClosed }) => isClosed)).toBe(true);
});

describe.each<Step>(["openSession", "openPage", "render", "ping", "closePage", "closeSession", "endSession"])(
  "after repeated failures of %s",
  (step) => {
    it.each(["fail", "hang"] as const)("the pool renders again, and browsers end when idle (%s)", async (how) => {
      const { browsers, pool, render } = renderPool({ maxRendersPerSession: 3, concurrentPages: 2, maxPages: 3 });
      const renders: Promise<RenderOutcome>[] = [];
      for (const account of ["a", "b", "a", "c", "b", "a", "d", "a"]) {
        browsers[how](step);
        renders.push(render(account, 8_000));
        await vi.advanceTimersByTimeAsync(9_000);
      }
      browsers.recover();
      await vi.advanceTimersByTimeAsync(20_000);
      await Promise.all(renders); // All have timed out or computed the digest of their file, which takes real time.

      expect(await render("afterwards")).toEqual(rendered);
      await vi.advanceTimersByTimeAsync(60_000);

      expect(await pool.closeIfIdle(60_000)).toBe(true);
      expect(browsers.sessions.every(({ isClosed }) => isClosed)).toBe(true);
    });
  },
);
