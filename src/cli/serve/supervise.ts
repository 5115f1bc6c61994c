// Runs the Worker's process, and restarts it whenever it ends or stops responding.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import type { LocalWorker, WorkerReady } from "../local/run-worker.ts";
import { writeRunningFile } from "../local/running-file.ts";
import { startWorker } from "../local/service-process.ts";
import { logLine } from "./log-line.ts";

export type PreparedWorker = { worker: LocalWorker; env: NodeJS.ProcessEnv };

export type SuperviseOptions = {
  /** The creator of this promise handles its failure. */
  prepared: Promise<PreparedWorker>;
  /** Called when starting the Worker has failed several times in a row. */
  onGivenUp(): void;
};

const maxFailedStarts = 5;
const maxBackoffMs = 30_000;
/** A migration of a large database may take minutes. */
const startTimeoutMs = 300_000;
const probe = { intervalMs: 10_000, timeoutMs: 10_000, maxFailures: 3 };

export class Supervisor {
  readonly #options: SuperviseOptions;
  readonly #over: Promise<void>;
  #port: number | null = null;
  /** Resolved while the Worker runs. */
  #ready = Promise.withResolvers<void>();
  #child: ChildProcess | null = null;
  #isStopping = false;

  constructor(options: SuperviseOptions) {
    this.#options = options;
    this.#over = options.prepared.then(
      (prepared) => this.#run(prepared),
      () => {},
    );
  }

  /** Returns the Worker's port as soon as it runs, or null if it does not run in time. */
  async port(timeoutMs: number): Promise<number | null> {
    // A race with a promise that never settles would never release its waiters.
    if (this.#port === null) await Promise.race([this.#ready.promise, setTimeout(timeoutMs)]);
    return this.#port;
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    if (!this.#child) return;
    await endGroup(this.#child);
    await this.#over;
  }

  async #run(prepared: PreparedWorker): Promise<void> {
    let failedStarts = 0;
    while (failedStarts < maxFailedStarts) {
      if (this.#isStopping) return;
      failedStarts = (await this.#runOnce(prepared)) ? 0 : failedStarts + 1;
      if (this.#isStopping) return;
      const backoffMs = Math.min(maxBackoffMs, 500 * 2 ** failedStarts);
      const message = `The Worker's process ended and restarts in ${backoffMs} ms.`;
      console.log(logLine("error", "worker.ended", message));
      await setTimeout(backoffMs);
    }
    this.#options.onGivenUp();
  }

  /** Resolves when the process has ended; the result says whether the Worker was ever ready. */
  async #runOnce({ worker, env }: PreparedWorker): Promise<boolean> {
    const child = (this.#child = startWorker(worker, env, printLine));
    await writeRunningFile(child.pid ?? 0);
    const ended = once(child, "exit").then(() => null);
    const ready = once(child, "message").then(([message]) => (message as WorkerReady).port);
    const port = await Promise.race([ready, ended, setTimeout(startTimeoutMs, null)]);
    if (port !== null) {
      this.#port = port;
      this.#ready.resolve();
      const stopProbes = probeUntilDead(port, () => endGroup(child));
      await ended;
      stopProbes();
      this.#port = null;
      this.#ready = Promise.withResolvers<void>();
    }
    await endGroup(child);
    return port !== null;
  }
}

function printLine(line: string): void {
  console.log(line.startsWith("{") ? line : logLine("warn", "runtime.output", line));
}

/** Calls `onDead` when the Worker has failed to respond several times. Returns a function that stops the probes. */
function probeUntilDead(port: number, onDead: () => Promise<void>): () => void {
  let failures = 0;
  const timer = setInterval(async () => {
    const signal = AbortSignal.timeout(probe.timeoutMs);
    const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal }).catch(() => null);
    failures = response?.ok ? 0 : failures + 1;
    if (failures === probe.maxFailures) await onDead();
  }, probe.intervalMs);
  return () => clearInterval(timer);
}

async function endGroup(child: ChildProcess): Promise<void> {
  try {
    process.kill(-(child.pid ?? 0), "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
  while (child.exitCode === null && child.signalCode === null) await setTimeout(20);
}
