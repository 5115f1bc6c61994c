// A server that breaks the rules at the address of a browser's DevTools. A render is then refused for lack of capacity within the time for
// a start, the connection ends, and nothing that is logged contains the address, which may have a token.
import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { renderJob } from "colophon-test-kit/render-job";
import { openSession } from "../../src/objects/rendering/browser-session.ts";
import { cdpPlatform } from "../../src/objects/rendering/cdp-platform.ts";
import { jsonLog } from "../../src/platform/json-log.ts";
import { testPool } from "../browser/fixtures/pool.ts";
import { brokenBodies, brokenSockets, failures, responses, withoutEnd } from "../fixtures/hostile-server.ts";

const token = "token-that-nobody-may-see";
const names = [responses, failures, brokenBodies, withoutEnd].flatMap((behaviours) => Object.keys(behaviours));
const sockets = names
  .concat(Object.keys(brokenSockets), "bomb", "endless-bomb")
  .filter((name) => name !== "a-second-response");

/** Addresses of DevTools, and addresses of WebSockets. */
const hostile = inject("hostileOrigin");
const addresses = [
  ...[...names, "bomb", "endless-bomb"].map((name) => ({ path: `${name}/${token}/version`, address: `${hostile}/?` })),
  ...sockets.map((name) => ({ path: `${name}/${token}/socket`, address: `${hostile.replace("http", "ws")}/` })),
].map(({ path, address }) => ({ path, url: `${address}${path}` }));

/** The runtime may reuse a connection once its response is complete. */
const isWhole = (path: string) => (path.split("/")[0] ?? "") in responses;

const lines: string[] = [];

beforeEach(() => {
  for (const level of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, level).mockImplementation((...args) => void lines.push(args.join(" ")));
});
afterEach(() => void vi.restoreAllMocks());

async function renderedAt(url: string) {
  const memory = { list: () => [], add: () => {}, delete: () => {} };
  const parts = { platform: cdpPlatform(new URL(url)), memory, log: jsonLog };
  const pool = testPool(undefined as never, { openSession: () => openSession(parts), log: jsonLog });
  const beganMs = Date.now();
  const outcome = await pool.render(renderJob({ timeoutMs: 25_000 }));
  return { outcome, ms: Date.now() - beganMs };
}

it("a hostile browser server makes a render fail for lack of capacity, and leaves no connection open", async () => {
  const all = await Promise.all(addresses.map(async ({ path, url }) => ({ path, ...(await renderedAt(url)) })));

  const wrong = all.filter(
    ({ outcome, ms }) => outcome.status !== "no_capacity" || outcome.retryAfterSeconds < 1 || ms > 22_000,
  );
  expect(wrong).toEqual([]);
  expect(all.length).toBeGreaterThan(90);
  expect(lines.filter((line) => line.includes(token))).toEqual([]);
  const counts = () =>
    Promise.all(
      addresses.map(async ({ path }) => {
        const response = await fetch(`${inject("receiverOrigin")}/hostile/${path}`);
        return { path, ...((await response.json()) as { requests: number; open: number }) };
      }),
    );
  const open = async () =>
    (await counts()).filter((each) => each.open > 0 && !isWhole(each.path)).map(({ path }) => path);
  expect((await counts()).filter(({ requests }) => requests === 0)).toEqual([]);
  await expect.poll(open, { timeout: 5_000 }).toEqual([]);
}, 60_000);
