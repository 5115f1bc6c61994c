// Runs the Worker on this machine: applies the migrations, starts `run-worker.ts` and forwards its output.
import { spawn, spawnSync, type ChildProcessByStdio, type SpawnOptions } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { variableDefaults } from "../../settings.ts";
import { projectRoot, stateDir } from "../paths.ts";
import type { LocalWorker } from "./run-worker.ts";

export type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>;

const wrangler = join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
const workerProcess = join(projectRoot, "src/cli/local/run-worker.ts");
const startTimeoutMs = 120_000;

/** The variables of the Worker that environment variables may set in a local run. */
const settable = [...Object.keys(variableDefaults), "HEALTH_SECRET"];

/**
 * Environment variables that turn off wrangler's banner, metrics and traces. By default, wrangler stores a trace of
 * every request, which takes a fifth of the CPU time of the whole service.
 */
const quietWrangler = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
};

/**
 * An environment variable that keeps the heaps of the simulator's isolates small. Isolates with large heaps collect
 * garbage late, and the garbage also holds native memory. Without limits, they take more than a gigabyte after 10,000
 * documents. Sizes are in MB.
 *
 * Small heaps are collected often, and after a few collections V8 forgets the code of functions that have not run since. It
 * keeps the code with the last flag, so that small heaps do not make creates slower.
 */
const smallHeaps = {
  MINIFLARE_WORKERD_V8_FLAGS:
    "--initial-old-space-size=1 --min-semi-space-size=1 --max-semi-space-size=2 --no-flush-bytecode",
};

/**
 * Returns the environment of wrangler's processes. `browserEnv` contains the variables that these processes need to
 * find the browser.
 */
export function serviceEnv(browserEnv: Record<string, string>): NodeJS.ProcessEnv {
  return { ...smallHeaps, ...process.env, ...browserEnv, ...quietWrangler };
}

export function migrate(env: NodeJS.ProcessEnv): void {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], {
    cwd: projectRoot,
    env: { ...env, CI: "1" },
  });
  if (status !== 0) throw new Error(`the migrations failed:\n${String(stdout)}${String(stderr)}`);
}

/**
 * Returns how Node starts the process of the Worker: in its own process group, so that it can be ended together with the runtime and
 * the browser.
 */
export function workerCommand(
  worker: LocalWorker,
  env: NodeJS.ProcessEnv,
): { args: string[]; options: Pick<SpawnOptions, "cwd" | "env" | "detached"> } {
  const variables = { ...env, LOCAL_WORKER: JSON.stringify(worker) };
  return { args: [workerProcess, stateDir], options: { cwd: projectRoot, env: variables, detached: true } };
}

/** Because the heap sizes have been changed, the simulator reports that it recompiles its own scripts. */
export function isNoise(line: string): boolean {
  return line.includes("bootstrap compile cache");
}

/** Starts the service. When the service exits, this process exits too. */
export function runService(env: NodeJS.ProcessEnv, port: number): ServiceProcess {
  const { args, options } = workerCommand(localWorker(port), env);
  const service = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  service.stdout.pipe(process.stdout);
  createInterface(service.stderr).on("line", (line) => {
    if (!isNoise(line)) process.stderr.write(`${line}\n`);
  });
  const end = () => {
    if (service.pid && service.exitCode === null) process.kill(-service.pid, "SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  service.on("exit", (code) => process.exit(code ?? 0));
  return service;
}

export function givenVariables(): Record<string, string> {
  const given = settable.map((name): [string, string] => [name, process.env[name] ?? ""]);
  return Object.fromEntries(given.filter(([, value]) => value !== ""));
}

function localWorker(port: number): LocalWorker {
  const inspectorPort = process.env["INSPECTOR_PORT"];
  return {
    // A benchmark sets its own entry point: a Worker that adds routes to the service.
    main: process.env["WORKER_MAIN"],
    port,
    inspectorPort: inspectorPort === undefined ? undefined : Number(inspectorPort),
    variables: { ...oneBrowser, RATE_LIMITS: "off", ...givenVariables() },
    scheduledRunIntervalMs: 5_000,
    allowedOrigins: null,
  };
}

/** With one region and one pool, a single browser runs on this machine. */
export const oneBrowser = { BROWSER_POOL_REGIONS: "enam", BROWSER_POOLS: "1" };

/** Resolves when the service responds; rejects when it exits or does not respond in time. */
export async function serviceIsReady(service: ServiceProcess, origin: string): Promise<void> {
  const timeoutAt = Date.now() + startTimeoutMs;
  while (Date.now() < timeoutAt && service.exitCode === null) {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the service did not respond on ${origin} within ${startTimeoutMs / 1000} s`);
}
