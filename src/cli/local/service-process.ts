// Runs the Worker on this machine with `wrangler dev`: applies the migrations, passes on the output and triggers the
// scheduled work.
import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { projectRoot, stateDir } from "../bindings.ts";

/** `baseUrl` is the base URL of the API. */
export type ServiceAddress = { port: number; origin: string; baseUrl: string };

export type ServiceProcess = ChildProcessByStdio<null, Readable, Readable>;

const wrangler = join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
const startTimeoutMs = 120_000;
const scheduledRunIntervalMs = 5_000;

/** Variables of `wrangler.toml` that the environment may override for a local run. */
const overridable = [
  "LEASE_SECONDS",
  "RENDER_BUDGET_MS",
  "POOL_CONCURRENT_PAGES",
  "POOL_MAX_PAGES",
  "BROWSER_POOLS",
  "WEBHOOK_ALLOWED_ORIGINS",
  "WEBHOOK_TIMEOUT_MS",
  "WEBHOOKS_IN_FLIGHT",
  "IMAGE_ALLOWED_ORIGINS",
];

/**
 * Turns off wrangler's traces: by default, wrangler stores a trace of every request in its own database, which takes a
 * fifth of the processor time of the whole service.
 */
const quietWrangler = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
};

/**
 * Keeps the heaps of the simulator's isolates small. The isolates collect garbage late, and that garbage holds native
 * memory: with unlimited heaps, they take more than a gigabyte after 10,000 documents. Small heaps do not slow creates
 * down. Sizes are in MB.
 */
const smallHeaps = {
  MINIFLARE_WORKERD_V8_FLAGS: "--initial-old-space-size=1 --min-semi-space-size=1 --max-semi-space-size=2",
};

/** The environment of wrangler's processes. `browserEnv` contains the variables that they need to find the browser. */
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
 * Starts the service in its own process group, so that all of its processes end together. When the service exits, this
 * process exits too.
 */
export function runService(env: NodeJS.ProcessEnv, address: ServiceAddress): ServiceProcess {
  const service = spawn(process.execPath, [wrangler, ...wranglerArguments(address)], {
    cwd: projectRoot,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  passOn(service.stdout, process.stdout);
  passOn(service.stderr, process.stderr);
  const end = () => {
    if (service.pid && service.exitCode === null) process.kill(-service.pid, "SIGTERM");
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, end);
  service.on("exit", (code) => process.exit(code ?? 0));
  return service;
}

function wranglerArguments({ port, origin, baseUrl }: ServiceAddress): string[] {
  const overrides = overridable.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []));
  const variables = {
    BASE_URL: baseUrl,
    CDN_URL: `${origin}/files`,
    BROWSER_POOLS: "1",
    ...(Object.fromEntries(overrides) as Record<string, string>),
  };
  // A benchmark replaces the entry point with its own Worker around the same service.
  const main = process.env["WORKER_MAIN"];
  const options = {
    port: String(port),
    "inspector-port": "0",
    "persist-to": stateDir,
    "log-level": "warn",
    "show-interactive-dev-session": "false",
  };
  return [
    "dev",
    ...(main ? [main] : []),
    ...Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]),
    ...Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
}

/**
 * Passes on all lines except the simulator's notice that it recompiles its own scripts. The simulator does so because the
 * heap sizes have been changed.
 */
function passOn(from: Readable, to: Writable): void {
  createInterface(from).on("line", (line) => {
    if (!line.includes("bootstrap compile cache")) to.write(`${line}\n`);
  });
}

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

/**
 * Triggers the scheduled work at regular intervals, as a cron trigger does on the platform; `wrangler dev` has no such
 * timer.
 */
export function runScheduledWork(origin: string): void {
  const tick = () =>
    fetch(`${origin}/cdn-cgi/handler/scheduled`, { signal: AbortSignal.timeout(5_000) }).catch(() => {});
  setInterval(() => void tick(), scheduledRunIntervalMs);
}
