import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { field } from "colophon-test-kit/template-content";
import { serviceUnavailable } from "../../../src/core/errors.ts";
import type { Services } from "../../../src/ports/services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { get, newTenant, post, pushed, removeTemplate, type Tenant } from "../../fixtures/tenant.ts";
import {
  create,
  unboundedService,
  dataOf,
  controlledRenders,
  quotaOf,
  refusalOf,
  tenantWithLimit,
  tally,
  tenantWithNewKey,
  testService,
  totalOf,
  unknownId,
  usageOf,
  type TestService,
  newWorld,
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

it("fifty identical simultaneous requests create one document and count one render", async () => {
  const tenant = await newTenant(env, { plan: "enterprise" });
  const service = unboundedService();

  const responses = await Promise.all(Array.from({ length: 50 }, () => create(service, tenant, key)));

  const statuses = tally(responses.map(({ status }) => status));
  const created = responses.filter(({ status }) => status === 201);
  const ids = new Set(await Promise.all(created.map(async (response) => (await dataOf(response)).id)));
  expect(Object.keys(statuses).filter((status) => status !== "409")).toEqual(["201"]);
  expect([ids.size, await totalOf(tenant), await usageOf(tenant)]).toEqual([1, 1, { used: 1, reserved: 0 }]);
});

it("identical requests get 409 and Retry-After while the first of them is in progress", async () => {
  const { tenant, service } = await newWorld();
  const renders = controlledRenders(service);
  const first = create(service, tenant, key);
  await renders.started(1);

  const repeat = await create(service, tenant, key);
  renders.finishAll();
  await first;

  expect(repeat.headers.get("Retry-After")).toMatch(/^(29|30)$/);
  expect(await refusalOf(repeat)).toEqual(inProgress);
});

it("a repeated request gets 201, the document of the first request and Idempotent-Replayed", async () => {
  const { tenant, service } = await newWorld();
  const first = await create(service, tenant, key);

  const repeat = await create(service, tenant, key);

  expect([first, repeat].map(({ headers }) => headers.get("Idempotent-Replayed"))).toEqual([null, "true"]);
  expect(repeat.headers.get("Location")).toBe(first.headers.get("Location"));
  expect([repeat.status, await dataOf(repeat)]).toEqual([201, await dataOf(first)]);
});

// test/core/accounts/body-digest.test.ts has the other differences.
const first = { data: { name: "Ada", list: [1, { a: 1, b: [] }] }, format: "png", width: 300 };

it("the body of a repeated request may differ in its spelling, its white space and the order of its keys", async () => {
  const { tenant, service } = await newWorld();
  const { id } = await dataOf(await post(service, tenant, { templateId: tenant.templateId, ...first }, key));
  const respelled = `{"width":3e2,"format":"png","data":{"list":[1.0,{"b":[],"a":1e0}],"name":"\\u0041da"}`;

  const repeat = await post(service, tenant, `${respelled},\n\t"templateId":"${tenant.templateId}"}`, key);

  expect([repeat.status, (await dataOf(repeat)).id]).toEqual([201, id]);
});

it("the body of a repeated request counts as different if it has an additional property, even with the default value", async () => {
  const { tenant, service } = await newWorld();
  await post(service, tenant, { templateId: tenant.templateId, ...first }, key);

  const other = { templateId: tenant.templateId, ...first, deviceScaleFactor: 2 };
  const repeat = await post(service, tenant, other, key);

  expect(await refusalOf(repeat)).toEqual({
    status: 422,
    code: "IDEMPOTENCY_CONFLICT",
    message: "This `Idempotency-Key` was used with a different body; use a new key for a new request.",
  });
});

/** How the first request with the key ended, and what has happened since. */
type Earlier = { service: TestService; tenant: Tenant; id: string };

const isDown = () => Promise.reject(new Error("the object is away"));
const timedOut = async () => ({ status: "timed_out" }) as const;

/** Sends the first request, without passing its commit or release to the object. */
async function createdWithoutSettlement(render?: TestService["render"]): Promise<Earlier> {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const tenant = await newTenant(env);
  const cut = testService(({ quota }) => ({ quota: { ...quota, commit: isDown, release: isDown } }));
  if (render) cut.render = render;
  await create(cut, tenant, key);
  const [stored] = (await dataOf<{ documents: { id: string }[] }>(await get(cut, tenant, "/documents"))).documents;
  return { tenant, service: testService(), id: stored?.id ?? "" };
}

async function created(): Promise<Earlier> {
  const { tenant, service } = await newWorld();
  const { id } = await dataOf(await create(service, tenant, key));
  return { tenant, service, id };
}

async function failedOnce(): Promise<Earlier> {
  const { tenant, service } = await newWorld();
  const { render } = service;
  service.render = timedOut;
  await create(service, tenant, key);
  service.render = render;
  return { tenant, service, id: "" };
}

async function withoutTemplate(earlier: Promise<Earlier>): Promise<Earlier> {
  await removeTemplate(env, (await earlier).tenant);
  // By then, no isolate has the template in its cache.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
  return earlier;
}

async function withAnotherField(earlier: Promise<Earlier>): Promise<Earlier> {
  const { tenant } = await earlier;
  await pushed(env, tenant.accountId, { fields: [field("total", "number", { required: true })] });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 10_000 });
  return earlier;
}

async function deleted(earlier: Promise<Earlier>): Promise<Earlier> {
  const { service, tenant, id } = await earlier;
  await get(service, tenant, `/documents/${id}`, { method: "DELETE" });
  return earlier;
}

const isGone = { status: 404, message: expect.stringContaining("has been deleted") };

it.each<[string, () => Promise<Earlier>]>([
  ["the template was deleted", () => withoutTemplate(created())],
  ["the data does not fit the template any more", () => withAnotherField(created())],
  ["the commit was lost", () => createdWithoutSettlement()],
  ["the commit was lost and the template deleted", () => withoutTemplate(createdWithoutSettlement())],
])("a repeat of a create returns the document and counts nothing after %s", async (_what, prepare) => {
  const { service, tenant, id } = await prepare();
  const jobs = service.jobs.length;

  const repeat = await create(service, tenant, key);

  expect([repeat.status, repeat.headers.get("Idempotent-Replayed")]).toEqual([201, "true"]);
  expect([(await dataOf(repeat)).id, service.jobs.length]).toEqual([id, jobs]);
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
});

it.each<[string, () => Promise<Earlier>, object]>([
  ["the document was deleted", () => deleted(created()), isGone],
  ["the commit was lost and the document deleted", () => deleted(createdWithoutSettlement()), isGone],
  ["the document and the template were deleted", () => withoutTemplate(deleted(created())), isGone],
  [
    "the render failed, its release was lost and the template was deleted",
    () => withoutTemplate(createdWithoutSettlement(timedOut)),
    { status: 404, code: "TEMPLATE_NOT_FOUND" },
  ],
])("a repeat of a create is refused after %s", async (_what, prepare, refusal) => {
  const { service, tenant } = await prepare();

  expect(await refusalOf(await create(service, tenant, key))).toMatchObject(refusal);
});

it.each<[string, () => Promise<Earlier>, string[]]>([
  ["a failed render", failedOnce, ["completed", "failed"]],
  ["a failed render whose release was lost", () => createdWithoutSettlement(timedOut), ["completed", "failed"]],
  ["a failed document was deleted", () => deleted(createdWithoutSettlement(timedOut)), ["completed"]],
])("a repeat of a create makes a new document after %s", async (_what, prepare, statuses) => {
  const { service, tenant } = await prepare();

  const repeat = await create(service, tenant, key);

  expect([repeat.status, repeat.headers.get("Idempotent-Replayed")]).toEqual([201, null]);
  const { documents } = await dataOf<{ documents: { status: string }[] }>(await get(service, tenant, "/documents"));
  expect(documents.map(({ status }) => status).toSorted()).toEqual(statuses);
  expect(await usageOf(tenant)).toEqual({ used: 1, reserved: 0 });
});

it("a repeat of a create with a different body is refused for that reason, whatever else is wrong with the repeat", async () => {
  const { service, tenant } = await created();
  const renders = controlledRenders(service);
  const running = create(service, tenant, { "Idempotency-Key": "running" });
  await renders.started(1);

  const other = (name: string, body: object) =>
    post(service, tenant, { data: { name: "Bob" }, ...body }, { "Idempotency-Key": name });
  const refused = [
    await other("order-1", { templateId: unknownId }),
    await other("running", { templateId: tenant.templateId }),
  ];
  renders.finishAll();
  await running;

  expect(refused.map(({ status }) => status)).toEqual([422, 422]);
});

it("a repeat of a create is refused without another query while the database is overloaded", async () => {
  const { tenant } = await created();
  const overload = serviceUnavailable({ retryAfterSeconds: 5, cause: new Error("D1 DB is overloaded.") });
  const find = vi.fn<Services["documents"]["find"]>();
  const overloaded = testService(({ templates, documents }) => ({
    templates: { ...templates, find: () => Promise.reject(overload) },
    documents: { ...documents, find },
  }));

  const { status } = await create(overloaded, tenant, key);

  expect([status, find.mock.calls]).toEqual([503, []]);
});

it.each<[string, number, object]>([
  ["an unknown template", 404, { templateId: unknownId }],
  ["data that does not fit", 400, { data: { name: 7 } }],
])("a key can be used again after a refusal for %s", async (_what, status, body) => {
  const { tenant, service } = await newWorld();

  const refused = await post(service, tenant, { templateId: tenant.templateId, data: {}, ...body }, key);

  expect([refused.status, (await create(service, tenant, key)).status]).toEqual([status, 201]);
});

it("a key can be used again after a refusal for lack of capacity or allowance", async () => {
  const tenant = await tenantWithLimit(1);
  const service = testService();
  const { render } = service;
  service.render = async () => ({ status: "no_capacity", retryAfterSeconds: 3 });
  const statuses = [(await create(service, tenant, key)).status];
  service.render = render;

  statuses.push((await create(service, tenant)).status, (await create(service, tenant, key)).status);
  await operatorServices(env).accounts.updatePlan("starter", { monthlyRenders: 2 });
  statuses.push((await create(service, await tenantWithNewKey(tenant), key)).status);

  expect(statuses).toEqual([503, 201, 429, 201]);
});

it("a key can be used again after the alarm has settled the hold of an interrupted request", async () => {
  const tenant = await newTenant(env);
  const idempotency = { key: key["Idempotency-Key"], bodyHash: "of a request without a response" };
  await reserve(quotaOf(tenant), holdOf(tenant), 5, { idempotency });
  await expireAndSettle(tenant);

  expect((await create(testService(), tenant, key)).status).toBe(201);
});

it("a key can be used again twenty-four hours after its request, and not a minute earlier", async () => {
  const { service, tenant, id } = await created();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + dayMs - 60_000 });
  const before = await dataOf(await create(service, tenant, key));
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 61_000 });

  const after = await dataOf(await create(service, tenant, key));

  expect([before.id === id, after.id === id]).toEqual([true, false]);
});

it("idempotency keys of one account have no effect in a different account", async () => {
  const service = testService();
  const responses = [await newTenant(env), await newTenant(env)].map((tenant) => create(service, tenant, key));

  const replayed = (await Promise.all(responses)).map(({ headers }) => headers.get("Idempotent-Replayed"));

  expect(replayed).toEqual([null, null]);
});

it("idempotency keys are case-sensitive, and may contain any visible ASCII character", async () => {
  const { tenant, service } = await newWorld();
  const value = `!"#';_DROP_TABLE_holds;_--a`.padEnd(255, "~");
  const { id } = await dataOf(await create(service, tenant, { "Idempotency-Key": value }));

  const repeat = await create(service, tenant, { "Idempotency-Key": value });
  const other = await create(service, tenant, { "Idempotency-Key": value.toUpperCase() });

  expect([(await dataOf(repeat)).id === id, (await dataOf(other)).id === id]).toEqual([true, false]);
});

it.for(["", "k".repeat(256), "schlüssel", "a key"])("idempotency keys are refused when they are %j", async (value) => {
  const response = await create(testService(), await newTenant(env), { "Idempotency-Key": value });

  const message = "`Idempotency-Key` must be 1 to 255 visible ASCII characters.";
  const details = [{ path: "Idempotency-Key", message }];
  expect(await refusalOf(response)).toEqual({ status: 400, code: "VALIDATION_ERROR", message, details });
});
