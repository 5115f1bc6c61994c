import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { renderJob } from "colophon-test-kit/render-job";
import { PooledSession } from "../../../src/objects/rendering/pooled-session.ts";
import { FakeBrowsers } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function openedSession(maxPages = 8) {
  const browsers = new FakeBrowsers();
  const session = await browsers.openSession();
  const pooled = new PooledSession(session, browsers.openPage, maxPages);
  const [fake] = browsers.sessions;
  if (!fake) throw new Error("no session was opened");
  /** Returns a page that has rendered a job of the account and is free again. */
  const usedPage = async (accountId: string) => {
    const page = await pooled.takePage(accountId);
    await page.warm.render(renderJob({ accountId }));
    await vi.advanceTimersByTimeAsync(1);
    pooled.returnPage(page, 100);
    return page;
  };
  return { browsers, pooled, fake, usedPage };
}

const unexpected = async (cause: unknown) => {
  throw cause;
};

it("a page is given only to renders of its own account", async () => {
  const { browsers, pooled, usedPage } = await openedSession();
  const page = await usedPage("a");
  await usedPage("b");

  expect(browsers.pages).toHaveLength(2);
  expect(await pooled.takePage("a")).toBe(page);
});

it("a page is never given to two renders at the same time, even of the same account", async () => {
  const { pooled, usedPage } = await openedSession();
  const page = await usedPage("a");

  const taken = await Promise.all([pooled.takePage("a"), pooled.takePage("a"), pooled.takePage("a")]);

  expect(taken[0]).toBe(page);
  expect(new Set(taken).size).toBe(3);
});

it("a page is closed after a document of more than 4,000,000 characters", async () => {
  const { browsers, pooled } = await openedSession();
  await pooled.openSpare();
  pooled.returnPage(await pooled.takePage("a"), 4_000_000);
  expect(browsers.pages[0]?.isClosed).toBe(false);

  pooled.returnPage(await pooled.takePage("a"), 4_000_001);

  expect(browsers.pages[0]?.isClosed).toBe(true);
  expect(pooled.rendersDone).toBe(2);
});

it("a page stays open if only the files of its styles are large, up to 12,000,000 characters", async () => {
  const { browsers, pooled } = await openedSession();
  const returnWith = async (styleChars: number) => {
    const page = await pooled.takePage("a");
    const [fake] = browsers.pages;
    if (fake) fake.styleChars = styleChars;
    pooled.returnPage(page, styleChars + 4_000_000);
    return fake?.isClosed;
  };

  expect(await returnWith(12_000_000)).toBe(false);
  expect(await returnWith(12_000_001)).toBe(true);
});

it("the least recently used page is closed when the styles of all pages have more than 40,000,000 characters", async () => {
  const { browsers, pooled, usedPage } = await openedSession();
  await usedPage("plain");
  const styled = async (accountId: string, styleChars: number) => {
    const page = await pooled.takePage(accountId);
    const fake = browsers.pages.at(-1);
    if (fake) fake.styleChars = styleChars;
    await vi.advanceTimersByTimeAsync(1);
    pooled.returnPage(page, styleChars);
  };
  for (const account of ["a", "b", "c", "d"]) await styled(account, 10_000_000);
  expect(browsers.pages.filter(({ isClosed }) => isClosed)).toHaveLength(0);

  await styled("e", 1);

  expect(browsers.pages.map(({ accounts: [account], isClosed }) => [account ?? "styled", isClosed])).toEqual([
    ["plain", false],
    ["styled", true],
    ["styled", false],
    ["styled", false],
    ["styled", false],
    ["styled", false],
  ]);
});

it("a page is closed and never given to a render again after it was dropped", async () => {
  const { browsers, pooled, usedPage } = await openedSession();
  const page = await usedPage("a");

  pooled.dropPage(page);

  expect(browsers.pageOf("a")?.isClosed).toBe(true);
  expect(await pooled.takePage("a")).not.toBe(page);
});

it.each([
  ["fails", "fail"],
  ["hangs", "hang"],
] as const)("a page can be replaced even if closing the page %s", async (_name, how) => {
  const { browsers, pooled, usedPage } = await openedSession(1);
  const page = await usedPage("a");
  browsers[how]("closePage");

  pooled.dropPage(page);
  await vi.advanceTimersByTimeAsync(60_000);

  expect((await pooled.takePage("a")).accountId).toBe("a");
});

it("the limit on contexts evicts the least recently used page first", async () => {
  const { browsers, pooled, usedPage } = await openedSession(3);
  await usedPage("a");
  await usedPage("b");
  await usedPage("c");
  await usedPage("a");

  await pooled.takePage("d");

  expect(browsers.pageOf("b")?.isClosed).toBe(true);
  expect(browsers.pageOf("a")?.isClosed).toBe(false);
  expect(browsers.pageOf("c")?.isClosed).toBe(false);
});

it("the limit on contexts never evicts a page that is in use", async () => {
  const { browsers, pooled, usedPage } = await openedSession(2);
  const inUse = await pooled.takePage("a");
  await inUse.warm.render(renderJob({ accountId: "a" }));
  await usedPage("b");

  await pooled.takePage("c");

  expect(browsers.pageOf("a")?.isClosed).toBe(false);
  expect(browsers.pageOf("b")?.isClosed).toBe(true);
});

it("the limit on contexts includes contexts that are being opened", async () => {
  const { browsers, pooled, fake, usedPage } = await openedSession(3);
  await usedPage("a");
  await usedPage("b");
  const releaseFirst = browsers.hold("openPage");
  const releaseSecond = browsers.hold("openPage");

  const opening = [pooled.takePage("c"), pooled.takePage("d")];
  expect(fake.contexts).toBe(3);
  releaseFirst();
  releaseSecond();
  await Promise.all(opening);

  expect(fake.maxContexts).toBe(3);
  expect(browsers.pageOf("a")?.isClosed).toBe(true);
  expect(browsers.pageOf("b")?.isClosed).toBe(false);
});

it("a page that cannot be opened or is dropped twice does not affect the limit on contexts", async () => {
  const { browsers, pooled, usedPage } = await openedSession(2);
  browsers.fail("openPage");
  await expect(pooled.takePage("a")).rejects.toThrow("openPage failed");
  const dropped = await usedPage("b");
  pooled.dropPage(dropped);
  pooled.dropPage(dropped);
  await usedPage("c");
  await usedPage("d");
  expect(browsers.pageOf("c")?.isClosed).toBe(false);

  await usedPage("e");

  expect(browsers.pageOf("c")?.isClosed).toBe(true);
  expect(browsers.pageOf("d")?.isClosed).toBe(false);
});

it("there is one spare page at a time, and a new one is prepared once an account has taken it", async () => {
  const { browsers, pooled } = await openedSession();
  const prepare = async () => {
    pooled.prepareSpare(unexpected);
    pooled.prepareSpare(unexpected);
    await vi.advanceTimersByTimeAsync(0);
    return browsers.pages.length;
  };
  const counts = [await prepare(), await prepare()];

  await pooled.takePage("a");

  expect([...counts, await prepare()]).toEqual([1, 1, 2]);
});

it("no spare page is prepared in a retired session", async () => {
  const { browsers, pooled } = await openedSession();
  pooled.retire();

  pooled.prepareSpare(unexpected);
  await vi.advanceTimersByTimeAsync(0);

  expect(browsers.pages).toHaveLength(0);
});

it("a new spare page is prepared only after a failure to open one has been handled", async () => {
  const { browsers, pooled } = await openedSession();
  const error = new Error("no memory");
  const handled = Promise.withResolvers<void>();
  const onFailure = vi.fn(() => handled.promise);
  browsers.fail("openPage", error);

  pooled.prepareSpare(onFailure);
  await vi.advanceTimersByTimeAsync(0);
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(error);
  pooled.prepareSpare(unexpected);
  await vi.advanceTimersByTimeAsync(0);
  expect(browsers.pages).toHaveLength(0);
  handled.resolve();
  await vi.advanceTimersByTimeAsync(0);
  pooled.prepareSpare(unexpected);
  await vi.advanceTimersByTimeAsync(0);

  expect(browsers.pages).toHaveLength(1);
});

it("a session is closed only after it was retired and its last render has ended", async () => {
  const { pooled, fake } = await openedSession();
  const closed: boolean[] = [];
  const call = (...methods: ("beginRender" | "endRender" | "retire")[]) => {
    for (const method of methods) pooled[method]();
    closed.push(fake.isClosed);
  };

  call("beginRender", "endRender");
  call("beginRender", "beginRender", "retire");
  call("endRender");
  call("endRender");

  expect(closed).toEqual([false, false, false, true]);
});
