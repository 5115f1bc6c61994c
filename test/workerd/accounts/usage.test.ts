import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { get, newTenant, type Service, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  unboundedService,
  dataOf,
  controlledRenders,
  refusalOf,
  testService,
  tenantWithNewKey,
  tenantWithLimit,
} from "../app.ts";

type Usage = {
  plan: string;
  period: string;
  used: number;
  reserved: number;
  limit: number;
  remaining: number;
  resetsAt: string;
};

afterEach(() => void vi.useRealTimers());

it("GET /usage returns exactly the documented properties", async () => {
  const tenant = await newTenant(env, { plan: "free" });
  const service = testService(() => ({ now: () => Date.UTC(2026, 10, 21) }));
  await create(service, tenant);

  const usage = await readUsage(service, tenant);

  expect(usage).toEqual({
    plan: "free",
    period: "2026-11",
    used: 1,
    reserved: 0,
    limit: 50,
    remaining: 49,
    resetsAt: "2026-12-01T00:00:00.000Z",
  });
});

it("GET /usage returns counts that add up to the limit while many parallel creates run", async () => {
  const tenant = await tenantWithLimit(20);
  const service = unboundedService();
  const creating = Promise.all(Array.from({ length: 40 }, () => create(service, tenant)));
  const sums: number[] = [];
  const burst = { isOver: false };
  void creating.then(() => (burst.isOver = true));
  while (!burst.isOver) {
    const { used, reserved, remaining } = await readUsage(service, tenant);
    sums.push(used + reserved + remaining);
  }

  await creating;

  expect(new Set(sums)).toEqual(new Set([20]));
});

it("GET /usage and the message of a refusal report the same numbers, even after the plan's limit was lowered", async () => {
  const { service, tenant } = await planLoweredBelowUsage();

  const refused = await create(service, tenant);

  const { used, limit, remaining } = await readUsage(service, tenant);
  expect((await refusalOf(refused)).message).toBe("Monthly render limit exceeded. Current: 3/2");
  expect([used, limit, remaining]).toEqual([3, 2, 0]);
});

const noon = Date.UTC(2026, 10, 30, 12);

it("the rate limit headers are sent with a created document", async () => {
  const tenant = await tenantWithLimit(10);

  const response = await create(
    testService(() => ({ now: () => noon })),
    tenant,
  );

  expect([response.status, ...rateLimitOf(response)]).toEqual([
    201,
    `"monthly";q=10;w=${30 * 86_400}`,
    `"monthly";r=9;t=${12 * 3_600}`,
    null,
  ]);
});

it("the rate limit headers count other renders in flight", async () => {
  const tenant = await tenantWithLimit(10);
  const service = unboundedService();
  const renders = controlledRenders(service);
  const running = Array.from({ length: 3 }, () => create(service, tenant));
  await renders.started(3);
  renders.finishAll();

  const responses = await Promise.all(running);

  const left = responses.map((response) => /r=(\d+)/.exec(response.headers.get("RateLimit") ?? "")?.[1]);
  expect(left.toSorted()).toEqual(["7", "8", "9"]);
});

async function readUsage(service: Service, tenant: Tenant): Promise<Usage> {
  return dataOf<Usage>(await get(service, tenant, "/usage"));
}

function rateLimitOf({ headers }: Response): (string | null)[] {
  return [headers.get("RateLimit-Policy"), headers.get("RateLimit"), headers.get("Retry-After")];
}

async function planLoweredBelowUsage() {
  const service = testService();
  const tenant = await tenantWithLimit(3);
  for (let i = 0; i < 3; i++) await create(service, tenant);
  await operatorServices(env).accounts.updatePlan("starter", { monthlyRenders: 2 });
  return { service, tenant: await tenantWithNewKey(tenant) };
}
