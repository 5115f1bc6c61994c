// Tests what becomes of creates when the platform ends sessions, closes connections or has no more browsers.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { limits, sessions } from "@cloudflare/puppeteer";
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

it("succeeds after the platform has evicted the session", async () => {
  const tenant = await newTenant(env);
  expect((await create(tenant)).status).toBe(201);
  const evicted = platform.sessions.findLast(({ closeReason }) => closeReason === null);
  await platform.evict(evicted?.id ?? "");

  expect((await create(tenant)).status).toBe(201);

  expect(evicted?.closeReason).toBe("SessionEvicted");
  expect(platform.sessions.at(-1)?.id).not.toBe(evicted?.id);
});

it("succeeds after a document that exceeded the largest message of the platform", async () => {
  platform.options = { maxMessageBytes: 500_000 };
  const tenant = await newTenant(env);

  const failed = await create(tenant, "x".repeat(600_000));
  expect(failed.status).toBe(502);
  expect(await failed.json()).toMatchObject({ success: false, error: { code: "RENDER_FAILED" } });

  expect((await create(tenant)).status).toBe(201);
});

it("asks for a keep-alive time that ends a lost session a minute after the idle time", async () => {
  const tenant = await newTenant(env);
  await create(tenant);

  expect(platform.sessions.at(-1)?.keepAliveMs).toBe(variableDefaults.SESSION_IDLE_MS + 60_000);
});

it("waits for a browser while the account of the platform has none left", async () => {
  platform.options = { maxSessions: 0 };
  const tenant = await newTenant(env);
  const created = create(tenant);
  setTimeout(() => (platform.options = {}), 2_000);

  expect((await created).status).toBe(201);
});

it("is simulated with the platform's limits and the sessions that run", async () => {
  const tenant = await newTenant(env);
  await create(tenant);
  platform.options = { maxSessions: 3, acquisitionIntervalMs: 3_600_000 };

  expect(await limits(platform)).toMatchObject({ maxConcurrentSessions: 3, allowedBrowserAcquisitions: 0 });
  expect(await sessions(platform)).toMatchObject([{ sessionId: platform.sessions.at(-1)?.id }]);
});
