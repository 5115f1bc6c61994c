// Fake browser sessions and pages in memory. A test can make the next call of a step fail, hang or wait.
import type { CDPSession } from "@cloudflare/puppeteer";
import { expect, vi, type Mock } from "vitest";
import { withDeadline } from "colophon-base/deadline";
import type { LogEntry } from "colophon-base/log";
import type { WarmPage } from "colophon-render/warm-page";
import { pageInfo } from "colophon-template-model/page-info";
import type { BrowserSession } from "../../../src/objects/rendering/browser-session.ts";
import { newRenderMemory } from "../../../src/objects/rendering/pool-memory.ts";
import type { PoolParts, PoolSettings } from "../../../src/objects/rendering/pool.ts";
import type { RememberedSession, SessionMemory } from "../../../src/objects/rendering/session-memory.ts";

export type Step = "openSession" | "openPage" | "render" | "ping" | "closePage" | "closeSession" | "endSession";

export type FakePage = { session: FakeSession; accounts: string[]; styleChars: number; isClosed: boolean };

/** The deadline in the real functions for starting a browser, and for ending one. */
const timeoutMs = 10_000;

export class FakeBrowsers {
  /** All sessions, in the order in which they were opened. */
  readonly sessions: FakeSession[] = [];
  /** All pages, in the order in which they were opened. */
  readonly pages: FakePage[] = [];
  /** The records of the object that uses these browsers. Pools that share them are one object before and after a restart. */
  readonly memory: FakeMemory = fakeMemory();
  /** The pages that a render passes to `renderMargins`, if there is such a function. */
  readonly pageInfo = pageInfo(2, {});
  readonly #scripted = new Map<Step, (() => Promise<void>)[]>();

  /** Makes the next call of `step` reject with `error`. */
  fail(step: Step, error: Error = new Error(`${step} failed`)): void {
    this.#script(step, () => Promise.reject(error));
  }

  /** Makes the next call of `step` never settle. */
  hang(step: Step): void {
    this.hold(step);
  }

  /**
   * Makes the next call of `step` wait until the returned function is called. If that function gets an error, the call
   * rejects with that error.
   */
  hold(step: Step): (error?: Error) => void {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#script(step, () => promise);
    return (error) => (error ? reject(error) : resolve());
  }

  /** Returns the page on which the account's last render ran. */
  pageOf(accountId: string): FakePage | undefined {
    return this.pages.findLast(({ accounts }) => accounts.includes(accountId));
  }

  /** Cancels all planned failures that have not happened yet. */
  recover(): void {
    this.#scripted.clear();
  }

  /** Like the real function, opens and remembers a new session. */
  readonly openSession = async (): Promise<BrowserSession> => {
    await withDeadline("opening a session", timeoutMs, this.run("openSession"));
    const session = new FakeSession(this, `session-${this.sessions.length + 1}`);
    this.sessions.push(session);
    this.memory.add({ id: session.id, acquiredAtMs: session.acquiredAtMs });
    return session;
  };

  readonly endSession = async (sessionId: string): Promise<boolean> => {
    try {
      await withDeadline("ending a session", timeoutMs, this.run("endSession"));
    } catch {
      return false;
    }
    const session = this.sessions.find(({ id }) => id === sessionId);
    if (session) session.isClosed = true;
    this.memory.delete(sessionId);
    return true;
  };

  readonly openPage = async (root: CDPSession): Promise<WarmPage> => {
    const session = this.sessions.find((candidate) => candidate.root === root);
    if (!session) throw new Error("no session has this root");
    session.contextOpened();
    await this.run("openPage");
    const page: FakePage = { session, accounts: [], styleChars: 0, isClosed: false };
    this.pages.push(page);
    return {
      render: async ({ accountId }, renderMargins) => {
        page.accounts.push(accountId);
        await Promise.race([this.run("render"), session.disconnected]);
        const margins = await renderMargins?.(this.pageInfo);
        if (margins && margins.status !== "ok") return margins;
        return {
          status: "rendered",
          bytes: new Uint8Array([1]),
          pageCount: 1,
          width: 794,
          height: 1123,
          imageSize: null,
          warnings: [],
        };
      },
      styleChars: () => page.styleChars,
      close: async () => {
        page.isClosed = true;
        session.contexts--;
        await this.run("closePage");
      },
    };
  };

  async run(step: Step): Promise<void> {
    await this.#scripted.get(step)?.shift()?.();
  }

  #script(step: Step, behaviour: () => Promise<void>): void {
    this.#scripted.set(step, [...(this.#scripted.get(step) ?? []), behaviour]);
  }
}

export class FakeSession implements BrowserSession {
  readonly id: string;
  readonly acquiredAtMs = Date.now();
  /** The pool only passes it on. */
  readonly root = {} as CDPSession;
  readonly version = "HeadlessChrome/128.0.6613.84";
  readonly #browsers: FakeBrowsers;
  readonly #disconnection = Promise.withResolvers<never>();
  isClosed = false;
  /**
   * The number of open browser contexts; a context remains open if its page fails to open. `maxContexts` is the
   * maximum so far.
   */
  contexts = 0;
  maxContexts = 0;
  #isAlive = true;

  constructor(browsers: FakeBrowsers, id: string) {
    this.#browsers = browsers;
    this.id = id;
    this.disconnected.catch(() => {}); // Prevents an unhandled rejection when no render is waiting.
  }

  /** Rejects when the connection is lost. */
  get disconnected(): Promise<never> {
    return this.#disconnection.promise;
  }

  isAlive(): boolean {
    return this.#isAlive;
  }

  /** Breaks the connection, so that the renders in flight fail. */
  disconnect(): void {
    this.#isAlive = false;
    this.#disconnection.reject(new Error("Target closed"));
  }

  contextOpened(): void {
    this.contexts++;
    this.maxContexts = Math.max(this.maxContexts, this.contexts);
  }

  ping(): Promise<void> {
    return this.#browsers.run("ping");
  }

  async close(): Promise<void> {
    this.isClosed = true;
    const forget = () => this.#browsers.memory.delete(this.id);
    const closing = withDeadline("closing a session", timeoutMs, this.#browsers.run("closeSession"));
    await closing.then(forget, () => {});
  }
}

export type FakeMemory = SessionMemory & {
  /** The ids of the sessions. */
  readonly ids: string[];
};

/** Returns the records of an object that remembers these sessions. */
export function fakeMemory(...ids: string[]): FakeMemory {
  let sessions: RememberedSession[] = ids.map((id) => ({ id, acquiredAtMs: Date.now() }));
  return {
    get ids() {
      return sessions.map(({ id }) => id);
    },
    list: () => sessions,
    add: (session) => void sessions.push(session),
    delete(sessionId) {
      sessions = sessions.filter(({ id }) => id !== sessionId);
    },
  };
}

export type FakePoolParts = PoolParts & { memory: FakeMemory; logged: LogEntry[] };

/** Returns the parts of a pool that uses these browsers. The pool's default limits are too high to matter. */
export function poolParts(browsers: FakeBrowsers, settings: Partial<PoolSettings> = {}): FakePoolParts {
  const logged: LogEntry[] = [];
  return {
    openSession: browsers.openSession,
    endSession: browsers.endSession,
    openPage: browsers.openPage,
    memory: browsers.memory,
    renderMemory: newRenderMemory(),
    store: async (_job, _bytes, metadata) => metadata,
    settings: {
      concurrentPages: 4,
      pagesPerAccount: 3,
      maxPages: 8,
      queueLength: 8,
      maxRendersPerSession: 1_000,
      maxSessionAgeMs: 3_600_000,
      ...settings,
    },
    log: (_level, entry) => void logged.push(entry),
    logged,
  };
}

/** Advances the fake clock by `ms`, and expects that `mock` is called once, at the end of this time and not before. */
export async function expectCallAfter(ms: number, mock: Mock): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms - 1);
  expect(mock).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(mock).toHaveBeenCalledOnce();
}
