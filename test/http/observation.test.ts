// Tests the log line of each request and each render, and the header `Server-Timing`, on fakes whose clock
// moves only when a test says so.
import { expect, it } from "vitest";
import type { LogEntry } from "colophon-base/log";
import type { RenderMeasurements } from "colophon-render/render-job";
import { failing, type Overrides } from "../fakes/services.ts";
import { describedApp } from "../fixtures/described-app.ts";
import type { TenantOptions } from "../fixtures/tenant.ts";
import { fakeApi } from "./fake-api.ts";

/** Returns an application on fakes, with one account and one template, and everything that it records. */
async function world(overrides: Overrides = {}, template: Omit<TenantOptions, "plan"> = {}) {
  const { services, account, key, templateId, fetch } = await fakeApi(overrides, template);
  const send = async (method: string, path: string, { body, headers = {} }: { body?: object; headers?: object } = {}) =>
    fetch(`https://colophon.test${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const create = (data: object = {}) => send("POST", "/api/v1/documents", { body: { templateId, data } });
  const lines = (event: string): LogEntry[] => services.state.log.filter((entry) => entry.event === event);
  return { services, account, send, create, lines };
}

/** Returns `method` of a port, which takes `ms` on the fake clock. */
function taking<A extends unknown[], R>(
  all: { services: { state: { nowMs: number } } },
  ms: number,
  method: (...args: A) => Promise<R>,
): (...args: A) => Promise<R> {
  return async (...args) => {
    all.services.state.nowMs += ms;
    return method(...args);
  };
}

/** Makes every stage of a create take a different time. */
async function slowWorld() {
  // Liquid pauses once for a page of this length.
  const all = await world({}, { page: "x".repeat(200_001), fields: [] });
  const { services } = all;
  services.keys.findCaller = taking(all, 1, services.keys.findCaller);
  services.templates.find = taking(all, 2, services.templates.find);
  services.templates.sizeBytes = taking(all, 4, services.templates.sizeBytes);
  services.quota.reserve = taking(all, 8, services.quota.reserve);
  services.slices.pause = taking(all, 16, services.slices.pause);
  const render = taking(all, 100, services.renderer.render);
  services.renderer.render = async (job, calls) => {
    calls?.report?.(measurements);
    return render(job, calls);
  };
  services.documents.insert = taking(all, 256, services.documents.insert);
  return all;
}

const measurements: RenderMeasurements = {
  pool: "pool-0",
  browserVersion: "HeadlessChrome/128.0.6613.84",
  isSessionReused: true,
  queueMs: 5,
  sessionMs: 7,
  browserMs: 70,
  putMs: 13,
};

const stages = {
  authentication: 1,
  // The template is loaded, in 6 ms, while the hold is reserved. The simulated clock adds the times of both.
  template: 6 + 8,
  reserve: 8,
  liquid: 16,
  queue: 5,
  session: 7,
  browser: 70,
  put: 13,
  record: 256,
};

it("a create and its render are each logged in one line, and `Server-Timing` states their times", async () => {
  const { account, create, lines } = await slowWorld();

  const response = await create();

  const { data } = (await response.json()) as { data: { id: string; fileSize: number } };
  const ids = { requestId: response.headers.get("X-Request-Id"), accountId: account.id, documentId: data.id };
  expect(lines("request.ended")).toEqual([
    {
      level: "info",
      event: "request.ended",
      ...ids,
      method: "POST",
      route: "/api/v1/documents",
      status: 201,
      code: null,
      totalMs: 387,
      requestBytes: null,
      stages,
    },
  ]);
  expect(lines("render.ended")).toEqual([
    {
      level: "info",
      event: "render.ended",
      ...ids,
      ...{ attempt: 1, outcome: "rendered", format: "pdf", totalMs: 100, pageCount: 1 },
      markupChars: expect.any(Number),
      fileSize: data.fileSize,
      ...measurements,
    },
  ]);
  expect(response.headers.get("Server-Timing")).toBe(
    "authentication;dur=1, template;dur=14, reserve;dur=8, liquid;dur=16, queue;dur=5, session;dur=7, browser;dur=70, put;dur=13, record;dur=256, total;dur=387",
  );
});

it("a failed create has a `Server-Timing` header and a line with the code of the error", async () => {
  const { services, create, lines } = await slowWorld();
  services.state.outcomes.push({ status: "impossible", message: "The table is too long." });

  const response = await create();

  expect(response.headers.get("Server-Timing")).toContain("record;dur=256");
  expect(lines("request.ended")).toMatchObject([{ status: 422, code: "RENDER_FAILED" }]);
  expect(lines("render.ended")).toMatchObject([{ outcome: "impossible", fileSize: null, pageCount: null }]);
});

it("a create that is rendered twice has a line for each attempt", async () => {
  const { services, create, lines } = await slowWorld();
  services.state.outcomes.push({ status: "crashed", reason: "Target closed" });

  await create();

  expect(lines("render.ended")).toMatchObject([
    { attempt: 1, outcome: "crashed" },
    { attempt: 2, outcome: "rendered" },
  ]);
  expect(lines("request.ended")).toMatchObject([
    { stages: { ...stages, queue: 10, session: 14, browser: 140, put: 26 } },
  ]);
});

it("a create counts its whole time as browser time if its renderer rejects or measures nothing", async () => {
  const all = await world();
  all.services.renderer.render = taking(all, 100, failing("the pool is away"));

  await all.create();

  expect(all.lines("render.ended")).toMatchObject([
    { attempt: 1, outcome: "crashed", browserVersion: null, totalMs: 100 },
    { attempt: 2, outcome: "crashed", browserVersion: null, totalMs: 100 },
  ]);
  expect(all.lines("request.ended")).toMatchObject([{ status: 502, stages: { browser: 200 } }]);
});

it("a create of a missing template gets no `Server-Timing`, so callers cannot tell whether it belongs to another account", async () => {
  const { send } = await world();

  const response = await send("POST", "/api/v1/documents", { body: { templateId: crypto.randomUUID(), data: {} } });

  expect([response.status, response.headers.get("Server-Timing")]).toEqual([404, null]);
});

it("a create without a valid key is logged without an account", async () => {
  const { send, lines } = await world();

  await send("POST", "/api/v1/documents", { headers: { Authorization: "Bearer wrong" } });

  expect(lines("request.ended")).toMatchObject([
    { status: 401, code: "INVALID_API_KEY", accountId: null, documentId: null, route: "/api/v1/documents" },
  ]);
});

it("a request about a document is logged with the document's id, whatever its spelling in the path", async () => {
  const { create, send, lines } = await world();
  const { data } = (await (await create()).json()) as { data: { id: string } };

  await send("GET", `/api/v1/documents/${data.id.toUpperCase()}`);
  await send("DELETE", `/api/v1/documents/${data.id}`);
  await send("GET", `/api/v1/documents/${data.id}`);

  expect(lines("request.ended").slice(1)).toMatchObject([
    { method: "GET", route: "/api/v1/documents/:id", status: 200, documentId: data.id },
    { method: "DELETE", route: "/api/v1/documents/:id", status: 200, documentId: data.id },
    { method: "GET", route: "/api/v1/documents/:id", status: 404, documentId: null, code: "DOCUMENT_NOT_FOUND" },
  ]);
});

it.each([
  ["GET", "/my-secret-path", 404, null],
  ["GET", "/api/v1/my-secret-path", 404, null],
  ["GET", "/api/v1/documents/my-secret-id", 404, "/api/v1/documents/:id"],
  ["GET", "/files/my-secret-file", 404, "/files/:key"],
  ["MY-SECRET-METHOD", "/api/v1/usage", 405, "/api/v1/usage"],
])(
  "the request %s %s is logged with the pattern of its route, never with its path",
  async (method, path, status, route) => {
    const { send, services, lines } = await world();

    await send(method, path);

    expect(lines("request.ended")).toMatchObject([
      { status, route, method: method.startsWith("MY") ? "other" : method },
    ]);
    expect(JSON.stringify(services.state.log)).not.toMatch(/secret/i);
  },
);

it("a request whose services cannot be created is logged too", async () => {
  const logged: LogEntry[] = [];
  const broken = describedApp({
    servicesOf: () => {
      throw new Error("the binding DB is missing");
    },
    log: (_level, entry) => void logged.push(entry),
  });

  const response = await broken.request("https://colophon.test/healthz");

  expect(logged).toMatchObject([
    { event: "request.failed" },
    {
      event: "request.ended",
      requestId: response.headers.get("X-Request-Id"),
      route: "/healthz",
      status: 500,
      code: "INTERNAL_ERROR",
    },
  ]);
});

it("the id of a request is added to everything that is logged during the request", async () => {
  const { send, services, lines } = await world({
    settings: { healthSecret: "the-secret-of-the-operator" },
    health: { parts: { files: failing("down") } },
  });

  const response = await send("GET", "/healthz?deep=1", {
    headers: { Authorization: "Bearer the-secret-of-the-operator" },
  });

  expect(lines("health.part_failed")).toMatchObject([
    { requestId: response.headers.get("X-Request-Id"), part: "files" },
  ]);
  expect(services.state.log).toHaveLength(3);
});
