import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newTenant } from "../../fixtures/tenant.ts";
import {
  create,
  controlledRenders,
  quotaOf,
  refusalOf,
  renderFile,
  tally,
  testService,
  totalOf,
  usageOf,
  tenantWithLimit,
} from "../app.ts";

/** The time limit of a create in the tests in which a create is refused, in ms. Half of it is reserved for the render. */
const budgetMs = 4_000;

it("a create beyond the limit on renders in flight waits without a reservation or a render, and completes when another render has ended", async () => {
  const { service, tenant, renders, running, third } = await twoInFlight();
  const isDone = await isSettled(third, 200);
  const waiting = { isDone, jobs: service.jobs.length, ...(await usageOf(tenant)) };

  renders.finish(0);
  await renders.started(3);
  renders.finish(2);
  const response = await third;
  renders.finishAll();
  await Promise.all(running);

  expect(waiting).toEqual({ isDone: false, jobs: 2, used: 0, reserved: 2 });
  expect(response.status).toBe(201);
});

it("a create beyond the limit on renders in flight is refused immediately when the monthly allowance is used up", async () => {
  const tenant = await tenantWithLimit(2);
  const service = testService(({ settings }) => ({
    settings: { ...settings, rendersInFlight: { ...settings.rendersInFlight, starter: 2 } },
  }));
  const renders = controlledRenders(service);
  const running = [create(service, tenant), create(service, tenant)];
  await renders.started(2);

  const response = await create(service, tenant);
  renders.finishAll();
  await Promise.all(running);

  expect((await refusalOf(response)).message).toBe("Monthly render limit exceeded. Current: 2/2");
});

it("a create beyond the limit on renders in flight does not delay another account", async () => {
  const { renders, running, third } = await twoInFlight();

  const response = await create(testService(), await newTenant(env, { plan: "free" }));
  const isDone = await isSettled(third, 0);
  renders.finishAll();
  await Promise.all([...running, third]);

  expect({ status: response.status, isDone }).toEqual({ status: 201, isDone: false });
});

// Each of these tests takes seconds, so the tests run concurrently.
describe.concurrent("a create that has waited for seconds", () => {
  it("a create that has waited is not refused because of the monthly allowance while the account has renders left", async () => {
    const tenant = await newTenant(env, { plan: "free" });
    const service = withShortBudget();
    // A render takes an eighth of the time limit, and two renders run in parallel. Thirty renders therefore take 30 / 2 / 8 =
    // 1.9 times the time limit, so some creates are refused.
    service.render = async (job) => {
      await new Promise((resolve) => setTimeout(resolve, budgetMs / 8));
      return renderFile(job);
    };

    const responses = await Promise.all(Array.from({ length: 30 }, () => create(service, tenant)));

    const statuses = tally(responses.map(({ status }) => status));
    expect(Object.keys(statuses)).toEqual(["201", "503"]);
  });

  it("a create that has waited leaves no data when it is refused with 503 and Retry-After", async () => {
    const { service, tenant, renders, running, third } = await twoInFlight(
      { "Idempotency-Key": "mine" },
      withShortBudget(),
    );

    const refused = await third;
    const left = { ...(await usageOf(tenant)), documents: await totalOf(tenant), jobs: service.jobs.length };
    const known = await quotaOf(tenant).lookUpKey({ key: "mine", bodyHash: "another body" });
    renders.finishAll();
    await Promise.all(running);

    expect(await refusalOf(refused)).toEqual({
      status: 503,
      code: "RENDER_FAILED",
      message: "The account already has 2 renders in progress, which is the maximum of its plan. Try again shortly.",
    });
    expect(refused.headers.get("Retry-After")).toMatch(/^[1-9]\d*$/);
    expect({ left, known }).toEqual({
      left: { used: 0, reserved: 2, documents: 0, jobs: 2 },
      known: { status: "unknown" },
    });
  });
});

function withShortBudget() {
  return testService(({ settings }) => ({ settings: { ...settings, renderBudgetMs: budgetMs } }));
}

/** Starts two renders, which is the maximum in flight on the Free plan, and sends a third create. */
async function twoInFlight(headers: Record<string, string> = {}, service = testService()) {
  const tenant = await newTenant(env, { plan: "free" });
  const renders = controlledRenders(service);
  const running = [create(service, tenant), create(service, tenant)];
  await renders.started(2);
  const third = create(service, tenant, headers);
  await isSettled(third, 100);
  return { tenant, service, renders, running, third };
}

/** Returns true if `work` resolves within `afterMs`, and false otherwise. */
function isSettled(work: Promise<unknown>, afterMs: number): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), afterMs));
  return Promise.race([work.then(() => true), late]);
}
