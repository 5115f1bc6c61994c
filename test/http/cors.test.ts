import { expect, it, vi } from "vitest";
import { failing, type Overrides } from "../fakes/services.ts";
import { describedApp } from "../fixtures/described-app.ts";
import { fakeApi } from "./fake-api.ts";

const origin = "https://shop.example";
const preflightHeaders = { Origin: origin, "Access-Control-Request-Method": "POST" };

async function api(overrides: Overrides = {}) {
  const { fetch, key, templateId } = await fakeApi(overrides);
  const send = async (path: string, init: RequestInit = {}, authorization = `Bearer ${key}`) => {
    const headers = { Origin: origin, ...(authorization ? { Authorization: authorization } : {}), ...init.headers };
    return fetch(`https://colophon.test${path}`, { ...init, headers });
  };
  return { templateId, send };
}

function jsonBody(body: unknown): RequestInit {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: text };
}

const exposed = [
  ...["Location", "X-Request-Id", "X-Document-Id", "Idempotent-Replayed", "RateLimit", "RateLimit-Policy"],
  ...["Retry-After", "Link", "ETag", "Content-Disposition", "Content-Range", "Server-Timing", "Allow"],
];

function expectReadable(response: Response): void {
  expect(response.headers.get("Access-Control-Allow-Origin")).toBe("*");
  expect(response.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  expect(response.headers.get("Access-Control-Expose-Headers")?.split(", ")).toEqual(expect.arrayContaining(exposed));
}

it("a page of any origin can read the responses to a create and a list", async () => {
  const { send, templateId } = await api();

  const responses = [
    await send("/api/v1/documents", jsonBody({ templateId, data: {} })),
    await send("/api/v1/documents"),
  ];

  expect(responses.map(({ status }) => status)).toEqual([201, 200]);
  responses.forEach(expectReadable);
});

it.for<[status: number, path: string, init: RequestInit, authorization?: string]>([
  [400, "/api/v1/documents", jsonBody("{")],
  [401, "/api/v1/nothing", {}, ""],
  [404, "/api/v1", {}],
  [404, "/api/v1/documents", jsonBody({ templateId: "1", data: {} })],
  [405, "/api/v1/documents", { method: "PUT" }],
  [405, "/files/a.pdf", { method: "POST" }, ""],
  [404, "/files/a.pdf", {}, ""],
  [404, "/links/a", {}, ""],
  [413, "/api/v1/documents", jsonBody("x".repeat(1024 * 1024 + 1))],
])("a page of any origin can read the error %i of %s", async ([status, path, init, authorization]) => {
  const { send } = await api();

  const response = await send(path, init, authorization);

  expect(response.status).toBe(status);
  expectReadable(response);
});

it("a page of any origin can read the error of a service that cannot be configured", async () => {
  const broken = describedApp({
    servicesOf: () => {
      throw new Error("no binding");
    },
    log: () => {},
  });

  const response = await broken.request("https://colophon.test/api/v1/usage");

  expect(response.status).toBe(500);
  expectReadable(response);
});

it("a page of a different origin cannot read the health check", async () => {
  const { send } = await api();

  const responses = [await send("/healthz"), await send("/healthz", { method: "OPTIONS", headers: preflightHeaders })];

  expect(responses.map(({ status }) => status)).toEqual([200, 405]);
  expect(responses.map(({ headers }) => headers.get("Access-Control-Allow-Origin"))).toEqual([null, null]);
});

it.for<[path: string, methods: string]>([
  ["/api/v1/documents", "GET, HEAD, POST"],
  ["/api/v1/documents/00000000-0000-4000-8000-000000000000", "GET, HEAD, DELETE"],
  ["/files/a.pdf", "GET, HEAD"],
  ["/links/a", "GET, HEAD"],
  // The request itself then gets the error for an unknown path, which the page can read.
  ["/api/v1/nothing", "GET, HEAD, POST, PUT, PATCH, DELETE"],
])("a preflight of %s needs no key, and gets 204 with the methods of the path", async ([path, methods]) => {
  const findCaller = vi.fn(failing("no key is looked up"));
  const { send } = await api({ keys: { findCaller } });

  const response = await send(path, { method: "OPTIONS", headers: preflightHeaders }, "");

  expect([response.status, await response.text()]).toEqual([204, ""]);
  expectReadable(response);
  expect(response.headers.get("Content-Type")).toBeNull();
  expect(response.headers.get("Access-Control-Allow-Methods")).toBe(methods);
  expect(response.headers.get("Access-Control-Allow-Headers")?.split(", ")).toEqual(
    expect.arrayContaining(["Authorization", "Content-Type", "Idempotency-Key", "Range"]),
  );
  expect(response.headers.get("Access-Control-Max-Age")).toBe("7200");
  expect(findCaller).not.toHaveBeenCalled();
});

it.for<{ what: string; sent: Record<string, string> }>([
  { what: "an origin", sent: { "Access-Control-Request-Method": "POST" } },
  { what: "a method", sent: { Origin: origin } },
])("a preflight without $what is an ordinary request, which needs a key and an allowed method", async ({ sent }) => {
  const { fetch, key } = await fakeApi();
  const options = (more: Record<string, string>) =>
    fetch("https://colophon.test/api/v1/documents", { method: "OPTIONS", headers: { ...sent, ...more } });

  const responses = [await options({}), await options({ Authorization: `Bearer ${key}` })];

  expect(responses.map(({ status }) => status)).toEqual([401, 405]);
  for (const response of responses) expect(await response.json()).toMatchObject({ success: false });
});

it("a request with the headers of a preflight needs a key if its method is not OPTIONS", async () => {
  const { send } = await api();

  const response = await send("/api/v1/documents/1", { method: "DELETE", headers: preflightHeaders }, "");

  expect(response.status).toBe(401);
});
