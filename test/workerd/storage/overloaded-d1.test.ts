// The errors for callers while D1 is overloaded. Every operation is refused immediately with a time to wait, and nothing is
// stored.
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";
import { newTenant, type Tenant } from "../../fixtures/tenant.ts";
import { create, operations, refusalOf, send, testService, unknownId, usageOf, silenceObjects } from "../app.ts";
import { expireAndSettle } from "../documents/holds.ts";
import { refusingD1 } from "./spied-d1.ts";

// test/platform/d1/d1-client.test.ts has the other messages.
const message = "D1_ERROR: D1 DB is overloaded. Requests queued for too long.";
const unavailable = {
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "The service is overloaded. Try again later.",
};

beforeEach(silenceObjects);

/** Returns a tenant whose key is cached, so that authentication needs no query. */
async function cachedTenant(): Promise<Tenant> {
  const tenant = await newTenant(env, { shard: 0 });
  await send(testService(), { method: "GET", path: "/usage" }, authorizationOf(tenant));
  return tenant;
}

function authorizationOf({ key }: Tenant) {
  return { Authorization: `Bearer ${key}` };
}

it.for(operations(unknownId, unknownId).filter(({ method, path }) => method !== "HEAD" && path !== "/usage"))(
  "while D1 is overloaded $method $path is refused immediately, in the envelope and with Retry-After",
  async (operation) => {
    const tenant = await cachedTenant();
    const { database, queries } = refusingD1(message);
    const service = testService(undefined, { ...env, DB: database });

    const response = await send(service, operation, authorizationOf(tenant));

    expect(await refusalOf(response)).toEqual(unavailable);
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
    expect(queries()).toBe(1);
  },
);

it("a request whose key is not cached is refused immediately while D1 is overloaded", async () => {
  const tenant = await newTenant(env, { shard: 0 });
  const { database, queries } = refusingD1(message);

  const response = await create(testService(undefined, { ...env, DB: database }), tenant);

  expect(await refusalOf(response)).toEqual(unavailable);
  expect(queries()).toBe(1);
});

it("a rendered document that overloaded D1 cannot record is refused with Retry-After until the alarm releases its hold", async () => {
  const tenant = await cachedTenant();
  const { database } = refusingD1(message, "inserts");
  const service = testService(undefined, { ...env, DB: database });

  const response = await create(service, tenant);

  expect(await refusalOf(response)).toEqual({
    ...unavailable,
    message: "The render could not be recorded. The render counts only if the document appears in the list.",
  });
  expect(Number(response.headers.get("Retry-After"))).toBeGreaterThanOrEqual(5);
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 1 });
  await expireAndSettle(tenant);
  expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 0 });
  expect(await env.FILES.head(service.jobs[0]?.fileKey ?? "")).toBeNull();
});
