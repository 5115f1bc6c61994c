import { afterEach, expect, it, vi } from "vitest";
import { renderJob } from "colophon-test-kit/render-job";
import { BrowserPool } from "../../src/objects/browser-pool.ts";
import { objectStorage } from "../fakes/object-storage.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

afterEach(() => vi.useRealTimers().restoreAllMocks());

/** A pool whose platform responds to an acquisition with `acquired()`, and ends browsers with `deleteStatus`. */
function poolWorld() {
  vi.useFakeTimers({ now: 0 });
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
  const storage = objectStorage();
  const ctx = { storage, id: { name: "pool-0" }, waitUntil: () => {} } as unknown as DurableObjectState;
  const platform = { acquired: () => Response.json({ sessionId: "s" }), deleteStatus: 500 };
  const fetch = async (_url: string, { method }: RequestInit) =>
    method === "POST" ? platform.acquired() : new Response(null, { status: platform.deleteStatus });
  const env = { BROWSER: { fetch }, ASSETS: {}, FILES: {}, VERSION: { id: "v1" } } as unknown as Env;
  const fireAlarm = async (pool: BrowserPool) => {
    vi.setSystemTime((await storage.getAlarm()) ?? NaN);
    await storage.deleteAlarm();
    await pool.alarm();
    return [storage.kv.get("sessions"), await storage.getAlarm()];
  };
  return { storage, platform, fireAlarm, open: () => new BrowserPool(ctx, env) };
}

it("a pool remembers a browser that it cannot use, and ends it after its idle time, even after a restart", async () => {
  const { storage, platform, fireAlarm, open } = poolWorld();
  const pool = open();
  const cancel = vi.fn<() => void>();

  const outcome = await pool.render({ ...renderJob(), content: new ReadableStream({ cancel }) });

  expect(outcome).toMatchObject({ status: "crashed", measurements: { pool: "pool-0" } });
  expect(cancel).toHaveBeenCalled();
  expect(await fireAlarm(pool)).toEqual([[{ id: "s", acquiredAtMs: 0 }], 120_000]);
  platform.deleteStatus = 404;
  const restarted = open();
  expect(await fireAlarm(restarted)).toEqual([[], null]);
  await expect(restarted.browserVersion()).rejects.toThrow();
  expect([await restarted.workerVersion(), await storage.getAlarm()]).toEqual(["v1", 180_000]);
});

it("a browser has an alarm that ends it, even if the alarm fires while the browser's render waits for it", async () => {
  const { storage, platform, fireAlarm, open } = poolWorld();
  const { acquired } = platform;
  platform.acquired = () => new Response(null, { status: 429, headers: { "Retry-After": "2" } });
  const pool = open();
  await pool.browserVersion().catch(() => {});
  vi.setSystemTime(59_000);
  const rendering = pool.render(renderJob({ timeoutMs: 25_000 }));
  await vi.advanceTimersByTimeAsync(0);
  platform.acquired = acquired;

  const whileWaiting = await fireAlarm(pool);
  await vi.advanceTimersByTimeAsync(2_000);
  await rendering;

  expect(whileWaiting).toEqual([undefined, null]);
  expect([storage.kv.get("sessions"), await storage.getAlarm()]).toEqual([
    [{ id: "s", acquiredAtMs: 62_000 }],
    122_000,
  ]);
});
