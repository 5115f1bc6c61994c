// Measures the live memory of the service's isolate through the inspector of the local runtime: what remains after a forced
// collection of garbage, together with the native memory that it holds.

/** In bytes. `stage` is what the isolate was doing; see `worker.ts`. */
export type MemorySample = { stage: string; bytes: number };

export type MemoryInspector = {
  /** Samples until `work` settles, as often as the runtime allows. Returns the largest sample of each stage. */
  watch(work: Promise<unknown>): Promise<Map<string, number>>;
  sample(): Promise<MemorySample>;
  close(): void;
};

type Message = {
  id?: number;
  result?: Record<string, unknown>;
  error?: { message: string };
  method?: string;
  params?: { context?: { id: number } };
};

export async function inspectMemory(port: number): Promise<MemoryInspector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as { webSocketDebuggerUrl: string }[];
  const socket = openSocket(targets[0]?.webSocketDebuggerUrl ?? "");
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", () => reject(new Error("the inspector cannot be reached")));
  });
  let contextId: number | undefined;
  const waiting = new Map<number, (message: Message) => void>();
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.method === "Runtime.executionContextCreated") contextId = message.params?.context?.id;
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let lastId = 0;
  const send = async (method: string, params: Record<string, unknown> = {}): Promise<Record<string, unknown>> => {
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<Message>();
    waiting.set(id, resolve);
    socket.send(JSON.stringify({ id, method, params }));
    const { result = {}, error } = await promise;
    waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  await send("Runtime.enable");
  await send("HeapProfiler.enable");
  await send("HeapProfiler.startSampling", { samplingInterval: 1e12 });
  // If a task of the isolate runs after the collection and before the reading, its garbage counts. `HeapProfiler.collectGarbage` lets
  // tasks run; a sampling profile collects at once, and messages that are sent together are nearly always handled together. There
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
  const sampleInto = async (peaks: Map<string, number>): Promise<boolean> => {
    const { stage, bytes } = await sample();
    peaks.set(stage, Math.max(bytes, peaks.get(stage) ?? 0));
    return false;
  };
  return {
    sample,
    async watch(work) {
      const peaks = new Map<string, number>();
      const isOver = work.then(
        () => true,
        () => true,
      );
      // The runtime responds to the inspector between two tasks of the isolate.
      while (!(await Promise.race([isOver, sampleInto(peaks)])));
      await work;
      return peaks;
    },
    close: () => socket.close(),
  };
}

function usedBytes(usage: Record<string, unknown>): number {
  return ["usedSize", "embedderHeapUsedSize", "backingStorageSize"]
    .map((part) => Number(usage[part] ?? 0))
    .reduce((sum, part) => sum + part, 0);
}

/** The runtime refuses connections without an origin. Node's `WebSocket` takes headers, which its type leaves out. */
function openSocket(url: string): WebSocket {
  return Reflect.construct(WebSocket, [url, { headers: { Origin: "http://localhost" } }]) as WebSocket;
}
