import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Creation } from "../../../src/core/documents/document.ts";
import { inTime, openCreatedFile } from "../../../src/operations/documents/in-time.ts";
import type { FileStore } from "../../../src/ports/documents.ts";
import { fakeServices } from "../../fakes/services.ts";
import { completedDocument } from "../../fixtures/documents.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const services = fakeServices();
const creation: Creation = { document: completedDocument(), isReplay: false, used: 1 };
const after = <T>(ms: number, result: () => T) => new Promise<T>((resolve) => setTimeout(() => resolve(result()), ms));

it("a create gets 504 less than a second after the deadline, even if it never ends", async () => {
  const ended = vi.fn();
  void inTime(services, services.now() - 5_000, new Promise<never>(() => {})).catch(ended);

  await vi.advanceTimersByTimeAsync(20_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);

  expect(ended).toHaveBeenCalledExactlyOnceWith(
    expect.objectContaining({ reason: "timed_out", code: "RENDER_FAILED", message: expect.stringContaining("list") }),
  );
});

it("a render that ends at the deadline leaves time to be recorded", async () => {
  const recorded = inTime(
    services,
    services.now(),
    after(25_700, () => creation),
  );

  await vi.advanceTimersByTimeAsync(25_700);

  expect(await recorded).toBe(creation);
});

it("the rejection of a late create is handled", async () => {
  const late = new Promise<never>((_, reject) => setTimeout(() => reject(new Error("D1 is down")), 30_000));

  const responded = expect(inTime(services, services.now(), late)).rejects.toThrow("too long");
  await vi.runAllTimersAsync();

  await responded;
});

it("a file that is opened after the time limit of the create is canceled", async () => {
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
  await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce(), { timeout: 10_000 });
});
