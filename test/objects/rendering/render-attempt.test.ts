// Tests the actions of a render attempt after each kind of failure. Retrying is left to the caller, so the tests start the next
// attempt themselves.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DeadlineError } from "colophon-base/deadline";
import { CodedError } from "colophon-base/loggable-error";
import { poolMargins } from "colophon-render/margin-content";
import type { RenderMargins } from "colophon-render/render-services";
import { renderJob } from "colophon-test-kit/render-job";
import { NoCapacityError } from "../../../src/objects/rendering/browser-session.ts";
import { attemptRender } from "../../../src/objects/rendering/render-attempt.ts";
import { SessionSupervisor } from "../../../src/objects/rendering/session-supervisor.ts";
import { expectCallAfter, FakeBrowsers, poolParts } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world(settings: Parameters<typeof poolParts>[1] = {}) {
  const browsers = new FakeBrowsers();
  const parts = poolParts(browsers, settings);
  const sessions = new SessionSupervisor(parts);
  const attempt = (accountId: string = crypto.randomUUID(), timeoutMs = 20_000) =>
    attemptRender(sessions, { job: renderJob({ accountId, timeoutMs }), renderMargins: null }, parts.log);
  /** Starts an attempt, and returns a mock that is called with the outcome. */
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
class ProtocolError extends Error {}
const pageCrash = new CodedError("page.process_ended");

it("a render attempt without a session reports no capacity immediately if the platform asks for a wait that leaves too little time to render", async () => {
  const { browsers, attempt } = world();
  browsers.fail("openSession", new NoCapacityError("429", { retryAfterMs: 14_001 }));

  expect(await attempt("a", 20_000)).toEqual({ status: "no_capacity", retryAfterSeconds: 15 });
  expect(browsers.sessions).toHaveLength(0);
});

it("a render attempt without a session waits and asks again if the platform asks for a wait that leaves enough time to render", async () => {
  const { browsers, observed } = world();
  browsers.fail("openSession", new NoCapacityError("429", { retryAfterMs: 14_000 }));
  const ended = observed("a", 20_000);

  await expectCallAfter(14_000, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith(rendered);
});

it.each([
  ["fails", new ProtocolError("Unable to create new browser: code: 500: message: a text"), "ProtocolError"],
  ["hangs in a step", new DeadlineError("connecting", 4_000), "timeout: connecting"],
])(
  "a render attempt crashes, and the next one opens a session, if opening its session %s",
  async (_how, error, reason) => {
    const { browsers, attempt } = world();
    browsers.fail("openSession", error);

    expect(await attempt()).toEqual({ status: "crashed", reason });
    expect(await attempt()).toEqual(rendered);
  },
);

it("a session that opens after the deadline of a render attempt is left to the next attempt", async () => {
  const { browsers, attempt, observed } = world();
  const release = browsers.hold("openSession");
  const ended = observed("late", 3_000);

  await expectCallAfter(3_000, ended);
  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
  release();
  await settle();

  expect(browsers.pageOf("late")).toBeUndefined();
  expect(await attempt("next")).toEqual(rendered);
  expect(browsers.sessions).toHaveLength(1);
});

/**
 * Starts a render of a different account, which takes the session's spare page. Returns before a new spare page is ready.
 * `release` lets that render end.
 */
async function sessionWithoutSpare() {
  const all = world();
  const release = all.browsers.hold("render");
  const neighbour = all.observed("neighbour");
  await settle();
  return { ...all, release, neighbour };
}

it("a render attempt whose page cannot be opened reports a crash and retires the session, but the session's other renders continue", async () => {
  const { browsers, attempt, closed, release, neighbour } = await sessionWithoutSpare();
  browsers.fail("openPage", new ProtocolError("Target.createTarget: a text"));

  expect(await attempt()).toEqual({ status: "crashed", reason: "ProtocolError" });
  expect(closed()).toEqual([false]);
  expect(await attempt()).toEqual(rendered);
  expect(closed()).toEqual([false, false]);
  release();
  await settle();

  expect(neighbour).toHaveBeenCalledExactlyOnceWith(rendered);
  expect(closed()).toEqual([true, false]);
});

it("a render attempt reports a crash after five seconds, not a timeout, if opening its page hangs", async () => {
  const { browsers, observed } = await sessionWithoutSpare();
  browsers.hang("openPage");
  const ended = observed();

  await expectCallAfter(5_000, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith({
    status: "crashed",
    reason: "timeout: opening a page",
  });
});

it("a render attempt retires the session if its deadline passes while opening the page hangs", async () => {
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

it("a render attempt whose page crashes reports the crash with its reason, closes the page and replaces the session", async () => {
  const { browsers, attempt, closed, logged } = world();
  browsers.fail("render", pageCrash);

  expect(await attempt("a")).toEqual({ status: "crashed", reason: "page.process_ended" });

  expect(browsers.pageOf("a")?.isClosed).toBe(true);
  expect(closed()).toEqual([true, false]);
  expect(logged).toMatchObject([
    { event: "render.failed", reason: "page.process_ended", cause: pageCrash },
    { event: "browser.session_retired", reason: "page.process_ended" },
  ]);
});

it("a render attempt whose page crashes ends once the new session is open, so that the next attempt uses the new session", async () => {
  const { browsers, attempt, observed } = world();
  await attempt("a");
  browsers.fail("render", pageCrash);
  const release = browsers.hold("openSession");

  const ended = observed("a");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(ended).not.toHaveBeenCalled();
  release();
  await settle();
  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "page.process_ended" });

  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.pageOf("a")?.session).toBe(browsers.sessions[1]);
});

it("a render attempt whose page crashes ends by the deadline if opening the new session hangs", async () => {
  const { browsers, attempt, observed } = world();
  await attempt("a");
  browsers.fail("render", pageCrash);
  browsers.hang("openSession");
  const ended = observed("a", 3_000);

  await expectCallAfter(3_000, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "page.process_ended" });
});

it("the next render attempt can open a new session as soon as the connection of a session is lost", async () => {
  const { browsers, sessions, attempt, observed, closed } = world();
  browsers.hang("render");
  const ended = observed("a");
  await settle();

  browsers.sessions[0]?.disconnect();
  await settle();

  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "Error" });
  expect(closed()).toEqual([true]);
  expect(sessions.isEmpty).toBe(true);
  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.sessions).toHaveLength(2);
});

it("a render attempt retires the session immediately without replacing it when a ping gets no response", async () => {
  const { browsers, sessions, attempt, observed, closed } = world();
  browsers.hang("render");
  browsers.hang("ping");
  const ended = observed("a");

  await expectCallAfter(7_000, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason: "UnresponsiveBrowserError" });
  expect(browsers.pageOf("a")?.isClosed).toBe(true);
  expect(closed()).toEqual([true]);
  expect(sessions.isEmpty).toBe(true);
  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.sessions).toHaveLength(2);
});

it("a render attempt that exceeds its deadline does not wait for a new session", async () => {
  const { browsers, attempt, observed, closed } = world();
  await attempt("a");
  browsers.hang("render");
  const release = browsers.hold("openSession");
  const ended = observed("a", 3_000);

  await expectCallAfter(3_000, ended);
  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
  expect(browsers.pageOf("a")?.isClosed).toBe(true);
  expect(closed()).toEqual([false]);
  release();
  await settle();

  expect(closed()).toEqual([true, false]);
});

/** Starts an attempt with a time limit of 3 s, and returns a mock that is called with the outcome. */
function started(renderMargins: RenderMargins) {
  const all = world();
  const ended = vi.fn();
  const job = renderJob({ accountId: "a", timeoutMs: 3_000 });
  const work = { job, renderMargins: poolMargins(renderMargins) };
  void attemptRender(all.sessions, work, (_, entry) => void all.logged.push(entry)).then(ended);
  return { ...all, ended };
}

it("a render attempt whose headers fail ends with their outcome, and keeps the page and the session", async () => {
  const outcome = { status: "impossible", message: "The template does too much work." } as const;
  const { browsers, ended, attempt, logged } = started(async () => outcome);
  await settle();

  expect(ended).toHaveBeenCalledExactlyOnceWith(outcome);
  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.pages[0]?.accounts).toEqual(["a", "a"]);
  expect(logged).toEqual([]);
});

it("a render attempt that needs headers keeps the page and the session if the Worker has ended", async () => {
  const cause = new Error("The RPC receiver was disposed.");

  const { browsers, ended, attempt, logged } = started(() => Promise.reject(cause));
  await settle();

  const reason = "the Worker that renders the headers and footers did not respond";
  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "crashed", reason });
  expect(logged).toEqual([{ event: "render.margins_unavailable", cause }]);
  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.pages[0]?.accounts).toEqual(["a", "a"]);
});

it("a render attempt that needs headers times out shortly before the deadline if the Worker never responds", async () => {
  const { browsers, ended, attempt } = started(() => new Promise(() => {}));

  await expectCallAfter(2_750, ended);

  expect(ended).toHaveBeenCalledExactlyOnceWith({ status: "timed_out" });
  expect(await attempt("a")).toEqual(rendered);
  expect(browsers.pages[0]?.accounts).toEqual(["a", "a"]);
});
