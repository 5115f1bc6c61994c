import { expect, it } from "vitest";
import type { Batch, DocumentRecord } from "../../packages/client/src/client.ts";
import { serve, success, temporary } from "./scripted-server.ts";

const document = { templateId: "t1", data: { name: "Ada" } };
const processing = (headers = {}) => success({ id: "d1", status: "processing" }, 200, headers);
const completed = success({ id: "d1", status: "completed", pdfUrl: "https://example.com/1.pdf" });

async function secondsOf(work: Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work;
  return Math.round((performance.now() - startMs) / 1_000);
}

it("documents.createAsync requests a response before the render, and returns the document in its current state", async () => {
  const { client, server } = await serve(temporary, success({ id: "d1", status: "processing" }, 202));

  expect(await client.documents.createAsync(document, { idempotencyKey: "order-1" })).toEqual({
    id: "d1",
    status: "processing",
  });
  const [, { method, path, headers, body } = {}] = server.requests;
  expect([method, path, body]).toEqual(["POST", "/api/v1/documents", JSON.stringify(document)]);
  expect(headers).toMatchObject({ prefer: "respond-async", "idempotency-key": "order-1" });
});

it("documents.create waits for the document if an earlier createAsync used its key", async () => {
  const { client } = await serve(success({ id: "d1", status: "processing" }, 202), completed);

  expect(await client.documents.create(document)).toMatchObject({ id: "d1", status: "completed" });
});

it("documents.wait reads the document until it is completed, at the interval that the service requests", async () => {
  const { client, server } = await serve(processing({ "Retry-After": "2" }), completed);

  expect(await secondsOf(client.documents.wait("d1"))).toBe(2);
  expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(2).fill("GET /api/v1/documents/d1"),
  );
});

it.each([{}, { "Retry-After": "0" }])("documents.wait reads once a second if the headers are %j", async (headers) => {
  const { client } = await serve(processing(headers), completed);

  expect(await secondsOf(client.documents.wait("d1"))).toBe(1);
});

it("documents.wait calls onProgress with each state, including the last one", async () => {
  const { client } = await serve(processing(), completed);
  const states: DocumentRecord["status"][] = [];

  await client.documents.wait("d1", { onProgress: ({ status }) => states.push(status) });

  expect(states).toEqual(["processing", "completed"]);
});

it("documents.wait throws the error of a failed document", async () => {
  const error = { code: "RENDER_FAILED", message: "The document has too many pages." };
  const { client } = await serve(success({ id: "d1", status: "failed", error }));

  await expect(client.documents.wait("d1")).rejects.toMatchObject({ name: "ColophonError", ...error, status: null });
});

it("documents.wait throws TIMEOUT immediately if the next read would come after the total time", async () => {
  const { client, server } = await serve(processing({ "Retry-After": "60" }));

  const waiting = client.documents.wait("d1", { totalTimeoutMs: 5_000 });

  await expect(waiting).rejects.toMatchObject({ code: "TIMEOUT", message: expect.stringContaining("within 5 s") });
  expect(server.requests).toHaveLength(1);
});

it("documents.wait waits longer than the client's time limit for a request", async () => {
  const { server } = await serve(processing(), completed);

  const waiting = server.client({ totalTimeoutMs: 500 }).documents.wait("d1");

  expect(await waiting).toMatchObject({ status: "completed" });
});

it("documents.wait stops between two reads when its signal is aborted", async () => {
  const { client } = await serve(processing({ "Retry-After": "60" }));
  const controller = new AbortController();

  const waiting = client.documents.wait("d1", {
    signal: controller.signal,
    onProgress: () => setTimeout(() => controller.abort(new Error("the user left")), 50),
  });

  await expect(waiting).rejects.toThrow("the user left");
});

it("batches.wait returns the batch after it has ended, and reports its progress", async () => {
  const batch = (status: Batch["status"], processing: number) => success({ id: "b1", status, counts: { processing } });
  const { client, server } = await serve(batch("processing", 2), batch("canceling", 1), batch("ended", 0));
  const progress: number[] = [];

  const ended = await client.batches.wait("b1", { onProgress: ({ counts }) => progress.push(counts.processing) });

  expect(ended.status).toBe("ended");
  expect(progress).toEqual([2, 1, 0]);
  expect(server.requests[2]?.path).toBe("/api/v1/batches/b1");
});
