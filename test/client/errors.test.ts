import { inspect } from "node:util";
import { expect, it } from "vitest";
import { ColophonError, createClient, type ClientOptions } from "../../packages/client/src/client.ts";
import { apiKey, failure, lost, page, requestId, serve, silent, success, type Reply } from "./scripted-server.ts";

/** Returns the error of a request if the service sends this reply. */
async function errorAfter(reply: Reply, options: Partial<ClientOptions> = {}): Promise<unknown> {
  const { server } = await serve(reply);
  return server
    .client({ maxRetries: 0, ...options })
    .usage.get()
    .catch((thrown: unknown) => thrown);
}

it("an error of the service is a ColophonError with the code, the status, the message, the details and the request id", async () => {
  const details = [{ path: "limit", message: "`limit` must be a whole number from 1 to 100." }];

  const error = await errorAfter(failure(400, "VALIDATION_ERROR", { message: "Wrong.", details }));

  expect(error).toBeInstanceOf(ColophonError);
  expect(error).toMatchObject({
    name: "ColophonError",
    code: "VALIDATION_ERROR",
    status: 400,
    message: "Wrong.",
    details,
    requestId,
    retryAfterSeconds: null,
  });
});

it("an error of the service contains the time to wait before a retry", async () => {
  const error = await errorAfter(failure(429, "RENDER_LIMIT_EXCEEDED", { headers: { "Retry-After": "775000" } }));

  expect(error).toMatchObject({ code: "RENDER_LIMIT_EXCEEDED", retryAfterSeconds: 775_000 });
});

it("an error of the service with a code that the client does not recognise has the code UNKNOWN_CODE, and names the code", async () => {
  const error = await errorAfter(failure(418, "TEAPOT"));

  expect(error).toMatchObject({ code: "UNKNOWN_CODE", status: 418, message: "TEAPOT: the message of TEAPOT" });
});

it.each([
  ["a page with status 200", page(200)],
  ["a page with status 404", page(404)],
  ["JSON that is not an object", (response) => response.end("[1]")],
  ["a success with an error's status", success({}, 404)],
  ["nothing", (response) => response.end()],
] satisfies [string, Reply][])("a failure outside the service is UNEXPECTED_RESPONSE for %s", async (_what, reply) => {
  const error = await errorAfter(reply);

  expect(error).toMatchObject({
    code: "UNEXPECTED_RESPONSE",
    message: expect.stringContaining("Check the base URL"),
  });
});

it("a failure outside the service has the code CONNECTION_FAILED if there is no response, and names the host and the cause", async () => {
  const error = await errorAfter(lost);

  expect(error).toMatchObject({ code: "CONNECTION_FAILED", status: null, requestId: null, cause: expect.any(Error) });
  expect((error as Error).message).toMatch(/^There was no response from http:\/\/127\.0\.0\.1:\d+\.$/);
});

it("a failure outside the service has the code TIMEOUT even if `fetch` ignores its signal", async () => {
  const error = await errorAfter(silent, { timeoutMs: 20, fetch: () => new Promise(() => {}) });

  expect(error).toMatchObject({ code: "TIMEOUT" });
});

it("a request is not sent if its signal is already aborted", async () => {
  const { server } = await serve(success({}));

  await expect(server.client().usage.get({ signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  expect(server.requests).toEqual([]);
});

it.each([
  ["an error of the service", failure(401, "INVALID_API_KEY")],
  ["a lost connection", lost],
  ["a page that repeats the request", ((response, { headers }) => response.end(JSON.stringify(headers))) as Reply],
])("the API key is not contained in %s", async (_what, reply) => {
  const error = await errorAfter(reply);

  const shown = [inspect(error, { depth: 9, showHidden: true }), JSON.stringify(error), String(error)].join();
  expect(shown).toContain("ColophonError");
  expect(shown).not.toContain(apiKey);
});

it("the API key is not contained in the printed form of a client", () => {
  const client = createClient({ baseUrl: "http://localhost:8787/api/v1", apiKey });

  const shown = [inspect(client, { depth: 9, showHidden: true }), JSON.stringify(client), String(client)].join();
  expect(shown).not.toContain(apiKey);
});

it.each(["", "a b", "ключ", "key\r\nX-Other: 1", undefined as unknown as string])(
  "the API key cannot be %j, and the error does not repeat it",
  (key) => {
    const create = () => createClient({ baseUrl: "http://localhost/api/v1", apiKey: key });

    expect(create).toThrow(
      new TypeError("`apiKey` must be an API key: visible ASCII characters only, without spaces and line breaks."),
    );
  },
);

it.each([undefined, null, "{}"])("wrong arguments include the document %j", async (document) => {
  const { server } = await serve(success({}));
  const { documents } = server.client();

  await expect(documents.create(document as never)).rejects.toThrow("needs an object with `templateId` and `data`");
  await expect(documents.createFile(document as never)).rejects.toThrow(TypeError);
  expect(server.requests).toEqual([]);
});

it.each([
  "",
  "pdf.example.com",
  "/api/v1",
  "ftp://pdf.example.com",
  "https://user:secret@pdf.example.com/api/v1",
  "https://pdf.example.com/api/v1?a=1",
  "https://pdf.example.com/api/v1#a",
])("the base URL %j is refused", (baseUrl) => {
  expect(() => createClient({ baseUrl, apiKey })).toThrow(
    new TypeError("`baseUrl` must be a URL such as https://pdf.example.com/api/v1."),
  );
});

it.each(["/", "//"])("wrong arguments do not include %j at the end of the base URL", async (end) => {
  const { server } = await serve(success({}));

  await createClient({ baseUrl: server.baseUrl + end, apiKey }).usage.get();

  expect(server.requests[0]?.path).toBe("/api/v1/usage");
});

it.each(["", "..", "a/b", "%2e%2e", "a\n", undefined as unknown as string])(
  "wrong arguments include the id %j, which might lead to a different path",
  async (id) => {
    const { server } = await serve(success({}));
    const { documents, templates } = server.client();

    const calls = [documents.get(id), documents.download(id), documents.delete(id), templates.get(id)];

    for (const call of await Promise.allSettled(calls)) {
      expect(call).toMatchObject({ status: "rejected", reason: expect.any(TypeError) });
    }
    expect(server.requests).toEqual([]);
  },
);

it.each(["", "a b", "x".repeat(256)])("wrong arguments include the idempotency key %j", async (idempotencyKey) => {
  const { server } = await serve(success({}));
  const { documents } = server.client();
  const document = { templateId: "t1", data: {} };

  await expect(documents.create(document, { idempotencyKey })).rejects.toThrow(TypeError);
  await expect(documents.createFile(document, { idempotencyKey })).rejects.toThrow(TypeError);
  expect(server.requests).toEqual([]);
});
