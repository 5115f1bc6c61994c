// Damages prints by the seeds from `from` to below `to`, in a thread that can be ended if a file hangs.
import { parentPort, workerData } from "node:worker_threads";
import { outcomeOf, type Place, type Print } from "./damaged-file.ts";

export type DamageJob = { prints: Print[]; from: number; to: number };
export type DamageResult = {
  seed: number;
  ms: number;
  refused?: string;
  accepted?: Uint8Array;
  place?: Place;
  fault?: string;
};

const { prints, from, to } = workerData as DamageJob;
for (let seed = from; seed < to; seed++) {
  const startedAt = performance.now();
  const result: DamageResult = { seed, ms: 0 };
  try {
    Object.assign(result, outcomeOf(prints, seed));
  } catch (error) {
    result.fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  result.ms = performance.now() - startedAt;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A port of a thread has no origin.
  parentPort?.postMessage(result);
}
