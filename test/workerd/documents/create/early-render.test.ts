// Creates whose render begins while the hold is being reserved, with the account's real object.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { overloadError } from "../../../../src/platform/overload.ts";
import type { Services } from "../../../../src/ports/services.ts";
import { newTenant, type Tenant } from "../../../fixtures/tenant.ts";
import { create, refusalOf, renderFile, tally, tenantWithLimit, testService, totalOf, usageOf } from "../../app.ts";

/**
 * Returns a service whose next reservation waits for `proceed`, and whose renderer records the file keys of renders that have
 * begun.
 */
function waitingService(
  reserve: (reserve: Services["quota"]["reserve"]) => Services["quota"]["reserve"] = (real) => real,
) {
  const begun: string[] = [];
  let waiting: Promise<void> = Promise.resolve();
  const service = testService(({ quota, renderer }) => ({
    quota: { ...quota, reserve: (request) => waiting.then(() => reserve(quota.reserve)(request)) },
    renderer: {
      render: (job, calls) => {
        begun.push(job.fileKey);
        return renderer.render(job, calls);
      },
    },
  }));
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting = promise;
    return () => {
      waiting = Promise.resolve();
      resolve();
    };
  };
  return { service, begun, hold };
}

const stored = async (keys: string[]) => (await Promise.all(keys.map((key) => env.FILES.head(key)))).map(Boolean);

/** Waits until `count` renders have begun, or for 300 ms. */
async function settled(begun: string[], count: number): Promise<number> {
  const until = Date.now() + 300;
  while (begun.length < count && Date.now() < until) await scheduler.wait(5);
  return begun.length;
}

it("a create begins to render while its hold is being reserved, and stores the file once it has the hold", async () => {
  const tenant = await newTenant(env, { plan: "pro" });
  const { service, begun, hold } = waitingService();
  const proceedFirst = hold();
  const first = create(service, tenant);
  expect(await settled(begun, 1)).toBe(0);
  proceedFirst();
  expect((await first).status).toBe(201);
  const proceed = hold();

  const second = create(service, tenant);

  expect(await settled(begun, 2)).toBe(2);
  expect(await stored(begun)).toEqual([true, false]);
  proceed();
  expect((await second).status).toBe(201);
  expect(await stored(begun)).toEqual([true, true]);
  expect(await usageOf(tenant)).toEqual({ used: 2, reserved: 0 });
});

it.each<[string, (tenant: Tenant) => Promise<unknown>, Parameters<typeof waitingService>[0], number]>([
  [
    "the allowance is used up",
    async (tenant) => {
      const other = testService();
      while ((await create(other, tenant)).status === 201);
    },
    undefined,
    429,
  ],
  ["the account's object is overloaded", async () => {}, () => () => Promise.reject(overloadError(null)), 503],
])("a create leaves no data if its render has begun and %s", async (_what, prepare, reserve, status) => {
  const tenant = await tenantWithLimit(8);
  const ready = waitingService();
  await create(ready.service, tenant);
  const { service, begun, hold } = waitingService(reserve);
  const proceed = hold();
  const refused = create(service, tenant);
  expect(await settled(begun, 1)).toBe(1);
  await prepare(tenant);
  const before = await Promise.all([totalOf(tenant), usageOf(tenant)]);

  proceed();

  expect((await refused).status).toBe(status);
  expect(await Promise.all([totalOf(tenant), usageOf(tenant)])).toEqual(before);
  expect(await stored(begun)).toEqual([false]);
  const next = hold();
  const waits = create(service, tenant);
  expect(await settled(begun, 2)).toBe(1);
  next();
  await waits;
});

it("a create whose early render fails and whose hold is refused gets the error of the refusal, and is not recorded", async () => {
  const tenant = await tenantWithLimit(8);
  const { service, hold } = waitingService();
  await create(service, tenant);
  service.render = async () => ({ status: "impossible", message: "The page is too large." });
  const other = testService();
  const proceed = hold();
  const refused = create(service, tenant);
  while ((await create(other, tenant)).status === 201);
  proceed();

  expect(await refusalOf(await refused)).toMatchObject({ code: "RENDER_LIMIT_EXCEEDED" });
  expect(await totalOf(tenant)).toBe(8);
});

it("200 simultaneous creates of an account with 50 renders left cause at most 60 renders and complete 50", async () => {
  const tenant = await tenantWithLimit(51);
  const begun: string[] = [];
  const service = testService(({ settings, renderer }) => ({
    settings: { ...settings, rendersInFlight: { ...settings.rendersInFlight, starter: 1_000 } },
    renderer: {
      render: (job, calls) => {
        begun.push(job.fileKey);
        return renderer.render(job, calls);
      },
    },
  }));
  service.render = renderFile;
  await create(service, tenant);

  const responses = await Promise.all(Array.from({ length: 200 }, () => create(service, tenant)));

  expect(tally(responses.map(({ status }) => status))).toEqual({ 201: 50, 429: 150 });
  expect(begun.length).toBeLessThanOrEqual(61);
  expect((await stored(begun)).filter(Boolean)).toHaveLength(51);
  expect(await usageOf(tenant)).toEqual({ used: 51, reserved: 0 });
});
