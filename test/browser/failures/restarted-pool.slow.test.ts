import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { poolJob } from "colophon-render/job-content";
import type { ObjectNamespace } from "../../../src/platform/object-client.ts";
import type { PoolObject } from "../../../src/platform/rendering/pool-client.ts";
import { job, runningSessions } from "../fixtures/pool.ts";

/** A stub is unusable after its object has been aborted, so each call creates one. */
const stub = () => env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));

it("the browser that a restarted pool object left running is ended, even if no render follows", async () => {
  const pool = stub() as unknown as ReturnType<ObjectNamespace<PoolObject>["get"]>;
  expect(await pool.render(poolJob(job("<p>x</p>")), null)).toMatchObject({ status: "rendered" });
  expect(await runningSessions()).toHaveLength(1);

  await runInDurableObject(stub(), (_, state) => state.abort("a restart")).catch(() => {});
  expect(await runningSessions()).toHaveLength(1);
  expect(await runDurableObjectAlarm(stub())).toBe(true);

  await expect.poll(runningSessions, { timeout: 20_000 }).toEqual([]);
  expect(await runDurableObjectAlarm(stub())).toBe(false);
});
