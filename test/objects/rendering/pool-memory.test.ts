import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { maxSmallFileBytes, type OutputMemory } from "colophon-render/render-weight";
import type { Semaphore } from "../../../src/core/rendering/semaphore.ts";
import { largeFileBytes, newRenderMemory, outputMemory } from "../../../src/objects/rendering/pool-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const large = maxSmallFileBytes + 1;
const settle = () => vi.advanceTimersByTimeAsync(0);

/** Returns the memory of a render whose document has this size. */
async function render(all: Semaphore, documentBytes = 10): Promise<OutputMemory> {
  const accountId = crypto.randomUUID();
  const document = await all.acquire({ accountId, amount: documentBytes, maxWaitMs: 0 });
  if (!document) throw new Error("there is no memory for the document");
  return outputMemory(all, document, { accountId, timeoutMs: 20_000 });
}

/** Returns a function that returns whether the memory has been reserved. */
function reserving(memory: OutputMemory, bytes = large): () => boolean {
  const reserved = vi.fn();
  void memory.reserve(bytes).then(reserved);
  return () => reserved.mock.calls.length > 0;
}

it("any number of renders may hold small files", async () => {
  const all = newRenderMemory();
  const memories = [await render(all), await render(all), await render(all)];

  const reserved = memories.map((memory) => reserving(memory, maxSmallFileBytes));
  await settle();

  expect(reserved.map((isReserved) => isReserved())).toEqual([true, true, true]);
});

it("only one render at a time may hold a large file", async () => {
  const all = newRenderMemory();
  const [first, second] = [await render(all), await render(all)];
  const reserved = [reserving(first), reserving(second)];
  await settle();
  expect(reserved.map((isReserved) => isReserved())).toEqual([true, false]);

  first.release();
  await settle();

  expect(reserved.map((isReserved) => isReserved())).toEqual([true, true]);
});

it("a render that holds a large file may reserve more memory for it", async () => {
  const memory = await render(newRenderMemory());
  await memory.reserve(large);

  const isReserved = reserving(memory, 2 * large);
  await settle();

  expect(isReserved()).toBe(true);
});

it("a large file waits until the pages have received their documents", async () => {
  const all = newRenderMemory();
  const [first, second] = [await render(all), await render(all, 15_000_000)];
  const isReserved = reserving(first);
  await settle();
  expect(isReserved()).toBe(false);

  second.documentSent();
  await settle();

  expect(isReserved()).toBe(true);
});

it("a render releases all of its memory when it ends", async () => {
  const all = newRenderMemory();
  const memory = await render(all);
  await memory.reserve(large);
  expect(all.inUse).toBe(10 + largeFileBytes);

  memory.release();

  expect(all.inUse).toBe(0);
});

it("a render that has ended while it waited for memory is skipped", async () => {
  const all = newRenderMemory();
  const [first, second, third] = [await render(all), await render(all), await render(all)];
  const reserved = [first, second, third].map((memory) => reserving(memory));
  await settle();

  second.release();
  first.release();
  await settle();

  expect(reserved.map((isReserved) => isReserved())).toEqual([true, false, true]);
});
