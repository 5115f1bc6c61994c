import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createKey } from "../../../src/operations/accounts/manage-accounts.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
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
  const runs = 25;

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

    expect(repeat.headers.get("Retry-After")).toBe("1");
    expect(await refusalOf(repeat)).toEqual(inProgress);
  });
});

describe("a repeated request", () => {
  it("gets 201 with the document that the first request created", async () => {
    const { service, tenant, document } = await createOnce();

    const repeat = await create(service, tenant, key);

    expect([repeat.status, await dataOf(repeat)]).toEqual([201, document]);
  });

  it("gets Idempotent-Replayed and the Location of the document", async () => {
    const { service, tenant, document } = await createOnce();

    const { headers } = await create(service, tenant, key);

    expect([headers.get("Idempotent-Replayed"), headers.get("Location")]).toEqual([
      "true",
      `https://colophon.test/api/v1/documents/${document.id}`,
    ]);
  });

  it("for a deleted document gets DOCUMENT_NOT_FOUND with the reason", async () => {
    const { service, tenant, document } = await createOnce();
    await get(service, tenant, `/documents/${document.id}`, { method: "DELETE" });

    const repeat = await create(service, tenant, key);

    expect(await refusalOf(repeat)).toEqual({
      status: 404,
      code: "DOCUMENT_NOT_FOUND",
      message: "The document that was created with this `Idempotency-Key` has been deleted.",
    });
  });
});

it("the first request with a key does not get Idempotent-Replayed", async () => {
  const first = await create(testService(), await newTenant(env), key);

  expect(first.headers.has("Idempotent-Replayed")).toBe(false);
});

describe("the body of a repeated request", () => {
  const first = { data: { name: "Ada", list: [1, { a: 1, b: [] }] }, format: "png", width: 300 };
  const same = [
    { name: "the same text", text: (id: string) => JSON.stringify({ templateId: id, ...first }) },
    { name: "other white space", text: (id: string) => JSON.stringify({ templateId: id, ...first }, null, "\t") },
    {
      name: "another order of keys at every level",
      text: (id: string) =>
        `{"width":300,"format":"png","data":{"list":[1,{"b":[],"a":1}],"name":"Ada"},"templateId":"${id}"}`,
    },
    {
      name: "other spellings of the same values",
      text: (id: string) =>
        `{"templateId":"${id}","data":{"name":"\\u0041da","list":[1.0,{"a":1e0,"b":[]}]},"format":"png","width":3e2}`,
    },
  ];
  const other = [
    { name: "another value in data", change: { data: { ...first.data, name: "Bob" } } },
    { name: "an additional field", change: { data: { ...first.data, more: null } } },
    { name: "another order in a list", change: { data: { ...first.data, list: [{ a: 1, b: [] }, 1] } } },
    { name: "a number as text", change: { data: { ...first.data, list: ["1", { a: 1, b: [] }] } } },
    { name: "another format", change: { format: "pdf" } },
    { name: "an explicit default", change: { deviceScaleFactor: 2 } },
  ];

  it.for(same)("counts as the same if it has $name", async ({ text }) => {
    const tenant = await newTenant(env);
    const service = testService();
    const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, ...first }, key));

    const repeat = await post(service, tenant, text(tenant.templateId), key);

    expect([repeat.status, (await dataOf(repeat)).id]).toEqual([201, id]);
  });

  it.for(other)("counts as different if it has $name", async ({ change }) => {
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

  it("is recognised as different while the first request is still in progress", async () => {
    const tenant = await newTenant(env);
    const service = testService();
    const renders = controlledRenders(service);
    const running = create(service, tenant, key);
    await renders.started(1);

    const repeat = await post(service, tenant, { templateId: tenant.templateId, data: { name: "Bob" } }, key);
    renders.finishAll();
    await running;

    expect(repeat.status).toBe(422);
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
  it("are shared by all API keys of an account", async () => {
    const { service, tenant, document } = await createOnce();
    const second = await createKey(operatorServices(env), tenant.accountId, "second");

    const { id } = await dataOf(await create(service, { ...tenant, key: second?.key ?? "" }, key));

    expect(id).toBe(document.id);
  });

  it("are case-sensitive", async () => {
    const { service, tenant, document } = await createOnce();

    const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": "ORDER-1" }));

    expect(id).not.toBe(document.id);
  });

  it.for(["!", "~".repeat(255), "a'; DROP TABLE holds; --".replaceAll(" ", "_"), '"quoted"'])(
    "may contain any visible ASCII character (%s)",
    async (value) => {
      const tenant = await newTenant(env);
      const service = testService();
      const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": value }));

      const repeat = await create(service, tenant, { "Idempotency-Key": value });

      expect((await dataOf(repeat)).id).toBe(id);
    },
  );

  it.for(["", "k".repeat(256), "schlüssel", "a key", "one, two"])("are refused when they are %j", async (value) => {
    const tenant = await newTenant(env);
    const service = testService();

    const response = await create(service, tenant, { "Idempotency-Key": value });

    expect(await refusalOf(response)).toEqual({
      status: 400,
      code: "VALIDATION_ERROR",
      message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters.",
      details: [{ path: "Idempotency-Key", message: "`Idempotency-Key` must be 1 to 255 visible ASCII characters." }],
    });
  });
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
async function createOnce(account?: Tenant) {
  const tenant = account ?? (await newTenant(env));
  const service = testService();
  const document = await dataOf(await create(service, tenant, key));
  return { tenant, service, document };
}
