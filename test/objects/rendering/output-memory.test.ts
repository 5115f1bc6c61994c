import { expect, it, vi } from "vitest";
import { LargeFiles, maxSmallFileBytes, type OutputMemory } from "../../../src/objects/rendering/output-memory.ts";

const large = maxSmallFileBytes + 1;

/** Returns a function that returns whether the reservation has been granted. */
function reserving(memory: OutputMemory, bytes = large): () => boolean {
  let isGranted = false;
  void memory.reserve(bytes).then(() => (isGranted = true));
  return () => isGranted;
}

const settle = () => vi.waitFor(() => Promise.resolve());

it("lets any number of renders hold small files", async () => {
  const files = new LargeFiles();
  const granted = [files.open(), files.open(), files.open()].map((memory) => reserving(memory, maxSmallFileBytes));
  await settle();

  expect(granted.map((isGranted) => isGranted())).toEqual([true, true, true]);
});

it("lets one render at a time hold a large file, first come, first served", async () => {
  const files = new LargeFiles();
  const memories = [files.open(), files.open(), files.open()] as const;
  const granted = memories.map((memory) => reserving(memory));
  await settle();
  expect(granted.map((isGranted) => isGranted())).toEqual([true, false, false]);

  memories[0].release();
  await settle();
  expect(granted.map((isGranted) => isGranted())).toEqual([true, true, false]);

  memories[1].release();
  await settle();
  expect(granted.map((isGranted) => isGranted())).toEqual([true, true, true]);
});

it("lets no render hold a large file while documents under way take the memory", async () => {
  let mayBegin = false;
  const files = new LargeFiles(() => mayBegin);
  const isGranted = reserving(files.open());
  await settle();
  expect([isGranted(), files.isWanted]).toEqual([false, true]);

  mayBegin = true;
  files.review();
  await settle();

  expect(isGranted()).toBe(true);
});

it("does not count the weight of renders that wait for a large file against the first of them", async () => {
  const weights: number[] = [];
  const files = new LargeFiles((waitingWeight) => {
    weights.push(waitingWeight);
    return waitingWeight >= 5;
  });
  const heavy = (weight: number) => files.open({ documentSent: () => {}, weight: () => weight });
  const isGranted = [reserving(heavy(2)), reserving(heavy(3))];
  await settle();

  expect(weights).toEqual([2, 5]);
  expect(isGranted.map((granted) => granted())).toEqual([true, false]);
});

it("is wanted until the last render has released its large file", async () => {
  const files = new LargeFiles();
  const memories = [files.open(), files.open()] as const;
  for (const memory of memories) reserving(memory);

  memories[0].release();
  expect(files.isWanted).toBe(true);
  memories[1].release();

  expect(files.isWanted).toBe(false);
});

it("lets a render that holds a large file hold more of it", async () => {
  const memory = new LargeFiles().open();
  await memory.reserve(large);

  const isGranted = reserving(memory, 2 * large);
  await settle();

  expect(isGranted()).toBe(true);
});

it("skips a render that has ended while it waited, and a second release changes nothing", async () => {
  const files = new LargeFiles();
  const [first, second, third] = [files.open(), files.open(), files.open()] as const;
  const granted = [first, second, third].map((memory) => reserving(memory));
  second.release();

  first.release();
  first.release();
  await settle();

  expect(granted.map((isGranted) => isGranted())).toEqual([true, false, true]);
});
