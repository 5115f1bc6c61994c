// Measures the live memory of the service's isolate through the inspector of the local runtime: the memory that remains after a
// forced garbage collection, including native memory.

import { connectInspector } from "../harness/inspector.ts";

/** In bytes. `stage` is the isolate's current work; see `worker.ts`. */
export type MemorySample = { stage: string; bytes: number };

export type MemoryInspector = Awaited<ReturnType<typeof inspectMemory>>;

export async function inspectMemory(port: number) {
  let contextId: number | undefined;
  const { send, close } = await connectInspector(port, ({ method, params }) => {
    if (method === "Runtime.executionContextCreated") contextId = params?.context?.id;
  });
  await send("Runtime.enable");
  await send("HeapProfiler.enable");
  await send("HeapProfiler.startSampling", { samplingInterval: 1e12 });
  // If a task of the isolate runs between the collection and the reading, its garbage counts. `HeapProfiler.collectGarbage` lets
  // tasks run; a sampling profile collects immediately, and messages that are sent together are nearly always handled together. There
  // are two readings, because the first collection can leave garbage behind.
  const sample = async (): Promise<MemorySample> => {
    const [, first, , second, evaluated] = await Promise.all([
      send("HeapProfiler.getSamplingProfile"),
      send("Runtime.getHeapUsage"),
      send("HeapProfiler.getSamplingProfile"),
      send("Runtime.getHeapUsage"),
      send("Runtime.evaluate", { expression: "String(globalThis.memoryStage)", contextId }),
    ]);
    const { value } = evaluated["result"] as { value?: unknown };
    return { stage: String(value), bytes: Math.min(usedBytes(first), usedBytes(second)) };
  };
  return {
    sample,
    close,
    /** Samples until `work` settles, as fast as the runtime allows. Returns the largest sample of each stage. */
    async watch(work: Promise<unknown>): Promise<Map<string, number>> {
      const peaks = new Map<string, number>();
      const sampleInto = async (): Promise<boolean> => {
        const { stage, bytes } = await sample();
        peaks.set(stage, Math.max(bytes, peaks.get(stage) ?? 0));
        return false;
      };
      const isOver = Promise.allSettled([work]).then(() => true);
      // The runtime responds to the inspector between two tasks of the isolate.
      while (!(await Promise.race([isOver, sampleInto()])));
      await work;
      return peaks;
    },
  };
}

function usedBytes(usage: Record<string, unknown>): number {
  return ["usedSize", "embedderHeapUsedSize", "backingStorageSize"]
    .map((part) => Number(usage[part] ?? 0))
    .reduce((sum, part) => sum + part, 0);
}
