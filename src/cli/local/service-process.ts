// Runs the Worker on this machine: builds it, starts `run-worker.ts` and forwards its output.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { variableDefaults } from "../../settings.ts";
import { projectRoot, stateDir } from "../paths.ts";
import type { LocalWorker } from "./run-worker.ts";
import { writeRunningFile } from "./running-file.ts";

const wrangler = join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
const workerProcess = join(projectRoot, "src/cli/local/run-worker.ts");
const startTimeoutMs = 120_000;

/** The Worker's variables that environment variables may set in a local run. */
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
 * An environment variable that keeps the heaps of the simulator's isolates small. Isolates with large heaps collect garbage
 * late, and the garbage also holds native memory. Without limits, they take more than a gigabyte after 10,000 documents.
 * Sizes are in MB.
 * Small heaps are collected frequently, and after a few collections V8 discards the code of functions that have not run
 * since. The fourth flag keeps the code, so that small heaps do not slow down creates. The last one is for machines with two processors, on
 * which V8 has one background thread for all isolates: baseline compilation on this thread waited for a collection in an isolate that never
 * ran again, so that no more code was optimized. This happened in about one start of eight.
 */
const smallHeaps = {
  MINIFLARE_WORKERD_V8_FLAGS:
    "--initial-old-space-size=1 --min-semi-space-size=1 --max-semi-space-size=2 --no-flush-bytecode --no-concurrent-sparkplug",
};

/**
 * Returns the environment of wrangler's processes. `browserEnv` contains the variables that these processes need to
 * find the browser.
 */
export function serviceEnv(browserEnv: Record<string, string>): NodeJS.ProcessEnv {
  return { ...smallHeaps, ...process.env, ...browserEnv, ...quietWrangler };
}

/**
 * Bundles the Worker into one module, as a deployment does, and the static files next to it. Returns the path of the module. A
 * benchmark passes its own entry point, a Worker that adds routes to the service; the tests build the module once for all services that
 * they start.
 */
export async function buildWorker(env: NodeJS.ProcessEnv, folder = join(stateDir, "bundle")): Promise<string> {
  const { WORKER_BUNDLE: built, WORKER_MAIN: main = "src/index.ts" } = process.env;
  if (built && !process.env["WORKER_MAIN"]) return built;
  const args = [wrangler, "deploy", main, "--dry-run", "--outdir", folder];
  await promisify(execFile)(process.execPath, args, { cwd: projectRoot, env }).catch((error: { stderr: string }) => {
    throw new Error(`the Worker could not be built:\n${error.stderr}`);
  });
  return join(folder, basename(main).replace(/\.ts$/, ".js"));
}

/** Starts the Worker's process in its own process group, so that it can be ended together with the runtime and the browser. */
export function startWorker(
  worker: LocalWorker,
  env: NodeJS.ProcessEnv,
  print: (line: string, isError: boolean) => void,
): ChildProcess {
  const child = spawn(process.execPath, [workerProcess, stateDir], {
    cwd: projectRoot,
    env: { ...env, LOCAL_WORKER: JSON.stringify(worker) },
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const forward = (input: Readable | null, isError: boolean) => {
    if (!input) return;
    createInterface({ input }).on("line", (line) => {
      // The simulator reports that it recompiles its own scripts, because the heap sizes differ from the defaults.
      if (line.trim() !== "" && !line.includes("bootstrap compile cache")) print(line, isError);
    });
  };
  forward(child.stdout, false);
  forward(child.stderr, true);
  return child;
}

/** Starts the service, and resolves when the Worker runs. When the service exits, this process exits too. */
export async function runService(env: NodeJS.ProcessEnv, bundle: string, port: number): Promise<void> {
  const print = (line: string, isError: boolean) => (isError ? console.error(line) : console.log(line));
  const service = startWorker(localWorker(bundle, port), env, print);
  const end = () => {
    if (service.pid && service.exitCode === null) process.kill(-service.pid, "SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  service.on("exit", (code) => process.exit(code ?? 0));
  await writeRunningFile(service.pid ?? 0);
  await once(service, "message", { signal: AbortSignal.timeout(startTimeoutMs) }).catch((cause: unknown) => {
    throw new Error(`the service was not ready within ${startTimeoutMs / 1000} s`, { cause });
  });
}

export function givenVariables(): Record<string, string> {
  const variables = settable.map((name): [string, string] => [name, process.env[name] ?? ""]);
  return Object.fromEntries(variables.filter(([, value]) => value !== ""));
}

function localWorker(bundle: string, port: number): LocalWorker {
  const inspectorPort = process.env["INSPECTOR_PORT"];
  return {
    bundle,
    port,
    inspectorPort: inspectorPort === undefined ? undefined : Number(inspectorPort),
    variables: { ...oneBrowser, RATE_LIMITS: "off", ...givenVariables() },
    scheduledRunIntervalMs: 5_000,
    allowedOrigins: null,
  };
}

/** With one region and one pool, shared with batches, a single browser runs on this machine. */
export const oneBrowser = { BROWSER_POOL_REGIONS: "enam", BROWSER_POOLS: "1", BATCH_POOLS: "0" };
