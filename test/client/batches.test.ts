import { afterEach, expect, it, vi } from "vitest";
import type { BatchItems, BatchResult } from "../../packages/client/src/client.ts";
import { failure, lost, page, serve, success, temporary, type Reply } from "./scripted-server.ts";

afterEach(() => void vi.restoreAllMocks());

const accepted = success({ id: "b1", status: "processing" }, 202);
const options = { templateId: "t1", output: ["merged" as const] };
const items = [
  { customId: "ä", data: { name: "Ada" } },
  { customId: "b", data: { name: "two\nlines" } },
];
const lines = [options, ...items].map((value) => `${JSON.stringify(value)}\n`).join("");

async function* later<T>(values: T[]): AsyncGenerator<T> {
  yield* values;
}

function streamOf<T>(values: T[]): ReadableStream<T> {
  return new ReadableStream({
    start(controller) {
      for (const value of values) controller.enqueue(value);
      controller.close();
    },
  });
}

async function all<T>(source: AsyncIterable<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of source) values.push(value);
  return values;
}

/** The lines of the items, split within a character. */
const bytes = new TextEncoder().encode(lines.slice(lines.indexOf("\n") + 1));
const parts = [bytes.subarray(0, 14), bytes.subarray(14)];

it.each<[string, () => BatchItems]>([
  ["an array", () => items],
  ["a generator", () => items.values()],
  ["an async generator", () => later(items)],
  ["a stream of objects", () => streamOf(items)],
  ["a stream of bytes", () => streamOf(parts)],
])("batches.create sends the options and the items of %s as NDJSON with a length", async (_what, source) => {
  const { client, server } = await serve(accepted);
  const create = client.batches.create(options, source(), { idempotencyKey: "payroll-2026-11" });

  expect(await create).toEqual({ id: "b1", status: "processing" });
  const [{ method, path, headers, body } = {}] = server.requests;
  expect([method, path, body]).toEqual(["POST", "/api/v1/batches", lines]);
  expect(headers).toMatchObject({
    "content-type": "application/x-ndjson",
    "content-length": String(new TextEncoder().encode(lines).length),
    accept: "application/json",
    "idempotency-key": "payroll-2026-11",
  });
});

it("batches.create sends the same bytes again with the same key", async () => {
  vi.spyOn(Math, "random").mockReturnValue(-1);
  const { client, server } = await serve(temporary, lost, accepted);

  await client.batches.create(options, later(items));

  expect(server.requests.map(({ body }) => body)).toEqual([lines, lines, lines]);
  const keys = server.requests.map(({ headers }) => headers["idempotency-key"]);
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set(keys).size).toBe(1);
});

it("batches.create throws the error of its source of items, and sends nothing", async () => {
  const { client, server } = await serve(accepted);
  const broken = (async function* () {
    yield* items;
    throw new Error("the database is gone");
  })();

  await expect(client.batches.create(options, broken)).rejects.toThrow("the database is gone");
  expect(server.requests).toEqual([]);
});

it("batches.create allows more time for a large body than other requests get", async () => {
  const slow: Reply = (response, request) => setTimeout(() => accepted(response, request), 600);
  const { server } = await serve(slow);
  const large = [{ data: { text: "x".repeat(100_000) } }];
  const limits = { timeoutMs: 300, totalTimeoutMs: 300, maxRetries: 0 };

  expect(await server.client(limits).batches.create(options, large)).toMatchObject({ id: "b1" });
  await expect(server.client(limits).batches.create(options, items)).rejects.toMatchObject({ code: "TIMEOUT" });
  const short = server.client().batches.create(options, large, limits);
  await expect(short).rejects.toMatchObject({ code: "TIMEOUT" });
});

const results = [
  { index: 0, customId: "ä 🦆", status: "completed", documentId: "d1" },
  { index: 1, customId: null, status: "failed", error: { code: "RENDER_FAILED", message: "no" } },
];
const text = results.map((result) => `${JSON.stringify(result)}\n`).join("");

function ndjson(write: (response: Parameters<Reply>[0]) => void): Reply {
  return (response) => {
    response.writeHead(200, { "Content-Type": "application/x-ndjson" });
    write(response);
  };
}

it("batches.results yields each line, wherever the response is split", async () => {
  const body = new TextEncoder().encode(text);
  const { server } = await serve();
  const fetchOne = async () =>
    new Response(streamOf([...body].map((byte) => Uint8Array.of(byte))), {
      headers: { "Content-Type": "application/x-ndjson" },
    });

  expect(await all(server.client({ fetch: fetchOne }).batches.results("b1"))).toEqual(results);
});

it("batches.results starts again with each iteration, even after a failure", async () => {
  const { client, server } = await serve(
    ndjson((response) => response.write(text, () => response.destroy())),
    ndjson((response) => response.end(text)),
  );
  const source = client.batches.results("b1");
  const seen: BatchResult[] = [];

  const broken = (async () => {
    for await (const result of source) seen.push(result);
  })();

  await expect(broken).rejects.toMatchObject({ name: "ColophonError", code: "CONNECTION_FAILED" });
  expect(seen).toEqual(results);
  expect(await all(source)).toEqual(results);
  expect(server.requests.map(({ path }) => path)).toEqual(Array(2).fill("/api/v1/batches/b1/results"));
});

it("batches.results fails if the response ends within a line", async () => {
  const { client } = await serve(ndjson((response) => response.end(text.slice(0, -5))));

  await expect(all(client.batches.results("b1"))).rejects.toMatchObject({ code: "CONNECTION_FAILED" });
});

it("batches.results fails with UNEXPECTED_RESPONSE if the response is a page of a different server", async () => {
  const { client } = await serve(page(200));

  await expect(all(client.batches.results("b1"))).rejects.toMatchObject({ code: "UNEXPECTED_RESPONSE" });
});

it("batches.results fails with TIMEOUT if the results stall", async () => {
  const { client } = await serve(ndjson((response) => response.write(text)));

  await expect(all(client.batches.results("b1", { timeoutMs: 300 }))).rejects.toMatchObject({ code: "TIMEOUT" });
});

it("batches.results closes the connection when the caller stops reading them", async () => {
  const closed = Promise.withResolvers<void>();
  const { client } = await serve(ndjson((response) => response.once("close", closed.resolve).write(text)));

  for await (const _ of client.batches.results("b1")) break;

  await closed.promise;
});

it("a repeated deletion of a batch succeeds after the response to the first one was lost", async () => {
  vi.spyOn(Math, "random").mockReturnValue(-1);
  const { client } = await serve(lost, failure(404, "BATCH_NOT_FOUND"));

  expect(await client.batches.delete("b1")).toEqual({ id: "b1", deleted: true });
});
