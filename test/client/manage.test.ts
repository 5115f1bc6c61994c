// Requests by method and path. `errors.test.ts` and others test the failures of the transport.
import { expect, it } from "vitest";
import { createManageClient, type DocumentRequests, type ManageOptions } from "../../packages/client/src/manage.ts";
import { apiKey, lost, page, serve, success, temporary, type Reply } from "./scripted-server.ts";

async function serveManaged(...replies: Reply[]) {
  const { server } = await serve(...replies);
  const clientWith = (options: Partial<ManageOptions> = {}) =>
    createManageClient({ baseUrl: server.baseUrl, apiKey, ...options });
  return { server, clientWith, ...clientWith() };
}

it("a call to the management API sends the parameters in its path, query and headers with the key, and returns the data", async () => {
  const data = { template: { version: 4 }, changed: true };
  const { call, server } = await serveManaged(success(data, 201));

  const returned = await call("PUT /templates/{template}", {
    path: { template: "a/b ü?#%" },
    query: { lenient: "1" },
    header: { "If-Match": '"3"' },
    body: new Blob(["zip"], { type: "application/zip" }),
  });

  expect(returned).toEqual(data);
  expect(server.requests).toMatchObject([
    {
      method: "PUT",
      path: "/api/v1/templates/a%2Fb%20%C3%BC%3F%23%25?lenient=1",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/zip", "if-match": '"3"' },
      body: "zip",
    },
  ]);
});

it("a call to the management API sends an object as JSON, and leaves out undefined parameters", async () => {
  const { call, server } = await serveManaged(success({}));

  await call("POST /keys", { body: { name: "a", expiresAt: undefined } });
  await call("GET /keys", { query: { limit: 5, cursor: undefined } });
  await call("PUT /templates/{template}", {
    path: { template: "a" },
    header: { "If-Match": undefined },
    body: new Blob(),
  });

  expect(server.requests[0]).toMatchObject({ body: '{"name":"a"}', headers: { "content-type": "application/json" } });
  expect(server.requests[1]?.path).toBe("/api/v1/keys?limit=5");
  expect(server.requests[2]?.headers).not.toHaveProperty("if-match");
});

it.each(["", ".", "..", undefined as unknown as string])("a call is refused with %j in its path", async (template) => {
  const { call, server } = await serveManaged(success({}));

  await expect(call("DELETE /templates/{template}", { path: { template } })).rejects.toThrow(TypeError);
  expect(server.requests).toEqual([]);
});

it.each<[string, Reply, string]>([
  ["a failure that may pass", temporary, "SERVICE_UNAVAILABLE"],
  ["a lost connection", lost, "CONNECTION_FAILED"],
])(
  "a call to the management API is not repeated after %s, because it may have changed something",
  async (_what, reply, code) => {
    const { call, server } = await serveManaged(reply);

    await expect(call("POST /keys", { body: { name: "a" } })).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  },
);

it("a call to the management API ends when its signal is aborted and when its time limit is reached", async () => {
  const { call, clientWith } = await serveManaged(() => {});
  const signal = AbortSignal.abort(new Error("the user left"));

  await expect(call("GET /keys", { signal })).rejects.toThrow("the user left");
  await expect(call("GET /keys", { timeoutMs: 20 })).rejects.toMatchObject({ code: "TIMEOUT" });
  await expect(clientWith({ timeoutMs: 20 }).call("GET /keys")).rejects.toMatchObject({ code: "TIMEOUT" });
});

const keys = (ids: string[], nextCursor: string | null) =>
  success({ keys: ids.map((id) => ({ id })), pagination: { nextCursor } });

it("a list contains the items of all pages, which are requested with the same query", async () => {
  const { list, server } = await serveManaged(keys(["3", "2"], "c1"), keys([], "c2"), keys(["1"], null));

  const listed = await Array.fromAsync(list("GET /webhooks", { query: { status: "dead" } }), ({ id }) => id);

  expect(listed).toEqual(["3", "2", "1"]);
  expect(server.requests.map(({ path }) => path.replace(/.*\?/, ""))).toEqual([
    "status=dead&limit=100",
    "status=dead&cursor=c1&limit=100",
    "status=dead&cursor=c2&limit=100",
  ]);
});

it("a list fails with UNEXPECTED_RESPONSE if the data is not a page", async () => {
  const { list } = await serveManaged(success({ keys: [] }));

  await expect(Array.fromAsync(list("GET /keys"))).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
});

const zip: Reply = (response) => response.writeHead(200, { "Content-Type": "application/zip", "X-A": "b" }).end("zip");
const path = { template: "a", version: 3 };

it("a file is returned with its headers", async () => {
  const { file, server } = await serveManaged(zip);

  const { blob, headers } = await file("GET /templates/{template}/versions/{version}/files", { path });

  expect([await blob.text(), blob.type, headers.get("X-A")]).toEqual(["zip", "application/zip", "b"]);
  expect(server.requests[0]?.path).toBe("/api/v1/templates/a/versions/3/files");
});

it.each<[string, Reply, string]>([
  [
    "is cut off",
    (response) =>
      void (response.writeHead(200, { "Content-Length": 9 }).write("z"), setTimeout(() => response.destroy(), 20)),
    "CONNECTION_FAILED",
  ],
  ["stops arriving", (response) => void response.writeHead(200, { "Content-Length": 9 }).write("z"), "TIMEOUT"],
  ["is refused by something else", page(404), "UNEXPECTED_RESPONSE"],
])("the download of a file fails if the file %s", async (_what, reply, code) => {
  const { server } = await serve(reply);
  const { file } = createManageClient<DocumentRequests>({ baseUrl: server.baseUrl, apiKey, timeoutMs: 200 });

  await expect(file("GET /documents/{id}/download", { path: { id: "d" } })).rejects.toMatchObject({ code });
});
