// Tests creates on a platform that ends sessions, closes connections, is far away, needs seconds to launch a browser or refuses browsers.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterEach, expect, it } from "vitest";
import { variableDefaults } from "../../src/settings.ts";
import { newTenant, post, type Tenant } from "../fixtures/tenant.ts";
import { platform } from "./worker.ts";

const stub = () => env.BROWSER_POOL.get(env.BROWSER_POOL.idFromName("enam-0"));

afterEach(async () => {
  platform.options = {};
  await runInDurableObject(stub(), (_, state) => state.abort("the end of a test")).catch(() => {});
  await runDurableObjectAlarm(stub());
});

function create(tenant: Tenant, name = "Ada"): Promise<Response> {
  return post(exports.default, tenant, { templateId: tenant.templateId, data: { name } });
}

it("a create succeeds after the platform has evicted the session", async () => {
  const tenant = await newTenant(env);
  expect((await create(tenant)).status).toBe(201);
  const evicted = platform.sessions.findLast(({ closeReason }) => closeReason === null);
  await platform.evict(evicted?.id ?? "");

  expect((await create(tenant)).status).toBe(201);

  expect(evicted?.closeReason).toBe("SessionEvicted");
  expect(platform.sessions.at(-1)?.id).not.toBe(evicted?.id);
});

it("a create succeeds after a document that exceeded the platform's maximum message size", async () => {
  platform.options = { maxMessageBytes: 500_000 };
  const tenant = await newTenant(env);

  const failed = await create(tenant, "x".repeat(600_000));
  expect(failed.status).toBe(502);
  expect(await failed.json()).toMatchObject({ success: false, error: { code: "RENDER_FAILED" } });

  expect((await create(tenant)).status).toBe(201);
});

it("a pool requests a keep-alive time that ends a lost session a minute after the idle time", async () => {
  const tenant = await newTenant(env);
  await create(tenant);

  expect(platform.sessions.at(-1)?.keepAliveMs).toBe(variableDefaults.SESSION_IDLE_MS + 60_000);
});

it("a create waits for a browser while the platform's account has none left", async () => {
  platform.options = { maxSessions: 0 };
  const tenant = await newTenant(env);
  const created = create(tenant);
  setTimeout(() => (platform.options = {}), 2_000);

  expect((await created).status).toBe(201);
});

it.each(["acquire", "connect"] as const)(
  "a create waits for a browser that is refused twice in %s",
  async (launchDuring) => {
    platform.options = { launchMs: 3_000, launchDuring, roundTripMs: 60 };
    platform.refuse({ status: 429, retryAfter: "1" }, { status: 503, retryAfter: "1" });
    const tenant = await newTenant(env);
    platform.steps = [];

    expect((await create(tenant)).status).toBe(201);
    expect(platform.steps.filter((step) => step === "acquire")).toHaveLength(3);
  },
);

it("a create is refused with the platform's `Retry-After` if a browser would come too late", async () => {
  platform.refuse({ status: 429, retryAfter: "40" });
  const tenant = await newTenant(env);

  const { status, headers } = await create(tenant);

  const retryAfter = Number(headers.get("Retry-After"));
  expect(status).toBe(503);
  expect(retryAfter).toBeGreaterThanOrEqual(30);
  expect(retryAfter).toBeLessThanOrEqual(50);
});
