// What a render attempt does after each kind of failure. It never retries: the caller's next attempt is written out.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { NoCapacityError } from "../../../src/objects/rendering/browser-session.ts";
import { attemptRender } from "../../../src/objects/rendering/render-attempt.ts";
import { SessionSupervisor } from "../../../src/objects/rendering/session-supervisor.ts";
import { DeadlineError } from "../../../src/platform/deadline.ts";
import { renderJob } from "../../fixtures/render-job.ts";
import { FakeBrowsers, poolParts } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world(settings: Parameters<typeof poolParts>[1] = {}) {
  const browsers = new FakeBrowsers();
  const parts = poolParts(browsers, settings);
  const sessions = new SessionSupervisor(parts);
  const attempt = (accountId: string = crypto.randomUUID(), timeoutMs = 20_000) =>
    attemptRender(sessions, renderJob({ accountId, timeoutMs }), parts.log);
  /** An attempt whose end a test can observe. */
  const observed = (accountId?: string, timeoutMs?: number) => {
    const ended = vi.fn();
    void attempt(accountId, timeoutMs).then(ended);
    return ended;
  };
  const closed = () => browsers.sessions.map(({ isClosed }) => isClosed);
  return { browsers, sessions, logged: parts.logged, attempt, observed, closed };
}

const settle = () => vi.advanceTimersByTimeAsync(0);
const rendered = expect.objectContaining({ status: "rendered" });
const pageCrash = new Error("the page's process ended");

it("renders on a warm page, again and again", async () => {
  const { browsers, attempt, logged } = world();

  expect(await attempt("a")).toEqual(rendered);
  expect(await attempt("a")).toEqual(rendered);

  expect(browsers.sessions).toHaveLength(1);
  expect(browsers.pageOf("a")?.accounts).toEqual(["a", "a"]);
  expect(logged).toEqual([]);
});

describe("when no session can be opened", () => {
  it("has no capacity if the platform refuses a browser", async () => {
    const { browsers, attempt } = world();
    browsers.fail("openSession", new NoCapacityError("429"));

    expect(await attempt()).toEqual({ status: "no_capacity", retryAfterSeconds: 10 });
  });

  it("has crashed after any other failure of the launch, and the next attempt launches again", async () => {
    const { browsers, attempt } = world();
    browsers.fail("openSession", new Error("500"));

    expect(await attempt()).toEqual({ status: "crashed", reason: "500" });
    expect(await attempt()).toEqual(rendered);
  });

  it("has crashed, not timed out, if a step of the launch hangs", async () => {
    const { browsers, attempt } = world();
    browsers.fail("openSession", new DeadlineError("connecting took longer than 4000 ms"));

    expect(await attempt()).toEqual({ status: "crashed", reason: "connecting took longer than 4000 ms" });
  });

  it("has crashed if the first page fails, and the next attempt opens another session", async () => {
    const { browsers, attempt, closed } = world();
    browsers.fail("openPage");

    expect(await attempt()).toEqual({ status: "crashed", reason: "openPage failed" });
    expect(await attempt()).toEqual(rendered);
    expect(closed()).toEqual([true, false]);
  });

  it("has timed out if the session is opened too late, which then serves the next attempt", async () => {
    const { browsers, attempt, observed } = world();
    const release = browsers.hold("openSession");
    const ended = observed("late", 3_000);

    await vi.advanceTimersByTimeAsync(2_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
    release();
    await settle();

    expect(browsers.pageOf("late")).toBeUndefined();
    expect(await attempt("next")).toEqual(rendered);
    expect(browsers.sessions).toHaveLength(1);
  });

  it("does not count as a render under way on a session that is opened too late: that session can close", async () => {
    const { browsers, sessions, observed, closed } = world();
    const release = browsers.hold("openSession");
    observed("late", 3_000);
    await vi.advanceTimersByTimeAsync(3_000);
    release();
    await settle();

    sessions.retireCurrent("a test");

    expect(closed()).toEqual([true]);
  });
});

describe("when no page can be opened", () => {
  /** A session whose spare page another account has taken, and which has no other yet. */
  async function sessionWithoutSpare() {
    const all = world();
    const release = all.browsers.hold("render");
    const neighbour = all.observed("neighbour");
    await settle();
    return { ...all, release, neighbour };
  }

  it("has crashed, and the session is retired; its renders under way continue", async () => {
    const { browsers, attempt, closed, release, neighbour } = await sessionWithoutSpare();
    browsers.fail("openPage");

    expect(await attempt()).toEqual({ status: "crashed", reason: "openPage failed" });
    expect(closed()).toEqual([false]);
    expect(await attempt()).toEqual(rendered);
    expect(closed()).toEqual([false, false]);
    release();
    await settle();

    expect(neighbour).toHaveBeenCalledExactlyOnceWith(rendered);
    expect(closed()).toEqual([true, false]);
  });

  it("has crashed after five seconds, not timed out, if opening the page hangs", async () => {
    const { browsers, observed } = await sessionWithoutSpare();
    browsers.hang("openPage");
    const ended = observed();

    await vi.advanceTimersByTimeAsync(4_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(ended).toHaveBeenCalledExactlyOnceWith({
      status: "crashed",
      reason: "opening a page took longer than 5000 ms",
    });
  });

  it("has timed out if the deadline is before that, and the session is retired", async () => {
    const { browsers, sessions, observed, release, closed } = await sessionWithoutSpare();
    browsers.hang("openPage");
    const ended = observed("slow", 1_000);

    await vi.advanceTimersByTimeAsync(1_000);

    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
    expect(sessions.isEmpty).toBe(true);
    release();
    await settle();
    expect(closed()).toEqual([true]);
  });
});

describe("when a page crashes", () => {
  it("has crashed, with the reason; the page is closed and the session replaced", async () => {
    const { browsers, attempt, closed, logged } = world();
    browsers.fail("render", pageCrash);

    expect(await attempt("a")).toEqual({ status: "crashed", reason: "the page's process ended" });

    expect(browsers.pageOf("a")?.isClosed).toBe(true);
    expect(closed()).toEqual([true, false]);
    expect(logged).toMatchObject([
      { event: "render.failed", reason: "the page's process ended", cause: pageCrash },
      { event: "browser.session_retired", reason: "the page's process ended" },
    ]);
  });

  it("ends when the replacement is open, so that the next attempt renders there", async () => {
    const { browsers, attempt, observed } = world();
    await attempt("a");
    browsers.fail("render", pageCrash);
    const release = browsers.hold("openSession");

    const ended = observed("a");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(ended).not.toHaveBeenCalled();
    release();
    await settle();
    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "the page's process ended" });

    expect(await attempt("a")).toEqual(rendered);
    expect(browsers.pageOf("a")?.session).toBe(browsers.sessions[1]);
  });

  it("lets its neighbours continue: the session closes after their last render", async () => {
    const { browsers, attempt, observed, closed } = world();
    const release = browsers.hold("render");
    const neighbour = observed("neighbour");
    await settle();
    browsers.fail("render", pageCrash);

    await attempt("a");
    expect(closed()).toEqual([false, false]);
    expect(neighbour).not.toHaveBeenCalled();
    release();
    await settle();

    expect(neighbour).toHaveBeenCalledExactlyOnceWith(rendered);
    expect(closed()).toEqual([true, false]);
  });

  it("lets other accounts render on the session until the replacement is open", async () => {
    const { browsers, attempt, observed } = world();
    await attempt("a");
    browsers.fail("render", pageCrash);
    browsers.hang("openSession");
    observed("a");
    await settle();

    expect(await attempt("b")).toEqual(rendered);
    expect(browsers.pageOf("b")?.session).toBe(browsers.sessions[0]);
  });

  it("ends at the deadline at the latest if the replacement hangs", async () => {
    const { browsers, attempt, observed } = world();
    await attempt("a");
    browsers.fail("render", pageCrash);
    browsers.hang("openSession");
    const ended = observed("a", 3_000);

    await vi.advanceTimersByTimeAsync(2_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "the page's process ended" });
  });

  it("has crashed if the replacement fails, and the next attempt renders on the same session, on a fresh page", async () => {
    const { browsers, attempt } = world();
    await attempt("a");
    const crashedPage = browsers.pageOf("a");
    browsers.fail("render", pageCrash);
    browsers.fail("openSession");

    expect(await attempt("a")).toEqual({ status: "crashed", reason: "the page's process ended" });
    expect(await attempt("a")).toEqual(rendered);

    expect(browsers.sessions).toHaveLength(1);
    expect(browsers.pageOf("a")).not.toBe(crashedPage);
  });

  it.each(["fail", "hang"] as const)("does not depend on closing the page: it may %s", async (how) => {
    const { browsers, attempt } = world();
    browsers.fail("render", pageCrash);
    browsers[how]("closePage");

    expect(await attempt("a")).toEqual({ status: "crashed", reason: "the page's process ended" });
    expect(await attempt("a")).toEqual(rendered);
  });
});

describe("when the browser fails as a whole", () => {
  it("has crashed as soon as the connection is lost, and the next attempt opens another session", async () => {
    const { browsers, sessions, attempt, observed, closed } = world();
    browsers.hang("render");
    const ended = observed("a");
    await settle();

    browsers.sessions[0]?.disconnect();
    await settle();

    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "the connection was lost" });
    expect(closed()).toEqual([true]);
    expect(sessions.isEmpty).toBe(true);
    expect(await attempt("a")).toEqual(rendered);
    expect(browsers.sessions).toHaveLength(2);
  });

  it("has crashed when the heartbeat is not answered; the session is retired at once, not replaced", async () => {
    const { browsers, sessions, attempt, observed, closed } = world();
    browsers.hang("render");
    browsers.hang("ping");
    const ended = observed("a");

    await vi.advanceTimersByTimeAsync(6_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);

    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "the browser does not respond" });
    expect(browsers.pageOf("a")?.isClosed).toBe(true);
    expect(closed()).toEqual([true]);
    expect(sessions.isEmpty).toBe(true);
    expect(await attempt("a")).toEqual(rendered);
    expect(browsers.sessions).toHaveLength(2);
  });

  it("keeps waiting for a page that takes long while the heartbeat is answered", async () => {
    const { browsers, observed } = world();
    const release = browsers.hold("render");
    const ended = observed("a");

    await vi.advanceTimersByTimeAsync(19_000);
    release();
    await settle();

    expect(ended).toHaveBeenCalledExactlyOnceWith(rendered);
  });
});

describe("when the deadline passes", () => {
  it("has timed out; the page is closed, and the session replaced without waiting for it", async () => {
    const { browsers, attempt, observed, closed } = world();
    await attempt("a");
    browsers.hang("render");
    const release = browsers.hold("openSession");
    const ended = observed("a", 3_000);

    await vi.advanceTimersByTimeAsync(2_999);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
    expect(browsers.pageOf("a")?.isClosed).toBe(true);
    expect(closed()).toEqual([false]);
    release();
    await settle();

    expect(closed()).toEqual([true, false]);
  });
});

it("has no effect on page and session when the document is impossible to render", async () => {
  const { browsers, sessions, logged } = world();
  const impossible = { status: "impossible", message: "The document has too many pages." } as const;
  const session = await sessions.acquire();
  const page = await session.takePage("a");
  page.warm.render = async () => impossible;
  session.returnPage(page);

  expect(await attemptRender(sessions, renderJob({ accountId: "a" }), () => {})).toEqual(impossible);

  expect(browsers.pages[0]?.isClosed).toBe(false);
  expect(await session.takePage("a")).toBe(page);
  expect(logged).toEqual([]);
});
