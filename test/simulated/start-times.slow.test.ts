// Tests creates on a platform that is far away, needs seconds to launch a browser and refuses browsers.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { newTenant, post, type Tenant } from "../fixtures/tenant.ts";
import { platform } from "./worker.ts";

const stub = () => env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));

afterEach(async () => {
  platform.options = {};
  await runInDurableObject(stub(), (_, state) => state.abort("the end of a test")).catch(() => {});
  await runDurableObjectAlarm(stub());
});

async function create(tenant: Tenant): Promise<{ status: number; retryAfter: number }> {
  const response = await post(exports.default, tenant, { templateId: tenant.templateId, data: { name: "Ada" } });
  await response.text();
  return { status: response.status, retryAfter: Number(response.headers.get("Retry-After")) };
}

it.each(["acquire", "connect"] as const)(
  "a create waits for a browser that launches during %s and was refused twice before",
  async (launchDuring) => {
    platform.options = { launchMs: 3_000, launchDuring, roundTripMs: 60 };
    platform.refuse({ status: 429, retryAfter: "1" }, { status: 503, retryAfter: "1" });
    const tenant = await newTenant(env);
    platform.acquireCallsMs = [];

    const { status } = await create(tenant);

    expect(status).toBe(201);
    expect(platform.acquireCallsMs).toHaveLength(3);
  },
);

it("a create is refused with the platform's `Retry-After` if a browser would come too late", async () => {
  platform.refuse({ status: 429, retryAfter: "40" });
  const tenant = await newTenant(env);

  const { status, retryAfter } = await create(tenant);

  expect(status).toBe(503);
  expect(retryAfter).toBeGreaterThanOrEqual(30);
  expect(retryAfter).toBeLessThanOrEqual(50);
});
