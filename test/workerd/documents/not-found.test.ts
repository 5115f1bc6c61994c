import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Services } from "../../../src/ports/services.ts";
import { requestServices } from "../../../src/services/request-services.ts";
import { baseUrl, get, newTenant, post, type Tenant } from "../../fixtures/tenant.ts";
import {
  dataOf,
  operations,
  refusalOf,
  renderNothing,
  send,
  testService,
  timestampPattern,
  unknownId,
  usageOf,
  uuidPattern,
  type Failure,
  type Meta,
  type TestService,
} from "../app.ts";

const service = testService();

afterEach(() => void vi.useRealTimers());

const strangeIds = [
  { name: "an unknown UUID", id: unknownId },
  { name: "the nil UUID", id: "00000000-0000-0000-0000-000000000000" },
  { name: "a number", id: "1" },
  { name: "a word", id: "null" },
  { name: "a blank", id: "%20" },
  { name: "an encoded slash", id: "a%2Fb" },
  { name: "an encoded path to a parent", id: "%2e%2e%2f%2e%2e" },
  { name: "an encoded question mark", id: "a%3Fb" },
  { name: "an encoded percent sign", id: "%25" },
  { name: "a single percent sign", id: "%" },
  { name: "a broken escape", id: "%zz" },
  { name: "bytes that are not UTF-8", id: "%ff%fe" },
  { name: "an encoded NUL", id: "%00" },
  { name: "an encoded line break", id: "a%0d%0aX-Evil:%201" },
  { name: "quotes and SQL", id: "'%20OR%201=1--" },
  { name: "emoji", id: "%F0%9F%8E%89" },
  { name: "markup", id: "<script>" },
  { name: "__proto__", id: "__proto__" },
  { name: "the name of the route parameter", id: ":id" },
  { name: "4,000 characters", id: "x".repeat(4_000) },
  { name: "100,000 characters", id: "x".repeat(100_000) },
  { name: "10,000 encoded NULs", id: "%00".repeat(10_000) },
  { name: "a UUID with an encoded NUL", id: `${unknownId}%00` },
  { name: "a UUID with a line break", id: `${unknownId}%0A` },
  { name: "a UUID in braces", id: `{${unknownId}}` },
  { name: "a UUID without hyphens", id: unknownId.replaceAll("-", "") },
  { name: "an encoded lone surrogate", id: "%ED%A0%80" },
];

const routes = [
  { method: "GET", path: (id: string) => `/documents/${id}`, code: "DOCUMENT_NOT_FOUND" },
  { method: "DELETE", path: (id: string) => `/documents/${id}`, code: "DOCUMENT_NOT_FOUND" },
  { method: "GET", path: (id: string) => `/documents/${id}/download`, code: "DOCUMENT_NOT_FOUND" },
  { method: "GET", path: (id: string) => `/templates/${id}`, code: "TEMPLATE_NOT_FOUND" },
];
const messages: Record<string, string> = {
  DOCUMENT_NOT_FOUND: "No document with this id exists in the account.",
  TEMPLATE_NOT_FOUND: "No template with this id exists in the account.",
};

describe.for(strangeIds)("$name as an id", ({ id }) => {
  it.for(routes)("makes $method respond with 404 $code", async ({ method, path, code }) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, path(id), { method });

    expect([response.status, await comparable(response)]).toEqual([
      404,
      `{"success":false,"error":{"code":"${code}","message":"${messages[code]}"},"meta":{}}`,
    ]);
  });
});

describe("another account's", () => {
  it.for(routes)("id gets the same response from $method as an unknown id ($code)", async ({ method, path, code }) => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
    const document = await dataOf(await create(theirs));
    const id = code === "DOCUMENT_NOT_FOUND" ? document.id : theirs.templateId;

    const [real, unknown] = await Promise.all(
      [id, unknownId].map((each) => get(service, mine, path(each), { method })),
    );

    expect(real && (await whole(real))).toEqual(unknown && (await whole(unknown)));
  });

  it("failed document gets the same message as an unknown document", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
    const failing = testService();
    failing.render = renderNothing;
    await create(theirs, failing);
    const listed = await dataOf<{ documents: { id: string }[] }>(await get(service, theirs, "/documents"));

    const response = await get(service, mine, `/documents/${listed.documents[0]?.id}/download`);

    expect((await refusalOf(response)).message).toBe(messages["DOCUMENT_NOT_FOUND"]);
  });

  it("document is not deleted by a DELETE", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
    const { id } = await dataOf(await create(theirs));

    await get(service, mine, `/documents/${id}`, { method: "DELETE" });

    expect((await get(service, theirs, `/documents/${id}/download`)).status).toBe(200);
  });

  it("template gets the same response as an unknown template", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);

    const [real, unknown] = await Promise.all(
      [theirs.templateId, unknownId].map((templateId) => post(service, mine, { templateId, data: {} })),
    );

    expect(real && (await whole(real))).toEqual(unknown && (await whole(unknown)));
  });

  it("template is not found right after its owner has used the template", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
    await get(service, theirs, `/templates/${theirs.templateId}`);

    const response = await get(service, mine, `/templates/${theirs.templateId}`);

    expect(response.status).toBe(404);
  });

  it("documents are never listed, with or without filters", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);
    await create(theirs);

    const paths = ["/documents", `/documents?templateId=${theirs.templateId}`, "/documents?status=completed"];
    const totals = await Promise.all(paths.map(async (path) => totalOf(await get(service, mine, path))));

    expect(totals).toEqual([0, 0, 0]);
  });

  it("render does not count against this account's allowance", async () => {
    const [mine, theirs] = await Promise.all([newTenant(env), newTenant(env)]);

    await create(theirs);

    expect(await usageOf(mine)).toEqual({ used: 0, reserved: 0 });
  });
});

describe("a request with an unsupported method", () => {
  const paths = [
    { path: "/documents", allow: "GET, HEAD, POST" },
    { path: `/documents/${unknownId}`, allow: "GET, HEAD, DELETE" },
    { path: `/documents/${unknownId}/download`, allow: "GET, HEAD" },
    { path: "/usage", allow: "GET, HEAD" },
    { path: "/templates", allow: "GET, HEAD" },
    { path: `/templates/${unknownId}`, allow: "GET, HEAD" },
  ];
  const methods = ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
  const refused = paths.flatMap(({ path, allow }) =>
    methods.filter((method) => !allow.includes(method)).map((method) => ({ method, path, allow })),
  );

  it.for(refused)("gets 405 and Allow ($method $path)", async ({ method, path, allow }) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, path, { method });

    expect(response.headers.get("Allow")).toBe(allow);
    expect(await refusalOf(response)).toEqual({
      status: 405,
      code: "METHOD_NOT_ALLOWED",
      message: `This path allows ${allow}.`,
    });
  });

  const outside = ["/healthz", "/files/x", `/files/${"A".repeat(43)}.pdf`].flatMap((path) =>
    ["POST", "PUT", "DELETE"].map((method) => ({ method, path })),
  );

  it.for(outside)("gets 405 and Allow outside the base URL too ($method $path)", async ({ method, path }) => {
    const response = await service.fetch(`https://colophon.test${path}`, { method });

    expect([response.status, response.headers.get("Allow")]).toEqual([405, "GET, HEAD"]);
  });
});

describe("an unknown path", () => {
  const inside = [
    "",
    "/",
    "/nothing",
    "/documents/",
    "/templates/",
    "//documents",
    "/Documents",
    `/documents/${unknownId}/`,
    `/documents/${unknownId}/download/`,
    `/documents/${unknownId}/file`,
    `/documents/${unknownId}/download/again`,
    `/templates/${unknownId}/pages`,
  ];

  it.for(inside)("under the base URL gets NOT_FOUND (%j)", async (path) => {
    const tenant = await newTenant(env);

    const response = await get(service, tenant, path);

    expect(await refusalOf(response)).toEqual({
      status: 404,
      code: "NOT_FOUND",
      message: "There is nothing at this path.",
    });
  });

  const outside = [
    "/",
    "/api",
    "/api/",
    "/api/v1x",
    "/api/v2/documents",
    "/documents",
    "/files",
    "/.git/config",
    "/%ff",
    "/%",
  ];

  it.for(outside)("outside the base URL gets NOT_FOUND without a key (%j)", async (path) => {
    const response = await service.fetch(`https://colophon.test${path}`);

    expect(await refusalOf(response)).toEqual({
      status: 404,
      code: "NOT_FOUND",
      message: "There is nothing at this path.",
    });
  });

  it.for(["POST", "DELETE", "OPTIONS"])("gets NOT_FOUND for the method %s too", async (method) => {
    const response = await service.fetch("https://colophon.test/nothing", { method });

    expect((await refusalOf(response)).code).toBe("NOT_FOUND");
  });

  it("that resembles a path of the API gets 401 or 404 without a key", async () => {
    const responses = await Promise.all(
      [
        "/api//v1/templates",
        "/api/v1//templates",
        "/api/%76%31/templates",
        "/API/V1/templates",
        "/x/../api/v1/templates",
      ].map((path) => service.fetch(`https://colophon.test${path}`)),
    );

    expect(responses.filter(({ status }) => status !== 401 && status !== 404)).toEqual([]);
  });
});

describe("the envelope", () => {
  type Case = { name: string; status: number; respond: (tenant: Tenant) => Promise<Response> };
  const cases: Case[] = [
    { name: "a list", status: 200, respond: (tenant) => get(service, tenant, "/documents") },
    { name: "a create", status: 201, respond: (tenant) => create(tenant) },
    { name: "a template", status: 200, respond: (tenant) => get(service, tenant, `/templates/${tenant.templateId}`) },
    { name: "the health check", status: 200, respond: () => service.fetch("https://colophon.test/healthz") },
    { name: "a missing key", status: 401, respond: () => service.fetch(`${baseUrl}/documents`) },
    { name: "a bad body", status: 400, respond: (tenant) => post(service, tenant, "{") },
    { name: "a bad query", status: 400, respond: (tenant) => get(service, tenant, "/templates?limit=0") },
    {
      name: "a wrong Content-Type",
      status: 415,
      respond: (tenant) => post(service, tenant, "{}", { "Content-Type": "text/plain" }),
    },
    { name: "a large body", status: 413, respond: (tenant) => post(service, tenant, "x".repeat(1_100_000)) },
    { name: "an unknown document", status: 404, respond: (tenant) => get(service, tenant, `/documents/${unknownId}`) },
    { name: "an unknown path", status: 404, respond: () => service.fetch("https://colophon.test/") },
    { name: "an unknown file", status: 404, respond: () => service.fetch("https://colophon.test/files/x.pdf") },
    {
      name: "a method that is not allowed",
      status: 405,
      respond: (tenant) => get(service, tenant, "/templates", { method: "PUT" }),
    },
    { name: "a failed render", status: 422, respond: (tenant) => create(tenant, failingRenderer()) },
    { name: "a failure of D1", status: 500, respond: (tenant) => get(withoutDocuments(), tenant, "/documents") },
  ];

  it.for(cases)(
    "of the response to $name has `success`, a timestamp in ms and the id from X-Request-Id",
    async ({ status, respond }) => {
      const tenant = await newTenant(env);

      const response = await respond(tenant);

      const { success, meta } = await response.json<{ success: boolean; meta: Meta }>();
      expect({ status: response.status, success, meta }).toEqual({
        status,
        success: status < 300,
        meta: { timestamp: expect.stringMatching(timestampPattern), requestId: response.headers.get("X-Request-Id") },
      });
      expect(meta.requestId).toMatch(uuidPattern);
    },
  );

  it("has a different request id for each request", async () => {
    const ids = await Promise.all(
      [1, 2].map(async () => (await service.fetch("https://colophon.test/healthz")).headers.get("X-Request-Id")),
    );

    expect(new Set(ids).size).toBe(2);
  });

  it("has the time of the response", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 2, 3, 4, 5, 6) });

    const response = await service.fetch("https://colophon.test/healthz");

    expect((await response.json<{ meta: Meta }>()).meta.timestamp).toBe("2026-01-02T03:04:05.006Z");
  });

  it("does not use a request id from the caller", async () => {
    const response = await service.fetch("https://colophon.test/healthz", { headers: { "X-Request-Id": "mine" } });

    expect(response.headers.get("X-Request-Id")).toMatch(uuidPattern);
  });
});

describe("an internal fault", () => {
  const secret = "D1_ERROR: no such column: secret_hash at /srv/colophon/src/platform/document-store.ts";
  const down = async (): Promise<never> => {
    throw new Error(secret, { cause: new Error("the cause behind") });
  };
  const faults: { name: string; change: (services: Services) => Partial<Services> }[] = [
    {
      name: "documents",
      change: () => ({ documents: { insert: down, find: down, list: down, remove: down } }),
    },
    { name: "keys", change: () => ({ keys: { findAccount: down } }) },
    {
      name: "templates",
      change: () => ({
        templates: { find: down, findVersion: down, list: down, content: down, compiled: down, sizeBytes: down },
      }),
    },
    {
      name: "quota",
      change: () => ({
        quota: { reserve: down, lookUpKey: down, commit: down, release: down, usage: down, beginDelete: down },
      }),
    },
    { name: "files", change: () => ({ files: { metadata: down, get: down, remove: down } }) },
  ];

  it.for(faults)("in the port `$name` never reveals the text of its error", async ({ change }) => {
    const tenant = await newTenant(env);
    const { id } = await dataOf(await create(tenant));
    const broken = testService(change);

    const seen = new Set<string>();
    for (const operation of operations(id, tenant.templateId).filter(({ method }) => method !== "HEAD")) {
      const response = await send(broken, operation, { Authorization: `Bearer ${tenant.key}` });
      if (response.status >= 500) seen.add(await comparable(response));
      else await response.body?.cancel();
    }

    expect(seen.size).toBeGreaterThan(0);
    for (const body of seen) {
      const { success, error } = JSON.parse(body) as Failure;
      expect([success, error.code]).toEqual([false, expect.stringMatching(/^(INTERNAL_ERROR|RENDER_FAILED)$/)]);
      expect(body).not.toMatch(/D1_ERROR|secret_hash|\/srv|cause behind/);
    }
  });

  it("is reported as INTERNAL_ERROR with a message that points to the request id", async () => {
    const tenant = await newTenant(env);

    const response = await get(withoutDocuments(), tenant, "/documents");

    expect(await refusalOf(response)).toEqual({
      status: 500,
      code: "INTERNAL_ERROR",
      message: "Something went wrong on our side. If you report it, include the request id.",
    });
  });

  it("is logged with its whole cause and the request id", async () => {
    const tenant = await newTenant(env);
    const broken = withoutDocuments();

    const response = await get(broken, tenant, "/documents");

    expect(broken.logged).toEqual([
      {
        event: "request.failed",
        requestId: response.headers.get("X-Request-Id"),
        code: "INTERNAL_ERROR",
        cause: new Error("D1_ERROR: network connection lost"),
      },
    ]);
  });

  it("is logged without the caller's key or data", async () => {
    const tenant = await newTenant(env);
    const broken = testService(() => ({ documents: { insert: down, find: down, list: down, remove: down } }));

    await post(broken, tenant, { templateId: tenant.templateId, data: { name: "Ada Lovelace" } });

    expect(JSON.stringify(broken.logged)).not.toMatch(/Lovelace|colophon_/);
  });

  it("during the insert of a completed document is reported as 502 RENDER_FAILED while the hold is left to the alarm", async () => {
    const tenant = await newTenant(env);
    const broken = testService(({ documents }) => ({ documents: { ...documents, insert: down } }));

    const response = await post(broken, tenant, { templateId: tenant.templateId, data: {} });

    expect(await refusalOf(response)).toMatchObject({ status: 502, code: "RENDER_FAILED" });
    expect(await usageOf(tenant)).toEqual({ used: 0, reserved: 1 });
  });

  it("in the bindings is reported by the health check as INTERNAL_ERROR", async () => {
    const broken = testService(undefined, { ...env, DB: undefined as unknown as D1Database });

    const response = await broken.fetch("https://colophon.test/healthz");

    expect(await refusalOf(response)).toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
  });

  it.for(["DB", "FILES", "ACCOUNT_QUOTA"] as const)(
    "is reported in the envelope when the binding %s fails",
    async (name) => {
      const tenant = await newTenant(env);
      const { id } = await dataOf(await create(tenant));
      const failing = new Proxy(
        {},
        {
          get: () => () => {
            throw new Error(secret);
          },
        },
      );
      const broken = testService(undefined, { ...env, [name]: failing });

      for (const operation of operations(id, tenant.templateId).filter(({ method }) => method !== "HEAD")) {
        const response = await send(broken, operation, { Authorization: `Bearer ${tenant.key}` });

        if (response.headers.get("Content-Type")?.includes("json")) {
          const text = await response.text();
          expect({ ...operation, meta: (JSON.parse(text) as Failure).meta }).toEqual({
            ...operation,
            meta: { timestamp: expect.any(String), requestId: response.headers.get("X-Request-Id") },
          });
          expect(text).not.toContain("D1_ERROR");
        } else {
          expect({ ...operation, status: response.status }).toEqual({ ...operation, status: 200 });
          await response.body?.cancel();
        }
      }
    },
  );

  it.for(["DB", "FILES", "TEMPLATES", "ACCOUNT_QUOTA", "BROWSER_POOL"])(
    "is reported at once, with the name of the binding, when the binding %s is missing",
    (name) => {
      const bindings = { ...env, [name]: undefined };

      expect(() => requestServices(bindings, () => {})).toThrow(name);
    },
  );

  it("is reported in the envelope when a variable is invalid", async () => {
    const broken = testService(undefined, { ...env, CDN_URL: "nowhere" });

    const response = await broken.fetch(`${baseUrl}/documents`);

    expect(await refusalOf(response)).toEqual({
      status: 500,
      code: "INTERNAL_ERROR",
      message: "Something went wrong on our side. If you report it, include the request id.",
    });
  });
});

function create(tenant: Tenant, by: TestService = service): Promise<Response> {
  return post(by, tenant, { templateId: tenant.templateId, data: {} });
}

function failingRenderer(): TestService {
  const failing = testService();
  failing.render = renderNothing;
  return failing;
}

function withoutDocuments(): TestService {
  return testService(({ documents }) => ({
    documents: { ...documents, list: () => Promise.reject(new Error("D1_ERROR: network connection lost")) },
  }));
}

/** Returns the body without the parts that differ from request to request. */
async function comparable(response: Response): Promise<string> {
  const text = await response.text();
  return text.replace(/"meta":\{"timestamp":"[^"]*","requestId":"[^"]*"\}/, '"meta":{}');
}

/** Returns the status, headers and body of a response without the parts that differ from request to request. */
async function whole(response: Response): Promise<object> {
  const { "x-request-id": _, ...headers } = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await comparable(response) };
}

async function totalOf(response: Response): Promise<number> {
  const { pagination } = await dataOf<{ pagination: { total: number } }>(response);
  return pagination.total;
}
