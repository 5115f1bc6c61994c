import { expect, it } from "vitest";
import { failure, serve, success, temporary, type Reply, type ScriptedServer } from "./scripted-server.ts";

/** A page with documents that have these ids. */
function pageOf(ids: string[], nextCursor: string | null): Reply {
  const documents = ids.map((id) => ({ id }));
  return success({ documents, pagination: { limit: 100, offset: 0, total: 9, nextCursor } });
}

async function idsOf(items: AsyncIterable<{ id: string }>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of items) ids.push(id);
  return ids;
}

const paths = (server: ScriptedServer) =>
  server.requests.map(({ path }) => decodeURIComponent(path.replace("/api/v1", "")));

it("documents.list returns the documents of all pages, including those after an empty page", async () => {
  const { client, server } = await serve(pageOf(["a", "b"], "c1"), pageOf([], "c2"), pageOf(["c"], null));

  expect(await idsOf(client.documents.list())).toEqual(["a", "b", "c"]);
  expect(paths(server)).toEqual([
    "/documents?limit=100",
    "/documents?cursor=c1&limit=100",
    "/documents?cursor=c2&limit=100",
  ]);
});

it("documents.list sends the filter with every page", async () => {
  const { client, server } = await serve(pageOf(["a"], "c1"), pageOf(["b"], null));
  const filter = {
    status: "completed",
    createdAfter: new Date("2026-11-01T00:00:00Z"),
    createdBefore: "2026-12-01",
    metadata: { "order id": "a&b=c", "x]y": "+" },
    limit: 1,
  } as const;

  await idsOf(client.documents.list(filter));

  const sent = [
    "status=completed",
    "createdAfter=2026-11-01T00:00:00.000Z",
    "createdBefore=2026-12-01",
    "metadata[order+id]=a&b=c",
    "metadata[x]y]=+",
  ].join("&");
  expect(paths(server)).toEqual([`/documents?${sent}&limit=1`, `/documents?${sent}&cursor=c1&limit=1`]);
  expect(new URLSearchParams(server.requests[1]?.path.split("?")[1]).get("metadata[order id]")).toBe("a&b=c");
});

it("documents.list requests a page only when the caller needs its documents", async () => {
  const { client, server } = await serve(pageOf(["a", "b"], "c1"));

  for await (const _ of client.documents.list()) break;

  expect(server.requests).toHaveLength(1);
});

it("documents.list starts again with each iteration", async () => {
  const { client } = await serve(pageOf(["a"], null));
  const list = client.documents.list();

  expect([await idsOf(list), await idsOf(list)]).toEqual([["a"], ["a"]]);
});

it("documents.list retries a page after a temporary failure, and throws any other error", async () => {
  const { client } = await serve(pageOf(["a"], "c1"), temporary, pageOf(["b"], "c2"), failure(401, "INVALID_API_KEY"));
  const seen: string[] = [];

  const iteration = (async () => {
    for await (const { id } of client.documents.list()) seen.push(id);
  })();

  await expect(iteration).rejects.toMatchObject({ code: "INVALID_API_KEY" });
  expect(seen).toEqual(["a", "b"]);
});

it("documents.list refuses an invalid date, and leaves out a filter that is null", async () => {
  const { client, server } = await serve(pageOf([], null));

  const invalid = client.documents.listPage({ createdAfter: new Date("soon") });
  await expect(invalid).rejects.toThrow(new TypeError("`createdAfter` is not a valid date."));
  await client.documents.listPage({ status: null as never });

  expect(paths(server)).toEqual(["/documents"]);
});

it("documents.listPage returns one page with its pagination", async () => {
  const { client, server } = await serve(pageOf(["a"], "c1"));

  const { documents, pagination } = await client.documents.listPage({ format: "png", limit: 1, offset: 3 });

  expect(documents).toEqual([{ id: "a" }]);
  expect(pagination).toMatchObject({ nextCursor: "c1" });
  expect(paths(server)).toEqual(["/documents?format=png&limit=1&offset=3"]);
});

it.each(["templates", "batches"] as const)("%s.list returns the items of all pages", async (name) => {
  const page = (id: string, nextCursor: string | null) => success({ [name]: [{ id }], pagination: { nextCursor } });
  const { client, server } = await serve(page("a", "c1"), page("b", null));

  expect(await idsOf(client[name].list({ limit: 1 }))).toEqual(["a", "b"]);
  expect(paths(server)).toEqual([`/${name}?limit=1`, `/${name}?cursor=c1&limit=1`]);
});

it.each([
  ["documents.get", (client) => client.documents.get("d1"), "GET /documents/d1"],
  ["documents.delete", (client) => client.documents.delete("d1"), "DELETE /documents/d1"],
  ["templates.get", (client) => client.templates.get("t1"), "GET /templates/t1"],
  ["templates.listPage", (client) => client.templates.listPage(), "GET /templates"],
  ["usage.get", (client) => client.usage.get(), "GET /usage"],
  ["batches.get", (client) => client.batches.get("b1"), "GET /batches/b1"],
  ["batches.cancel", (client) => client.batches.cancel("b1"), "POST /batches/b1/cancel"],
  ["batches.delete", (client) => client.batches.delete("b1"), "DELETE /batches/b1"],
] satisfies [string, (client: ReturnType<ScriptedServer["client"]>) => Promise<unknown>, string][])(
  "%s returns the data of the response",
  async (_name, call, expected) => {
    const { client, server } = await serve(success({ id: "x" }));

    expect(await call(client)).toEqual({ id: "x" });
    expect(`${server.requests[0]?.method} ${paths(server)[0]}`).toBe(expected);
    expect(server.requests[0]?.headers.accept).toBe("application/json");
  },
);
