import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import type { Services } from "../../../src/ports/services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { baseUrl, get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  dataOf,
  operations,
  refusalOf,
  send,
  testService,
  timestampPattern,
  unknownId,
  uuidPattern,
  type Failure,
  type Meta,
} from "../app.ts";

const service = testService();
const routes = [
  { method: "GET", path: (id: string) => `/documents/${id}`, code: "DOCUMENT_NOT_FOUND" },
  { method: "DELETE", path: (id: string) => `/documents/${id}`, code: "DOCUMENT_NOT_FOUND" },
  { method: "GET", path: (id: string) => `/documents/${id}/download`, code: "DOCUMENT_NOT_FOUND" },
  { method: "GET", path: (id: string) => `/templates/${id}`, code: "TEMPLATE_NOT_FOUND" },
];

it.for(routes)("another account's id is like an unknown id for $method ($code)", async ({ method, path, code }) => {
  const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
  const document = await dataOf(await create(theirs));
  const id = code === "DOCUMENT_NOT_FOUND" ? document.id : theirs.templateId;

  const [real, unknown] = await Promise.all([id, unknownId].map((each) => get(service, mine, path(each), { method })));

  expect(real && (await whole(real))).toEqual(unknown && (await whole(unknown)));
});

it("a DELETE does not delete another account's document", async () => {
  const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
  const { id } = await dataOf(await create(theirs));

  await get(service, mine, `/documents/${id}`, { method: "DELETE" });

  expect((await get(service, theirs, `/documents/${id}/download`)).status).toBe(200);
});

it("another account's template gets the same response as an unknown template", async () => {
  const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);

  const [real, unknown] = await Promise.all(
    [theirs.templateId, unknownId].map((templateId) => post(service, mine, { templateId, data: {} })),
  );

  expect(real && (await whole(real))).toEqual(unknown && (await whole(unknown)));
});

it("another account's template is not found even right after its owner has used it", async () => {
  const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
  await get(service, theirs, `/templates/${theirs.templateId}`);

  const response = await get(service, mine, `/templates/${theirs.templateId}`);

  expect(response.status).toBe(404);
});

it("another account's documents are never listed, with or without filters", async () => {
  const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
  await create(theirs);

  const paths = ["/documents", `/documents?templateId=${theirs.templateId}`, "/documents?status=completed"];
  const totals = await Promise.all(paths.map(async (path) => totalOf(await get(service, mine, path))));

  expect(totals).toEqual([0, 0, 0]);
});

// `describedApp` checks the whole envelope of every response of the API.
it.for([
  { path: "/api/v1/documents", status: 200 },
  { path: "/files/x.pdf", status: 404 },
  { path: "/healthz", status: 200 },
])("the response envelope of $path has `success`, a timestamp in ms and a new request id", async ({ path, status }) => {
  const tenant = await newTenant(env);
  const headers = { Authorization: `Bearer ${tenant.key}`, "X-Request-Id": unknownId };

  const response = await service.fetch(`https://colophon.test${path}`, { headers });

  const { success, meta } = await response.json<{ success: boolean; meta: Meta }>();
  expect({ status: response.status, success, meta }).toEqual({
    status,
    success: status < 300,
    meta: { timestamp: expect.stringMatching(timestampPattern), requestId: response.headers.get("X-Request-Id") },
  });
  expect(meta.requestId).toMatch(uuidPattern);
  expect(meta.requestId).not.toBe(unknownId);
});

const secret = "D1_ERROR: no such column: secret_hash at /srv/colophon/src/platform/document-store.ts";
const fail = (): never => {
  throw new Error(secret, { cause: new Error("the cause behind") });
};
const down = async () => fail();
const broken = new Proxy({}, { get: () => fail });
const faults: { name: string; change?: (services: Services) => Partial<Services>; bindings?: object }[] = [
  {
    name: "port of documents",
    change: () => ({ documents: { insert: down, find: down, list: down, remove: down, linked: down, endLinks: down } }),
  },
  { name: "port of keys", change: () => ({ keys: { findCaller: down, recordUse: down } }) },
  { name: "binding DB", bindings: { DB: broken } },
  { name: "binding FILES", bindings: { FILES: broken } },
  { name: "binding ACCOUNT_QUOTA", bindings: { ACCOUNT_QUOTA: broken } },
];

it.for(faults)("an internal fault in the $name never reveals the text of its error", async ({ change, bindings }) => {
  const tenant = await newTenant(env);
  const { id } = await dataOf(await create(tenant));
  const failing = testService(change, { ...env, ...bindings });

  const seen = new Set<string>();
  for (const operation of operations(id, tenant.templateId).filter(({ method }) => method !== "HEAD")) {
    const response = await send(failing, operation, { Authorization: `Bearer ${tenant.key}` });
    if (response.status >= 500) seen.add(await comparable(response));
    else await response.body?.cancel();
  }

  expect(seen.size).toBeGreaterThan(0);
  for (const body of seen) {
    const { success, error } = JSON.parse(body) as Failure;
    expect([success, error.code]).toEqual([
      false,
      expect.stringMatching(/^(INTERNAL_ERROR|RENDER_FAILED|SERVICE_UNAVAILABLE)$/),
    ]);
    expect(body).not.toMatch(/D1_ERROR|secret_hash|\/srv|cause behind/);
  }
});

it("an internal fault is logged with all of its causes and the request id", async () => {
  const tenant = await newTenant(env);
  const broken = testService(({ documents }) => ({ documents: { ...documents, list: down } }));

  const response = await get(broken, tenant, "/documents");

  expect(broken.logged).toEqual([
    {
      event: "request.failed",
      requestId: response.headers.get("X-Request-Id"),
      code: "INTERNAL_ERROR",
      cause: new Error(secret, { cause: new Error("the cause behind") }),
    },
  ]);
});

it("an internal fault is logged without the caller's key or data", async () => {
  const tenant = await newTenant(env);
  const broken = testService(() => ({
    documents: { insert: down, find: down, list: down, remove: down, linked: down, endLinks: down },
  }));

  await post(broken, tenant, { templateId: tenant.templateId, data: { name: "Ada Lovelace" } });

  expect(JSON.stringify(broken.logged)).not.toMatch(/Lovelace|colophon_/);
});

it.for(["DB", "BROWSER_POOL"])("an internal fault names the missing binding %s", (name) => {
  expect(() => requestServices({ ...env, [name]: undefined }, () => {})).toThrow(name);
});

it("an invalid variable causes a response with an internal error in the usual envelope", async () => {
  const broken = testService(undefined, { ...env, CDN_URL: "nowhere" });

  const response = await broken.fetch(`${baseUrl}/documents`);

  expect(await refusalOf(response)).toEqual({
    status: 500,
    code: "INTERNAL_ERROR",
    message: "Something went wrong on our side. Please include the request id when you report it.",
  });
});

function create(tenant: Tenant): Promise<Response> {
  return post(service, tenant, { templateId: tenant.templateId, data: {} });
}

/** Returns the body without the parts that differ between requests. */
async function comparable(response: Response): Promise<string> {
  const text = await response.text();
  return text.replace(/"meta":\{"timestamp":"[^"]*","requestId":"[^"]*"\}/, '"meta":{}');
}

/** Returns the status, headers and body of a response without the parts that differ between requests. */
async function whole(response: Response): Promise<object> {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await comparable(response) };
}

async function totalOf(response: Response): Promise<number> {
  const { pagination } = await dataOf<{ pagination: { total: number } }>(response);
  return pagination.total;
}
