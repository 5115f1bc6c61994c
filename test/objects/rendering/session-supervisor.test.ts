import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { NoCapacityError } from "../../../src/objects/rendering/browser-session.ts";
import type { PoolSettings } from "../../../src/objects/rendering/pool.ts";
import { SessionSupervisor } from "../../../src/objects/rendering/session-supervisor.ts";
import { expectCallAfter, FakeBrowsers, poolParts } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function sessionPool(settings: Partial<PoolSettings> = {}) {
  const browsers = new FakeBrowsers();
  const parts = poolParts(browsers, settings);
  return { browsers, ...parts, parts, sessions: new SessionSupervisor(parts) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it("acquiring a session opens one session with its first page for all callers", async () => {
  const { browsers, sessions, memory } = sessionPool();

  const acquired = await Promise.all([sessions.acquire(), sessions.acquire()]);
  acquired.push(await sessions.acquire());

  expect(new Set(acquired).size).toBe(1);
  expect([browsers.sessions.length, browsers.pages.length]).toEqual([1, 1]);
  expect(memory.ids).toEqual(["session-1"]);
});

it("acquiring a session fails for all waiting callers when the session cannot be opened", async () => {
  const { browsers, sessions } = sessionPool();
  const refusal = new Error("500");
  browsers.fail("openSession", refusal);

  const outcomes = await Promise.allSettled([sessions.acquire(), sessions.acquire()]);
  const session = await sessions.acquire();

  expect(outcomes).toEqual([
    { status: "rejected", reason: refusal },
    { status: "rejected", reason: refusal },
  ]);
  expect(session.browser.isAlive()).toBe(true);
  expect(browsers.sessions).toHaveLength(1);
});

it("acquiring a session closes the session when its first page cannot be opened", async () => {
  const { browsers, sessions, logged } = sessionPool();
  browsers.fail("openPage");

  await expect(sessions.acquire()).rejects.toThrow("openPage failed");
  expect(browsers.sessions[0]?.isClosed).toBe(true);
  expect(logged).toMatchObject([
    { event: "browser.session_retired", reason: "its first page could not be opened", renders: 0 },
  ]);
  await sessions.acquire();

  expect(browsers.sessions).toHaveLength(2);
  expect(browsers.sessions[1]?.isClosed).toBe(false);
});

const refusal = (retryAfterMs: number | null = null) => new NoCapacityError("429", { retryAfterMs });

it("a platform that refuses to start a browser is asked again at the time that it named, once for all waiting callers", async () => {
  const { browsers, parts } = sessionPool();
  const startedMs = Date.now();
  const askedMs: number[] = [];
  const sessions = new SessionSupervisor({
    ...parts,
    openSession: () => {
      askedMs.push(Date.now() - startedMs);
      return browsers.openSession();
    },
  });
  browsers.fail("openSession", refusal(2_000));
  browsers.fail("openSession", refusal(3_000));

  const acquired = Promise.all([1, 2, 3].map(() => sessions.acquire(startedMs + 20_000)));
  await vi.advanceTimersByTimeAsync(5_000);

  expect(new Set(await acquired).size).toBe(1);
  expect(askedMs).toEqual([0, 2_000, 5_000]);
});

it.each([
  [null, 2],
  [0, 1],
  [3_000, 3],
  [3_600_000, 60],
])("a platform that refuses a browser for %j ms is asked again after %i seconds", async (retryAfterMs, seconds) => {
  const { browsers, sessions } = sessionPool();
  const refused = refusal(retryAfterMs);
  browsers.fail("openSession", refused);

  await expect(sessions.acquire()).rejects.toBe(refused);
  expect(sessions.retryAfterSeconds()).toBe(seconds);
  await vi.advanceTimersByTimeAsync((retryAfterMs === 0 ? 250 : seconds * 1_000) - 1);
  await expect(sessions.acquire()).rejects.toBe(refused);
  expect(sessions.retryAfterSeconds()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);

  expect((await sessions.acquire()).browser.isAlive()).toBe(true);
});

it("a platform that refuses to start a browser is not asked for a replacement before the time that it named", async () => {
  const { browsers, sessions, logged } = sessionPool();
  const old = await sessions.acquire();
  browsers.fail("openSession", refusal(2_000));

  await sessions.replace(old, "a test");
  await sessions.replace(old, "a test");
  expect(await sessions.acquire()).toBe(old);
  expect(logged).toMatchObject([1, 2].map(() => ({ event: "browser.not_replaced", reason: "a test" })));
  await vi.advanceTimersByTimeAsync(2_000);
  await sessions.replace(old, "a test");

  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([true, false]);
});

it("replacing a session keeps the old session in service until the new session and its first page are open", async () => {
  const { browsers, sessions, memory } = sessionPool();
  const old = await sessions.acquire();
  const release = browsers.hold("openPage");

  const replaced = sessions.replace(old, "a test");
  await settle();
  expect(await sessions.acquire()).toBe(old);
  expect(old.isRetired).toBe(false);
  release();
  await replaced;

  expect(old.isRetired).toBe(true);
  expect(await sessions.acquire()).not.toBe(old);
  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  expect(memory.ids).toContain("session-2");
});

it("a session is replaced and retired only once, even if several replacements are requested", async () => {
  const { browsers, sessions, logged } = sessionPool();
  const old = await sessions.acquire();

  await Promise.all([sessions.replace(old, "first"), sessions.replace(old, "second")]);
  await sessions.replace(old, "third");
  sessions.retire(old, "fourth");

  expect(browsers.sessions).toHaveLength(2);
  expect(logged).toMatchObject([{ event: "browser.session_retired" }]);
});

it("callers wait for the new session if the old session disconnects during its replacement", async () => {
  const { browsers, sessions } = sessionPool();
  const old = await sessions.acquire();
  const release = browsers.hold("openSession");
  const replaced = sessions.replace(old, "a test");
  await settle();
  browsers.sessions[0]?.disconnect();

  const acquiring = sessions.acquire();
  release();

  expect(await acquiring).not.toBe(old);
  await replaced;
  expect(browsers.sessions).toHaveLength(2);
});

it("maintaining a session after a render prepares a spare page", async () => {
  const { browsers, sessions } = sessionPool();
  const session = await sessions.acquire();
  await session.takePage("a");

  sessions.maintain(session);
  await settle();
  await session.takePage("b");

  expect(browsers.pages).toHaveLength(2);
});

it("maintaining a session after a render replaces a session whose spare page cannot be opened", async () => {
  const { browsers, sessions, logged } = sessionPool();
  const session = await sessions.acquire();
  session.returnPage(await session.takePage("a"), 100);
  browsers.fail("openPage");

  sessions.maintain(session);
  await settle();

  expect(session.isRetired).toBe(true);
  expect(browsers.sessions).toHaveLength(2);
  expect(logged).toMatchObject([
    { event: "browser.spare_failed" },
    { event: "browser.session_retired", reason: "a page could not be opened" },
  ]);
});

it("maintaining a session after a render does not replace a retired session when its spare page cannot be opened", async () => {
  const { browsers, sessions } = sessionPool();
  const session = await sessions.acquire();
  session.returnPage(await session.takePage("a"), 100);
  const release = browsers.hold("openPage");
  sessions.maintain(session);

  sessions.retireCurrent("it was idle");
  release(new Error("the context is gone"));
  await settle();

  expect(browsers.sessions).toHaveLength(1);
  expect(sessions.isEmpty).toBe(true);
});

it("a session is replaced exactly when it has reached its maximum age", async () => {
  const { sessions } = sessionPool({ maxSessionAgeMs: 60_000 });
  const session = await sessions.acquire();
  await vi.advanceTimersByTimeAsync(59_999);
  sessions.maintain(session);
  await settle();
  expect(session.isRetired).toBe(false);

  await vi.advanceTimersByTimeAsync(1);
  sessions.maintain(session);
  await settle();

  expect(session.isRetired).toBe(true);
  expect(await sessions.acquire()).not.toBe(session);
});

it("ending unused sessions ends and forgets the sessions from before a restart", async () => {
  const { browsers, sessions, parts, memory } = sessionPool();
  const old = await sessions.acquire();
  old.beginRender(); // The old session stays open.
  await sessions.replace(old, "a test");

  await new SessionSupervisor(parts).endUnused();

  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  expect(memory.list()).toEqual([]);
});

it("ending unused sessions spares the session in use, sessions that still have renders, and sessions that are being opened", async () => {
  const { browsers, sessions, memory } = sessionPool();
  const old = await sessions.acquire();
  old.beginRender();
  await sessions.replace(old, "a test");
  const release = browsers.hold("openPage");
  const replaced = sessions.replace(await sessions.acquire(), "another test");
  await settle();

  await sessions.endUnused();

  expect(browsers.sessions.map(({ isClosed }) => isClosed)).toEqual([false, false, false]);
  expect(memory.list()).toHaveLength(3);
  release();
  await replaced;
});

it("ending unused sessions ends a session that could not be closed", async () => {
  const { browsers, sessions, memory } = sessionPool();
  await sessions.acquire();
  browsers.fail("closeSession");
  sessions.retireCurrent("a test");

  await sessions.endUnused();

  expect(memory.list()).toEqual([]);
});

it("each call that ends unused sessions retries a session that could not be ended", async () => {
  const { browsers, parts, sessions, memory } = sessionPool();
  await sessions.acquire();
  const successor = new SessionSupervisor(parts);
  browsers.fail("endSession");
  await successor.endUnused();
  expect(memory.ids).toEqual(["session-1"]);

  await successor.endUnused();

  expect(memory.ids).toEqual([]);
  expect(browsers.sessions[0]?.isClosed).toBe(true);
});

it("a session that cannot be ended is forgotten an hour after its maximum age", async () => {
  const { browsers, parts, sessions, memory } = sessionPool();
  await sessions.acquire();
  const successor = new SessionSupervisor(parts);
  const endUnused = async () => {
    browsers.fail("endSession");
    await successor.endUnused();
  };

  await vi.advanceTimersByTimeAsync(7_200_000);
  await endUnused();
  expect(memory.ids).toEqual(["session-1"]);
  await vi.advanceTimersByTimeAsync(1);
  await endUnused();

  expect(memory.ids).toEqual([]);
});

it("a check of the browser returns the browser's version even if there is no session", async () => {
  const { browsers, sessions } = sessionPool();

  expect(await sessions.checkBrowser()).toBe("HeadlessChrome/128.0.6613.84");
  expect(await sessions.checkBrowser()).toBe("HeadlessChrome/128.0.6613.84");

  expect(browsers.sessions).toHaveLength(1);
});

it("a check retires a session whose browser does not respond within five seconds, so the next render gets a new session", async () => {
  const { browsers, sessions, logged } = sessionPool();
  const hung = await sessions.acquire();
  browsers.hang("ping");
  const failed = vi.fn();

  sessions.checkBrowser().catch(failed);
  await expectCallAfter(5_000, failed);
  expect(logged).toMatchObject([
    { event: "browser.session_retired", reason: "the browser did not respond to a health check" },
  ]);
  expect(browsers.sessions[0]?.isClosed).toBe(true);
  expect(await sessions.acquire()).not.toBe(hung);
});

it("a session that is retired during a check of its browser stays open until the check has ended", async () => {
  const { browsers, sessions } = sessionPool();
  await sessions.acquire();
  const release = browsers.hold("ping");

  const checked = sessions.checkBrowser();
  await settle();
  sessions.retireCurrent("a test");
  expect(browsers.sessions[0]?.isClosed).toBe(false);
  release();

  expect(await checked).toBe("HeadlessChrome/128.0.6613.84");
  expect(browsers.sessions[0]?.isClosed).toBe(true);
});
