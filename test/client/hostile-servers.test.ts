// The client with servers that are broken or are not the service at all.
import { expect, it } from "vitest";
import { apiKey, page, requestId, serve, silent, success, type Reply, type ScriptedServer } from "./scripted-server.ts";

const text =
  (body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(400, headers).end(body);

const document = { templateId: "t1", data: {} };

it.each([
  ["a read", (client) => client.usage.get()],
  ["a create", (client) => client.documents.create(document)],
  ["a create that returns its file", (client) => client.documents.createFile(document)],
  ["a download", (client) => client.documents.download("d1")],
] satisfies [string, (client: ReturnType<ScriptedServer["client"]>) => Promise<unknown>][])(
  "a redirect to a different host is not followed by %s, so that the other host gets neither the key nor the data",
  async (_what, call) => {
    const { server: other } = await serve(success({ id: "stolen" }));
    const { server } = await serve(page(307, { Location: `${other.baseUrl}/usage` }));

    await expect(call(server.client())).rejects.toMatchObject({
      code: "UNEXPECTED_RESPONSE",
      status: 307,
      message: "The response is a redirect, which the client does not follow. Check the base URL.",
    });
    expect([server.requests.length, other.requests.length]).toEqual([1, 0]);
    expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${apiKey}`);
  },
);

it("a redirect to a different host is recognised in a browser, although the browser hides its status", async () => {
  const redirect = { type: "opaqueredirect", status: 0, ok: false, headers: new Headers(), text: async () => "" };
  const { server } = await serve();

  const request = server.client({ fetch: async () => redirect as Response }).usage.get();

  await expect(request).rejects.toMatchObject({ status: null, message: expect.stringContaining("is a redirect") });
});

it.each(['{"success":true}', '{"success":true,"data":null}', '{"success":true,"data":[]}', '{"success":true,"da'])(
  "a response that does not come from the API is an error if it is %j with status 200",
  async (body) => {
    const { server } = await serve((response) => response.end(body));

    await expect(server.client().usage.get()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE", status: 200 });
    expect(server.requests).toHaveLength(1);
  },
);

it.each([204, 304])("a response that does not come from the API is an error with status %i", async (status) => {
  const { server } = await serve((response) => response.writeHead(status).end());
  const client = server.client();

  for (const request of [client.usage.get(), client.documents.download("d1"), client.documents.createFile(document)])
    await expect(request).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE", status });
});

it("the error for a failure that does not come from the API mentions a proxy as a possible cause", async () => {
  const { server } = await serve(page(502));

  await expect(server.client({ maxRetries: 0 }).usage.get()).rejects.toThrow(
    "The response with status 502 is not from the Colophon API. It may come from a proxy in front of the API.",
  );
});

it("a response that does not come from the API is not returned as a file", async () => {
  const closed = Promise.withResolvers<void>();
  const { server } = await serve((response) => {
    response.once("close", closed.resolve);
    response.writeHead(200, { "Content-Type": "text/html", "X-Document-Id": "d1" }).write("<h1>Please sign in</h1>");
  });
  const { documents } = server.client();

  await expect(documents.download("d1")).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE", status: 200 });
  await closed.promise;
  await expect(documents.createFile(document)).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
});

const error = { code: "NOT_FOUND", message: "No." };

it.each([
  ["the header", text(JSON.stringify({ error }), { "X-Request-Id": requestId })],
  ["the body", text(JSON.stringify({ error, meta: { requestId } }))],
])("an error of the service takes its request id from %s if it has no other", async (_what, reply) => {
  const { server } = await serve(reply);

  await expect(server.client().usage.get()).rejects.toMatchObject({ code: "NOT_FOUND", requestId });
});

it.each([{ code: "NOT_FOUND" }, { message: "No." }, { code: 1, message: "No." }, { code: "NOT_FOUND", message: {} }])(
  "an error of the service needs a code and a message, so %j does not count",
  async (other) => {
    const { server } = await serve(text(JSON.stringify({ error: other })));

    await expect(server.client().usage.get()).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
  },
);

it("the details of an error are a list, even if the response contains something else", async () => {
  const { server } = await serve(text(JSON.stringify({ error: { ...error, details: "none" } })));

  await expect(server.client().usage.get()).rejects.toMatchObject({ code: "NOT_FOUND", details: [] });
});

it("an aborted request closes its connection", async () => {
  const controller = new AbortController();
  const closed = Promise.withResolvers<void>();
  const { server } = await serve((response, request) => {
    response.once("close", closed.resolve);
    silent(response, request);
    controller.abort(new Error("the user left"));
  });

  await expect(server.client().usage.get({ signal: controller.signal })).rejects.toThrow("the user left");
  await closed.promise;
});

it("only a request with a body has a content type", async () => {
  const { server } = await serve(success({ id: "d1" }));
  const { documents } = server.client();

  await documents.create(document);
  await documents.get("d1");

  expect(server.requests.map(({ headers }) => headers["content-type"])).toEqual(["application/json", undefined]);
});
