import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ColophonError } from "../../packages/client/src/client.ts";
import { failure, lost, page, serve, silent, success, temporary, type Reply } from "./scripted-server.ts";

const created = success({ id: "d1", status: "completed" }, 201);
const document = { templateId: "t1", data: { name: "Ada" } };

/** With this number, delays that the service did not ask for are zero. */
beforeEach(() => {
  vi.spyOn(Math, "random").mockReturnValue(-1);
});

afterEach(() => void vi.restoreAllMocks());

it.each([
  ["the service is overloaded", failure(503, "SERVICE_UNAVAILABLE")],
  ["there is no capacity", failure(503, "RENDER_FAILED")],
  ["the account sends too many requests", failure(429, "TOO_MANY_REQUESTS")],
  ["its first request is still in progress", failure(409, "IDEMPOTENCY_CONFLICT")],
  ["a proxy cannot reach the service", page(502)],
  ["a proxy does not know why it failed", page(520)],
  ["a proxy limits requests", page(429)],
  ["the connection is lost", lost],
])("a create is repeated if %s", async (_what, reply) => {
  const { client, server } = await serve(reply, created);

  expect(await client.documents.create(document)).toMatchObject({ id: "d1" });
  expect(server.requests).toHaveLength(2);
});

it.each([
  ["the monthly allowance is used up", failure(429, "RENDER_LIMIT_EXCEEDED")],
  ["the render failed", failure(502, "RENDER_FAILED")],
  ["the render took too long", failure(504, "RENDER_FAILED")],
  ["the document is impossible", failure(422, "RENDER_FAILED")],
  ["the key was used for another body", failure(422, "IDEMPOTENCY_CONFLICT")],
  ["the service is at fault", failure(500, "INTERNAL_ERROR")],
  ["the request is invalid", failure(400, "VALIDATION_ERROR")],
  ["the base URL is wrong", page(404)],
])("a create is not repeated if %s", async (_what, reply) => {
  const { client, server } = await serve(reply, created);

  await expect(client.documents.create(document)).rejects.toThrow(ColophonError);
  expect(server.requests).toHaveLength(1);
});

it("a create has the same idempotency key and body in all of its attempts", async () => {
  const { client, server } = await serve(temporary, lost, created);

  await client.documents.create(document);

  const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
  expect(server.requests.map(({ body }) => body)).toEqual(Array(3).fill(JSON.stringify(document)));
});

it("each create has a new idempotency key unless the caller gives one", async () => {
  const { client, server } = await serve(created);

  await client.documents.create(document);
  await client.documents.create(document);
  await client.documents.create(document, { idempotencyKey: "order-4711" });

  const [first, second, third] = server.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(first).not.toBe(second);
  expect(third).toBe("order-4711");
});

it("a create is sent with the values that it had when the method was called", async () => {
  const data = { name: "Ada" };
  const { client, server } = await serve((response, request) => {
    data.name = "Grace";
    temporary(response, request);
  }, created);

  await client.documents.create({ templateId: "t1", data });

  expect(server.requests[0]?.body).toBe(server.requests[1]?.body);
});

it("a create is repeated through a restart until the total time ends, whatever a proxy responds", async () => {
  const between = [lost, temporary, ...[502, 503, 504].map((status) => page(status))];
  const inProgress = failure(409, "IDEMPOTENCY_CONFLICT", { headers: { "Retry-After": "1" } });
  const { client, server } = await serve(...between, ...between, inProgress, created);

  const { id } = await client.documents.create(document);

  const keys = new Set(server.requests.map(({ headers }) => headers["idempotency-key"]));
  expect([id, server.requests.length, keys.size]).toEqual(["d1", 12, 1]);
});

it("retries end after `maxRetries` with the last error", async () => {
  const { client, server } = await serve(lost, temporary);

  const error = await client.usage.get({ maxRetries: 3 }).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retryAfterSeconds: null });
  expect(server.requests).toHaveLength(4);
});

it("a retry that would begin after the total time is not awaited, so the caller learns immediately how long to wait", async () => {
  const { client, server } = await serve(failure(503, "RENDER_FAILED", { headers: { "Retry-After": "91" } }));

  const error = await client.documents.create(document).catch((thrown: unknown) => thrown);

  expect(error).toMatchObject({ code: "RENDER_FAILED", retryAfterSeconds: 91 });
  expect(server.requests).toHaveLength(1);
});

it("retries end when the signal is aborted while the client waits", async () => {
  const controller = new AbortController();
  const { client, server } = await serve((response, request) => {
    failure(503, "SERVICE_UNAVAILABLE", { headers: { "Retry-After": "60" } })(response, request);
    setTimeout(() => controller.abort(new Error("the user left")), 20);
  });

  await expect(client.usage.get({ signal: controller.signal })).rejects.toThrow("the user left");
  expect(server.requests).toHaveLength(1);
});

it("an attempt that gets no response in time is repeated", async () => {
  const { client } = await serve(silent, success({ plan: "free" }));

  expect(await client.usage.get({ timeoutMs: 300 })).toEqual({ plan: "free" });
});

it("an attempt whose response is cut off is repeated", async () => {
  const cut: Reply = (response) => {
    response.writeHead(200, { "Content-Length": "1000" });
    response.write('{"success":', () => response.destroy());
  };
  const { client } = await serve(cut, success({ plan: "free" }));

  expect(await client.usage.get()).toEqual({ plan: "free" });
});

it.each([
  ["lost its connection", [lost]],
  ["got no response in time", [silent]],
  ["got the response of a proxy", [page(502)]],
  ["lost its connection, and another was refused", [lost, temporary]],
])("a deletion succeeds if the document was deleted by an earlier attempt that %s", async (_what, replies) => {
  const { client } = await serve(...replies, failure(404, "DOCUMENT_NOT_FOUND"));

  expect(await client.documents.delete("d1", { timeoutMs: 300 })).toEqual({ id: "d1", deleted: true });
});

it.each([
  ["the first attempt", [failure(404, "DOCUMENT_NOT_FOUND")]],
  ["a retry after an attempt that was refused", [temporary, failure(404, "DOCUMENT_NOT_FOUND")]],
])("a deletion fails if %s does not find the document", async (_what, replies) => {
  const { client } = await serve(...replies);

  await expect(client.documents.delete("d1")).rejects.toMatchObject({ code: "DOCUMENT_NOT_FOUND" });
});
