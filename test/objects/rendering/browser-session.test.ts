// Tests how sessions are opened, reconnected and closed, with a fake platform in memory.
// test/browser/failures/failing-well.slow.test.ts tests the same with puppeteer and Chromium.
import type { CDPSession } from "@cloudflare/puppeteer";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import {
  NoCapacityError,
  openSession,
  type BrowserConnection,
  type BrowserPlatform,
} from "../../../src/objects/rendering/browser-session.ts";
import type { Log, LogEntry } from "../../../src/ports/services.ts";
import { fakeMemory } from "./fake-browsers.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const noLog: Log = () => {};
const never = () => new Promise<never>(() => {});

type FakePlatform = BrowserPlatform & { calls: string[] };

type Replaced = {
  acquire?: () => Promise<never>;
  /** Returns undefined if the connection is to succeed. */
  connect?: (sessionId: string) => Promise<never> | undefined;
  end?: () => Promise<never>;
  openRoot?: () => Promise<never>;
  version?: () => Promise<never>;
  send?: () => Promise<never>;
};

/** Returns a platform that records all calls and commands. They succeed unless `replaced` has a method for them. */
function fakePlatform(replaced: Replaced = {}): FakePlatform {
  const calls: string[] = [];
  const send = async (method: string) => {
    calls.push(method);
    return replaced.send?.();
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

/** Makes every connection fail with `failure`, except the connection to the new session. */
const onlyNew = (failure: () => Promise<never>): Replaced => ({
  connect: (sessionId) => (sessionId === "new" ? undefined : failure()),
});

it("acquires a session and remembers it", async () => {
  const platform = fakePlatform();
  const memory = fakeMemory();

  const session = await openSession(platform, memory, noLog);

  expect(platform.calls).toEqual(["acquire", "connect new"]);
  expect(memory.id).toBe("new");
  expect(session.isAlive()).toBe(true);
});

it("reconnects to the remembered session, and acquires no other session", async () => {
  const platform = fakePlatform();
  const memory = fakeMemory("old");

  await openSession(platform, memory, noLog);

  expect(platform.calls).toEqual(["connect old"]);
  expect(memory.id).toBe("old");
});

it.each([
  [undefined, false],
  ["old", true],
])("logs the browser's version when the remembered session is %s", async (remembered, isReconnected) => {
  const logged: LogEntry[] = [];

  const session = await openSession(fakePlatform(), fakeMemory(remembered), (_, entry) => void logged.push(entry));

  expect(logged).toEqual([{ event: "browser.connected", version: "HeadlessChrome/128.0.6613.84", isReconnected }]);
  expect(session.version).toBe("HeadlessChrome/128.0.6613.84");
});

it("ends a remembered session that is gone, and acquires a new session", async () => {
  const platform = fakePlatform(onlyNew(() => Promise.reject(new Error("404"))));
  const memory = fakeMemory("old");

  await openSession(platform, memory, noLog);

  expect(platform.calls).toEqual(["connect old", "end old", "acquire", "connect new"]);
  expect(memory.id).toBe("new");
});

it("acquires a new session when the remembered session does not respond within four seconds", async () => {
  const platform = fakePlatform(onlyNew(never));
  const opened = openSession(platform, fakeMemory("old"), noLog);

  await vi.advanceTimersByTimeAsync(3_999);
  expect(platform.calls).toEqual(["connect old"]);
  await vi.advanceTimersByTimeAsync(1);
  await opened;

  expect(platform.calls).toEqual(["connect old", "end old", "acquire", "connect new"]);
});

it("does not wait for the call that ends a remembered session", async () => {
  const platform = fakePlatform({ ...onlyNew(() => Promise.reject(new Error("404"))), end: never });

  const session = await openSession(platform, fakeMemory("old"), noLog);

  expect(session.isAlive()).toBe(true);
});

it("rejects with the refusal of the platform, and remembers no session", async () => {
  const refusal = new NoCapacityError("429");
  const memory = fakeMemory();

  await expect(openSession(fakePlatform({ acquire: () => Promise.reject(refusal) }), memory, noLog)).rejects.toBe(
    refusal,
  );

  expect(memory.id).toBeUndefined();
});

it.each<[string, Replaced, number]>([
  ["acquiring", { acquire: never }, 10_000],
  ["connecting", { connect: never }, 4_000],
  ["opening the root", { openRoot: never }, 4_000],
  ["asking for the version", { version: never }, 4_000],
])("rejects when %s hangs", async (_step, hanging, timeoutMs) => {
  const settled = vi.fn();
  openSession(fakePlatform(hanging), fakeMemory(), noLog).catch(settled);

  await vi.advanceTimersByTimeAsync(timeoutMs - 1);
  expect(settled).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);

  expect(settled).toHaveBeenCalledOnce();
});

it("pings by sending a command to the browser", async () => {
  const platform = fakePlatform();
  const session = await openSession(platform, fakeMemory(), noLog);

  await session.ping();

  expect(platform.calls.at(-1)).toBe("Browser.getVersion");
});

it("closes the browser and then the connection", async () => {
  const platform = fakePlatform();
  const session = await openSession(platform, fakeMemory("old"), noLog);

  await session.close();

  expect(platform.calls).toEqual(["connect old", "Browser.close", "disconnect"]);
});

it.each<[string, () => Promise<never>]>([
  ["fails", () => Promise.reject(new Error("the connection was lost"))],
  ["hangs", never],
])("ends the session through the platform when closing the browser %s", async (_how, send) => {
  const platform = fakePlatform({ send });
  const session = await openSession(platform, fakeMemory("old"), noLog);

  const closed = session.close();
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;

  expect(platform.calls).toEqual(["connect old", "Browser.close", "disconnect", "end old"]);
});

it.each<[string, () => Promise<never>]>([
  ["fails", () => Promise.reject(new Error("500"))],
  ["hangs", never],
])("closes within twelve seconds even if ending the session through the platform %s", async (_how, end) => {
  const session = await openSession(fakePlatform({ send: never, end }), fakeMemory(), noLog);

  const closed = session.close();
  await vi.advanceTimersByTimeAsync(12_000);

  await expect(closed).resolves.toBeUndefined();
});
