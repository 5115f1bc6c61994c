// Runs damaged files in a thread with limited memory, and ends it if a file takes longer than allowed.
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { DamageJob, DamageResult } from "./worker.ts";

/** A damaged file takes milliseconds; a machine under load may need longer. */
const maxFileMs = 10_000;
const maxMemoryMb = 400;

/** Returns the result of each seed. Rejects if a file hangs, or needs too much memory. */
export async function runDamaged(job: DamageJob): Promise<DamageResult[]> {
  const worker = new Worker(fileURLToPath(new URL("worker.ts", import.meta.url).href), {
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const results: DamageResult[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const hangs = () => reject(new Error(`seed ${job.from + results.length} took longer than ${maxFileMs} ms`));
  let timer = setTimeout(hangs, maxFileMs);
  worker.on("message", (result: DamageResult) => {
    results.push(result);
    clearTimeout(timer);
    timer = setTimeout(hangs, maxFileMs);
  });
  worker.on("error", (cause) => reject(new Error(`seed ${job.from + results.length} ended the thread`, { cause })));
  worker.on("exit", () => resolve());
  await promise.finally(() => {
    clearTimeout(timer);
    return worker.terminate();
  });
  return results;
}
