// Tests how sessions are opened and closed, with a fake platform in memory.
// test/browser/failures/failing-well.slow.test.ts tests the same with puppeteer and Chromium.
import type { CDPSession } from "@cloudflare/puppeteer";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Log, LogEntry } from "colophon-base/log";
import {
  NoCapacityError,
  openSession,
  type BrowserConnection,
  type BrowserPlatform,
  type BrowserSession,
} from "../../../src/objects/rendering/browser-session.ts";
import { expectCallAfter, fakeMemory, type FakeMemory } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noLog: Log = () => {};
const never = () => new Promise<never>(() => {});

function open(platform: BrowserPlatform, memory: FakeMemory, log: Log = noLog): Promise<BrowserSession> {
  return openSession({ platform, memory, log });
}

type FakePlatform = BrowserPlatform & { calls: string[] };

type Replaced = {
  acquire?: () => Promise<string>;
  /** Returns undefined if the connection is to succeed. */
  connect?: (sessionId: string) => Promise<never> | undefined;
  end?: () => Promise<never>;
  openRoot?: () => Promise<never>;
  version?: () => Promise<never>;
  send?: (method: string) => Promise<never> | undefined;
};

/** Returns a platform that records all calls and commands. They succeed unless `replaced` has a method for them. */
function fakePlatform(replaced: Replaced = {}): FakePlatform {
  const calls: string[] = [];
  const send = async (method: string) => {
    calls.push(method);
    return replaced.send?.(method);
  };
  return {
    calls,
    acquire: async () => {
      calls.push("acquire");
      return replaced.acquire?.() ?? "new";
    },
    connect: async (sessionId) => {
      calls.push(`connect ${sessionId}`);
      const connection: BrowserConnection = {
        sessionId,
        isAlive: () => true,
        version: replaced.version ?? (async () => "HeadlessChrome/128.0.6613.84"),
        openRoot: replaced.openRoot ?? (async () => ({ send }) as unknown as CDPSession),
        disconnect: async () => void calls.push("disconnect"),
      };
      return replaced.connect?.(sessionId) ?? connection;
    },
    end: async (sessionId) => {
      calls.push(`end ${sessionId}`);
      await replaced.end?.();
    },
  };
}

it("a browser session is acquired and remembered, its browser's version is logged, and a command pings the browser", async () => {
  const platform = fakePlatform();
  const memory = fakeMemory();
  const logged: LogEntry[] = [];

  const session = await open(platform, memory, (_, entry) => void logged.push(entry));
  await session.ping();

  expect(platform.calls).toEqual(["acquire", "connect new", "Browser.getVersion"]);
  expect([memory.ids, session.isAlive()]).toEqual([["new"], true]);
  expect(logged).toEqual([{ event: "browser.connected", version: session.version }]);
});

it("opening a browser session rejects with the platform's refusal", async () => {
  const refusal = new NoCapacityError("429");
  const memory = fakeMemory();

  await expect(open(fakePlatform({ acquire: () => Promise.reject(refusal) }), memory)).rejects.toBe(refusal);

  expect(memory.ids).toEqual([]);
});

it.each<[string, Replaced]>([
  ["acquiring", { acquire: never }],
  ["connecting", { connect: never }],
  ["opening the root", { openRoot: never }],
  ["asking for the version", { version: never }],
])("opening a browser session rejects after ten seconds when %s hangs", async (_step, hanging) => {
  const settled = vi.fn();
  open(fakePlatform(hanging), fakeMemory()).catch(settled);

  await expectCallAfter(10_000, settled);
});

it("a browser session is forgotten when its browser and connection are closed", async () => {
  const platform = fakePlatform();
  const memory = fakeMemory();
  const session = await open(platform, memory);

  await session.close();

  expect(platform.calls.slice(-2)).toEqual(["Browser.close", "disconnect"]);
  expect(memory.list()).toEqual([]);
});

it.each<[string, () => Promise<never>]>([
  ["fails", () => Promise.reject(new Error("the connection was lost"))],
  ["hangs", never],
])("a browser session is ended through the platform when closing the browser %s", async (_how, send) => {
  const platform = fakePlatform({ send: (method) => (method === "Browser.close" ? send() : undefined) });
  const memory = fakeMemory();
  const session = await open(platform, memory);

  const closed = session.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;

  expect(platform.calls.slice(-3)).toEqual(["Browser.close", "disconnect", "end new"]);
  expect(memory.list()).toEqual([]);
});

it.each<[string, () => Promise<never>]>([
  ["fails", () => Promise.reject(new Error("500"))],
  ["hangs", never],
])(
  "closing a browser session is given up after twelve seconds, and the session is remembered, if ending it %s",
  async (_how, end) => {
    const memory = fakeMemory();
    const session = await open(fakePlatform({ send: never, end }), memory);

    const closed = session.close();
    await vi.advanceTimersByTimeAsync(12_000);
    await closed;

    expect(memory.ids).toEqual(["new"]);
  },
);

it("a browser session that is acquired after the deadline is remembered", async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const platform = fakePlatform({ acquire: () => promise });
  const memory = fakeMemory();
  const opened = expect(open(platform, memory)).rejects.toThrow("starting a browser took longer than 10000 ms");
  await vi.advanceTimersByTimeAsync(10_000);
  await opened;

  resolve("late");
  await vi.advanceTimersByTimeAsync(0);

  expect(memory.ids).toEqual(["late"]);
  expect(platform.calls).toEqual(["acquire", "connect late", "disconnect"]);
});
