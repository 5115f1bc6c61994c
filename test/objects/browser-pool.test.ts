import { afterEach, expect, it, vi } from "vitest";
import { BrowserPool } from "../../src/objects/browser-pool.ts";
import { objectStorage } from "../fakes/object-storage.ts";
import { renderJob } from "../../packages/render/test/render-job.ts";

vi.mock("cloudflare:workers", () => import("../fakes/cloudflare-workers.ts"));

afterEach(() => vi.useRealTimers().restoreAllMocks());

it("a pool remembers a browser that it cannot use, and ends it when its idle time is over, also after a restart", async () => {
  vi.useFakeTimers({ now: 0 });
  for (const level of ["info", "warn", "error"] as const) vi.spyOn(console, level).mockReturnValue();
  const storage = objectStorage();
  const ctx = { storage, id: { name: "pool-0" }, waitUntil: () => {} } as unknown as DurableObjectState;
  let deleteStatus = 500;
  const fetch = async (_url: string, { method }: RequestInit) =>
    method === "POST" ? Response.json({ sessionId: "s" }) : new Response(null, { status: deleteStatus });
  const env = { BROWSER: { fetch }, ASSETS: {}, FILES: {}, VERSION: { id: "v1" } } as unknown as Env;
  const fireAlarm = async (pool: BrowserPool) => {
    vi.setSystemTime((await storage.getAlarm()) ?? NaN);
    await storage.deleteAlarm();
    await pool.alarm();
    return [storage.kv.get("sessions"), await storage.getAlarm()];
  };
  const pool = new BrowserPool(ctx, env);
  const cancel = vi.fn<() => void>();

  const outcome = await pool.render({ ...renderJob(), content: new ReadableStream({ cancel }) });

  expect(outcome).toMatchObject({ status: "crashed", measurements: { pool: "pool-0" } });
  expect(cancel).toHaveBeenCalled();
  expect(await fireAlarm(pool)).toEqual([[{ id: "s", acquiredAtMs: 0 }], 120_000]);
  deleteStatus = 404;
  const restarted = new BrowserPool(ctx, env);
  expect(await fireAlarm(restarted)).toEqual([[], null]);
  await expect(restarted.browserVersion()).rejects.toThrow();
  expect([await restarted.workerVersion(), await storage.getAlarm()]).toEqual(["v1", 180_000]);
});
