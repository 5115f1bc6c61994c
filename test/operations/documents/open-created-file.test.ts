import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { FileStore } from "../../../src/ports/documents.ts";
import { openCreatedFile } from "../../../src/operations/documents/open-created-file.ts";
import { completedDocument } from "../../fixtures/documents.ts";
import { fakeServices } from "../../fakes/services.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("cancels a file that is opened after the time limit of the create has passed", async () => {
  const document = completedDocument();
  const opened = Promise.withResolvers<Awaited<ReturnType<FileStore["get"]>>>();
  const services = fakeServices({ files: { get: () => opened.promise } });
  const refusal = openCreatedFile(services, services.now() - 20_000, document).catch((error: unknown) => error);
  const cancel = vi.fn<() => void>();

  await vi.advanceTimersByTimeAsync(5_799);
  const isEarly = await Promise.race([refusal.then(() => true), Promise.resolve(false)]);
  await vi.advanceTimersByTimeAsync(1);
  opened.resolve({ body: new ReadableStream({ cancel }) });

  expect(isEarly).toBe(false);
  const message = expect.stringContaining(`The document ${document.id} exists`);
  expect(await refusal).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfterSeconds: 5, message });
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
});
