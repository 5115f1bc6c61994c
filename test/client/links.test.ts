import { expect, it } from "vitest";
import { serve, success, temporary } from "./scripted-server.ts";

const link = { url: "https://pdf.example.com/links/abc", expiresAt: "2026-11-29T12:00:00.000Z" };

it.each([
  [{}, "{}"],
  [{ expiresIn: 60, disposition: "attachment", filename: "März" } as const, undefined],
])("documents.createLink sends %j as JSON, and returns the link", async (given, body = JSON.stringify(given)) => {
  const { client, server } = await serve(temporary, success(link, 201));

  expect(await client.documents.createLink("d1", given)).toEqual(link);
  expect(server.requests).toHaveLength(2);
  expect(server.requests[1]).toMatchObject({ method: "POST", path: "/api/v1/documents/d1/links", body });
});

it.each(["documents", "batches"] as const)("%s.endLinks deletes the links", async (kind) => {
  const { client, server } = await serve(success({ id: "b1", linksEnded: true }));

  expect(await client[kind].endLinks("b1")).toEqual({ id: "b1", linksEnded: true });
  expect(server.requests).toMatchObject([{ method: "DELETE", path: `/api/v1/${kind}/b1/links`, body: "" }]);
});

it("documents.downloads yields the downloads of all pages", async () => {
  const pageOf = (at: string, nextCursor: string | null) =>
    success({ downloads: [{ at, via: "link" }], pagination: { nextCursor } });
  const { client, server } = await serve(pageOf("2", "c1"), pageOf("1", null));

  const times = [];
  for await (const { at } of client.documents.downloads("d1", { limit: 1 })) times.push(at);

  expect(times).toEqual(["2", "1"]);
  const path = "/api/v1/documents/d1/downloads";
  expect(server.requests.map((request) => request.path)).toEqual([`${path}?limit=1`, `${path}?cursor=c1&limit=1`]);
});
