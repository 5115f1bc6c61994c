// Makes the service respond with each error that the description of the API lists.
import { vi } from "vitest";
import type { RenderOutcome } from "colophon-render/render-job";
import type { Caller } from "../../../src/core/accounts/account.ts";
import { serviceUnavailable } from "../../../src/core/errors.ts";
import type { ErrorName } from "../../../src/http/openapi/error-cases.ts";
import type { Services } from "../../../src/ports/services.ts";
import type { Tenant } from "../../fixtures/tenant.ts";
import { controlledRenders, dataOf, renderNothing, send, testService, unknownId, type TestService } from "../app.ts";
import { laterRenders } from "../worker.ts";
import { exampleBatch, exampleBody, exampleLink, exampleTenant, renderExample } from "./example-data.ts";

/** An operation in the description, with the method in lower case. */
export type Operation = { method: string; path: string };

/** A service with a tenant that has one document, and a batch that has ended. */
export type Example = { service: TestService; tenant: Tenant; documentId: string; batchId: string };

type Changes = { id?: string; body?: unknown; query?: string; headers?: Record<string, string> };

const create = { method: "post", path: "/documents" };
const withKey = { "Idempotency-Key": "order-4711" };
const createBatch = { method: "post", path: "/batches" };

export async function newExample(): Promise<Example> {
  const tenant = await exampleTenant();
  const service = testService();
  service.render = renderExample;
  const example = { service, tenant, documentId: "", batchId: "" };
  const { id: documentId } = await dataOf(await request(example, create));
  const { id: batchId } = await dataOf(await request(example, createBatch));
  await endOf(example, batchId);
  return { ...example, documentId, batchId };
}

/** Resolves when the batch has ended. */
export async function endOf(example: Omit<Example, "batchId">, batchId: string): Promise<void> {
  const getBatch = { method: "get", path: "/batches/{id}" };
  const isEnded = async () => {
    const response = await request({ ...example, batchId }, getBatch);
    return (await dataOf<{ status: string }>(response)).status === "ended";
  };
  await vi.waitUntil(isEnded, { timeout: 10_000, interval: 20 });
}

let shared: Promise<Example> | undefined;

/** Returns the same tenant at every call, and a service with these changes. */
async function exampleWith(change?: (services: Services) => Partial<Services>): Promise<Example> {
  shared ??= newExample();
  const service = testService(change);
  service.render = renderExample;
  return { ...(await shared), service };
}

/** Sends a request that succeeds, unless the changes prevent it. */
export function request(example: Example, { method, path }: Operation, changes: Changes = {}): Promise<Response> {
  const { service, tenant, documentId, batchId } = example;
  const own = path.startsWith("/templates") ? tenant.templateId : path.startsWith("/batches") ? batchId : documentId;
  const sent = {
    method: method.toUpperCase(),
    path: path.replace("{id}", changes.id ?? own) + (changes.query ?? ""),
    ...(method === "post" ? { body: (changes.body ?? bodyOf({ path })(tenant.templateId)) as object } : {}),
  };
  return send(service, sent, { Authorization: `Bearer ${tenant.key}`, ...changes.headers });
}

function bodyOf({ path }: Pick<Operation, "path">): (templateId: string) => object {
  if (path.endsWith("/links")) return () => exampleLink;
  return path === "/batches" ? exampleBatch : exampleBody;
}

/** Sends a request for which the service responds with this error, and returns the response. */
export async function provoke(name: ErrorName, operation: Operation): Promise<Response> {
  const send = provoked[name];
  if (!send) throw new Error(`no request provokes the error ${name}`);
  return send(operation);
}

/** The errors of document operations. The others occur only in the management API. */
const provoked: Partial<Record<ErrorName, (operation: Operation) => Promise<Response>>> = {
  invalidApiKey: (operation) => changed(operation, { headers: { Authorization: "Bearer wrong" } }),
  apiAccessDenied: (operation) => withPlan(operation, { apiAccess: false }),
  insufficientScope: (operation) =>
    withCaller(operation, (caller) => ({ ...caller, key: { ...caller.key, scopes: ["webhooks"] } })),
  tooManyRequests: async (operation) => {
    const failures = { refuses: async () => false, recordSuccess: async () => {}, recordFailure: async () => true };
    const requests = { recordRequest: async () => false };
    return request(await exampleWith(() => ({ rateLimits: { failures, requests } })), operation);
  },
  internalError: (operation) => withBrokenKeys(operation, new Error("a fault")),
  serviceUnavailable: (operation) =>
    withBrokenKeys(operation, serviceUnavailable({ retryAfterSeconds: 2, cause: new Error("D1 is overloaded") })),
  invalidQuery: (operation) => changed(operation, { query: "?limit=1000" }),
  invalidBody: (operation) => withBody(operation, { deviceScaleFactor: 4 }),
  invalidJson: (operation) => changed(operation, { body: { expiresIn: 30 } }),
  invalidData: (operation) => withBody(operation, { data: { invoiceNumber: 417, items: [] } }),
  missingField: (operation) => withBody(operation, { data: { items: [{ description: "Letterpress, 200 cards" }] } }),
  templateNotFound: (operation) =>
    operation.method === "post"
      ? withBody(operation, { templateId: unknownId })
      : changed(operation, { id: unknownId }),
  templateVersionNotFound: (operation) => withBody(operation, { templateVersion: 2 }),
  documentNotFound: (operation) => changed(operation, { id: unknownId }),
  repeatedDocumentNotFound: (operation) => repeated(operation, { path: "/documents/{id}" }),
  batchNotFound: (operation) => changed(operation, { id: unknownId }),
  repeatedBatchNotFound: (operation) => repeated(operation, { path: "/batches/{id}" }),
  batchKeyInUse: async (operation) => {
    const example = await newExample();
    const service = testService(({ batches }) => ({
      batches: { ...batches, accept: async () => ({ status: "in_progress" }) },
    }));
    return request({ ...example, service }, operation, { headers: withKey });
  },
  batchNotEnded: async (operation) => {
    const example = await newExample();
    const { accountId } = example.tenant;
    const gate = Promise.withResolvers<void>();
    laterRenders.set(accountId, (job) => gate.promise.then(() => renderExample(job)));
    const { id } = await dataOf(await request(example, createBatch));
    const response = await request(example, operation, { id });
    gate.resolve();
    return response;
  },
  batchLimitExceeded: async (operation) => {
    const tooMany = { accept: async () => ({ status: "too_many", limit: "openBatches" }) as const };
    const service = testService(({ batches }) => ({
      batches: { ...batches, ...tooMany, enqueue: async () => "too_many" },
    }));
    return request({ ...(await newExample()), service }, operation, { headers: { Prefer: "respond-async" } });
  },
  invalidBatch: (operation) => withBody(operation, { output: [] }),
  wrongItems: (operation) =>
    withBody(operation, { items: [{ customId: "PQ-2026-0417", data: { invoiceNumber: 417, items: [] } }] }),
  missingFieldsOfItems: (operation) => withBody(operation, { items: [{ customId: "PQ-2026-0417", data: {} }] }),
  lengthRequired: (operation) => changed(operation, { headers: { "Content-Type": "application/x-ndjson" } }),
  batchTooLarge: (operation) =>
    withBody(operation, { items: [{ data: { invoiceNumber: "x".repeat(1024 * 1024), items: [] } }] }),
  unsupportedBatchBody: (operation) => changed(operation, { headers: { "Content-Type": "text/plain" } }),
  createdFileNotFound: (operation) => withUnreadFile(operation, async () => null),
  createdFileUnreadable: (operation) => withUnreadFile(operation, () => Promise.reject(new Error("R2 is down"))),
  idempotencyKeyInUse: async (operation) => {
    const example = await newExample();
    const renders = controlledRenders(example.service);
    const first = request(example, operation, { headers: withKey });
    await renders.started(1);
    const response = await request(example, operation, { headers: withKey });
    renders.finishAll();
    await first;
    return response;
  },
  preconditionFailed: (operation) => changed(operation, { headers: { "If-Match": '"other"' } }),
  bodyTooLarge: (operation) => withBody(operation, { data: { invoiceNumber: "x".repeat(1024 * 1024) } }),
  unsupportedBody: (operation) => changed(operation, { headers: { "Content-Type": "text/plain" } }),
  rangeNotSatisfiable: (operation) => changed(operation, { headers: { Range: "bytes=1000000-" } }),
  otherBody: async (operation) => {
    const example = await newExample();
    await request(example, operation, { headers: withKey });
    const body = { ...bodyOf(operation)(example.tenant.templateId), format: "png" };
    return request(example, operation, { headers: withKey, body });
  },
  renderImpossible: (operation) => withRender(operation, renderNothing),
  renderLimitExceeded: (operation) => withPlan(operation, { monthlyRenders: 1 }),
  browserFailed: (operation) => withRender(operation, async () => ({ status: "crashed", reason: "Target closed" })),
  noCapacity: (operation) => withRender(operation, async () => ({ status: "no_capacity", retryAfterSeconds: 7 })),
  renderTimedOut: (operation) => withRender(operation, async () => ({ status: "timed_out" })),
};

/** Repeats a request with its idempotency key after the resource that it created was deleted. */
async function repeated(operation: Operation, { path }: Pick<Operation, "path">): Promise<Response> {
  const example = await newExample();
  const { id } = await dataOf(await request(example, operation, { headers: withKey }));
  if (path.startsWith("/batches")) await endOf(example, id);
  await request(example, { method: "delete", path }, { id });
  return request(example, operation, { headers: withKey });
}

async function changed(operation: Operation, changes: Changes): Promise<Response> {
  return request(await exampleWith(), operation, changes);
}

async function withBody(operation: Operation, properties: object): Promise<Response> {
  const example = await exampleWith();
  return request(example, operation, { body: { ...bodyOf(operation)(example.tenant.templateId), ...properties } });
}

async function withRender(operation: Operation, render: () => Promise<RenderOutcome>): Promise<Response> {
  const example = await exampleWith();
  example.service.render = render;
  return request(example, operation);
}

async function withUnreadFile(operation: Operation, get: () => Promise<null>): Promise<Response> {
  const example = await exampleWith(({ files }) => ({ files: { ...files, get } }));
  return request(example, operation, { headers: { Accept: "application/pdf" } });
}

/** The account is new, because the message of a limit contains the number of its renders. */
async function withPlan(
  operation: Operation,
  plan: { apiAccess?: boolean; monthlyRenders?: number },
): Promise<Response> {
  return withCaller(operation, ({ account, key }) => ({
    account: { ...account, plan: { ...account.plan, ...plan } },
    key,
  }));
}

async function withCaller(operation: Operation, change: (caller: Caller) => Caller): Promise<Response> {
  const service = testService(({ keys }) => ({
    keys: {
      ...keys,
      findCaller: async (key, nowMs) => {
        const found = await keys.findCaller(key, nowMs);
        return found.status === "valid" ? { ...found, caller: change(found.caller) } : found;
      },
    },
  }));
  return request({ ...(await newExample()), service }, operation);
}

async function withBrokenKeys(operation: Operation, error: Error): Promise<Response> {
  const findCaller = () => Promise.reject(error);
  return request(await exampleWith(({ keys }) => ({ keys: { ...keys, findCaller } })), operation);
}
