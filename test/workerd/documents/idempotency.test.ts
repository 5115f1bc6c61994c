import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  unboundedService,
  dataOf,
  controlledRenders,
  quotaOf,
  refusalOf,
  testService,
  totalOf,
  usageOf,
  type TestService,
} from "../app.ts";
import { expireAndSettle, holdOf, reserve } from "./holds.ts";

const key = { "Idempotency-Key": "order-1" };
const dayMs = 24 * 3_600_000;
const inProgress = {
  status: 409,
  code: "IDEMPOTENCY_CONFLICT",
  message: "A request with this `Idempotency-Key` is still in progress. Try again shortly.",
};

beforeEach(() => void vi.spyOn(console, "warn").mockImplementation(() => {}));
afterEach(() => void vi.useRealTimers());

describe("identical simultaneous requests", () => {
  /** Increase this number to test for longer. */
  const runs = 5;

  it(
    `create one document and count one render (${runs} runs with fifty requests each)`,
    { timeout: 120_000 },
    async () => {
      const tenant = await newTenant(env, { plan: "enterprise" });
      const service = unboundedService();
      const made = new Set<string>();

      for (let run = 1; run <= runs; run++) {
        const { ids, others } = await sendFiftyTimes(service, tenant, `run-${run}`);
        for (const id of ids) made.add(id);
        expect({ run, ids: ids.size, others, made: made.size }).toEqual({ run, ids: 1, others: [], made: run });
      }

      expect([await totalOf(tenant), await usageOf(tenant)]).toEqual([runs, { used: runs, reserved: 0 }]);
    },
  );

  it("other than the first get 409 and Retry-After while the first request is in progress", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    const renders = controlledRenders(service);
    const first = create(service, tenant, key);
    await renders.started(1);

    const repeat = await create(service, tenant, key);
    renders.finishAll();
    await first;

    expect(repeat.headers.get("Retry-After")).toMatch(/^(29|30)$/);
    expect(await refusalOf(repeat)).toEqual(inProgress);
  });
});

it("a repeated request gets 201, the document of the first request and Idempotent-Replayed", async () => {
  const tenant = await newTenant(env);
  const service = testService();
  const first = await create(service, tenant, key);

  const repeat = await create(service, tenant, key);

  expect([first, repeat].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, "true"]);
  expect(repeat.headers.get("Location")).toBe(first.headers.get("Location"));
  expect([repeat.status, await dataOf(repeat)]).toEqual([201, await dataOf(first)]);
});

// test/core/documents/canonical-json.test.ts has the other differences.
describe("the body of a repeated request", () => {
  const first = { data: { name: "Ada", list: [1, { a: 1, b: [] }] }, format: "png", width: 300 };

  it("counts as the same if only the spelling, the white space and the order of its keys differ", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, ...first }, key));
    const respelled = `{"width":3e2,"format":"png","data":{"list":[1.0,{"b":[],"a":1e0}],"name":"\\u0041da"}`;

    const repeat = await post(service, tenant, `${respelled},\n\t"templateId":"${tenant.templateId}"}`, key);

    expect([repeat.status, (await dataOf(repeat)).id]).toEqual([201, id]);
  });

  it.for([
    { name: "another value in data", change: { data: { ...first.data, name: "Bob" } } },
    { name: "another format", change: { format: "pdf" } },
    { name: "an explicit default", change: { deviceScaleFactor: 2 } },
  ])("counts as different if it has $name", async ({ change }) => {
    const tenant = await newTenant(env);
    const service = testService();
    await post(service, tenant, { templateId: tenant.templateId, ...first }, key);

    const repeat = await post(service, tenant, { templateId: tenant.templateId, ...first, ...change }, key);

    expect(await refusalOf(repeat)).toEqual({
      status: 422,
      code: "IDEMPOTENCY_CONFLICT",
      message: "This `Idempotency-Key` was used with a different body; use a new key for a new request.",
    });
  });
});

describe("a key can be used again", () => {
  it("after the alarm has settled the hold of an interrupted request", async () => {
    const tenant = await newTenant(env);
    const idempotency = { key: key["Idempotency-Key"], bodyHash: "of a request without a response" };
    await reserve(quotaOf(tenant), holdOf(tenant), 5, { idempotency });
    await expireAndSettle(tenant);

    expect((await create(testService(), tenant, key)).status).toBe(201);
  });

  it("twenty-four hours after its request, not a minute earlier", async () => {
    const { service, tenant, document } = await createOnce();
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + dayMs - 60_000 });
    const before = await dataOf(await create(service, tenant, key));
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });

    const after = await dataOf(await create(service, tenant, key));

    expect([before.id === document.id, after.id === document.id]).toEqual([true, false]);
  });
});

describe("idempotency keys", () => {
  it("are case-sensitive", async () => {
    const { service, tenant, document } = await createOnce();

    const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": "ORDER-1" }));

    expect(id).not.toBe(document.id);
  });

  it("may contain any visible ASCII character", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    const value = `!"#'; DROP TABLE holds; --`.replaceAll(" ", "_").padEnd(255, "~");
    const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": value }));

    const repeat = await create(service, tenant, { "Idempotency-Key": value });

    expect((await dataOf(repeat)).id).toBe(id);
  });

  it.for(["", "k".repeat(256), "schlüssel", "a key", "a\tb", "one, two"])(
    "are refused when they are %j",
    async (value) => {
      const tenant = await newTenant(env);
      const service = testService();

      const response = await create(service, tenant, { "Idempotency-Key": value });

      expect(await refusalOf(response)).toEqual({
        status: 400,
        code: "VALIDATION_ERROR",
        message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters.",
        details: [{ path: "Idempotency-Key", message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters." }],
      });
    },
  );
});

/** Sends fifty identical requests. Returns the ids in the 201 responses, and all statuses other than 201 and 409. */
async function sendFiftyTimes(service: TestService, tenant: Tenant, name: string) {
  const responses = await Promise.all(
    Array.from({ length: 50 }, () => create(service, tenant, { "Idempotency-Key": name })),
  );
  const created = responses.filter(({ status }) => status === 201);
  const others = responses.map(({ status }) => status).filter((status) => status !== 201 && status !== 409);
  return { ids: new Set(await Promise.all(created.map(async (response) => (await dataOf(response)).id))), others };
}

/** Creates a completed document with the idempotency key. */
async function createOnce() {
  const tenant = await newTenant(env);
  const service = testService();
  const document = await dataOf(await create(service, tenant, key));
  return { tenant, service, document };
}
