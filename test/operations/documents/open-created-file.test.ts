import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FileStore } from "../../../src/ports/documents.ts";
import { openCreatedFile } from "../../../src/operations/documents/open-created-file.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { fakeServices } from "../../fakes/services.ts";
import { refusalOf } from "./world.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const document = completedDocument();

it("cancels a file that is opened after the time limit of the create has passed", async () => {
  const opened = Promise.withResolvers<Awaited<ReturnType<FileStore["get"]>>>();
  const services = fakeServices({ files: { get: () => opened.promise } });
  const arrivedAt = services.now() - 20_000;
  const refusal = refusalOf(openCreatedFile(services, arrivedAt, document));
  const cancel = vi.fn<() => void>();

  await vi.advanceTimersByTimeAsync(5_799);
  const isEarly = await Promise.race([refusal.then(() => true), Promise.resolve(false)]);
  await vi.advanceTimersByTimeAsync(1);
  opened.resolve({ body: new ReadableStream({ cancel }) });

  expect(isEarly).toBe(false);
  expect(await refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5 });
  expect((await refusal).message).toContain(`The document ${document.id} exists`);
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});

it("returns the bytes of the file", async () => {
  const body = new ReadableStream();
  const services = fakeServices({ files: { get: async () => ({ body }) } });

  expect(await openCreatedFile(services, services.now(), document)).toBe(body);
});

it("fails with DOCUMENT_NOT_FOUND if the document was deleted in the meantime", async () => {
  const services = fakeServices({ files: { get: async () => null } });

  const error = await refusalOf(openCreatedFile(services, services.now(), document));

  expect(error).toMatchObject({ code: "DOCUMENT_NOT_FOUND", message: expect.stringContaining(document.id) });
});
