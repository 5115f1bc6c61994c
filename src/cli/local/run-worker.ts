// The process of the local Worker, which `service-process.ts` starts: runs wrangler's development server, and prints what the
// Worker logs. Wrangler's inspector is off unless a port is given for it: it sends every log line on to two more processes, which
// takes 2 ms of processor time, and keeps all of them in memory.
import { once } from "node:events";
import { unstable_readConfig, unstable_startWorker } from "wrangler";

/** The second argument of this process, as JSON. The first one is `STATE_DIR`, by which the next start recognises the process. */
export type LocalWorker = {
  /** The entry point. Without it, the one in `wrangler.toml` is used. */
  main: string | undefined;
  port: number;
  inspectorPort: number | undefined;
  /** A file with secrets. */
  envFile: string;
  /** These override the variables in `wrangler.toml`. */
  variables: Record<string, string>;
};

const configPath = "wrangler.toml";

async function runWorker(
  stateDir: string,
  { main, port, inspectorPort, envFile, variables }: LocalWorker,
): Promise<void> {
  const bindings = Object.entries(variables).map(([name, value]) => [name, { type: "plain_text", value }] as const);
  const worker = await unstable_startWorker({
    config: configPath,
    entrypoint: main,
    envFiles: [envFile],
    bindings: Object.fromEntries(bindings),
    triggers: directRoutes(),
    // `npm start` has built the assets. Wrangler would build them again after every change of the sources.
    build: { custom: { command: "" } },
    dev: {
      routeRequestsByRoutes: true,
      inferOriginFromRoutes: false,
      server: { port },
      inspector: inspectorPort === undefined ? false : { port: inspectorPort },
      persist: stateDir,
      registry: process.env["WRANGLER_REGISTRY_PATH"],
      // Wrangler's warnings are about what `npm start` does by itself, such as triggering the scheduled work.
      logLevel: "error",
      structuredLogsHandler: printLog,
    },
  });
  // Rejects when something fails that a change of the sources cannot fix, for example if the port is already in use.
  await once(worker.raw, "teardown");
}

/**
 * Lets requests that skip the static files go straight to the Worker. Otherwise, they first pass through two Workers of the simulator,
 * which look whether there is such a file: 1 ms of processor time for each request.
 */
function directRoutes(): { type: "route"; pattern: string }[] {
  const paths = unstable_readConfig({ config: configPath }).assets?.run_worker_first;
  return Array.isArray(paths) ? paths.map((path) => ({ type: "route", pattern: `*${path}` })) : [];
}

function printLog({ level, message }: { level: string; message: string }): void {
  const output = level === "error" || level === "warn" ? process.stderr : process.stdout;
  output.write(`${message}\n`);
}

/** Wrangler reports some failures as an object with a reason and a cause. */
function messageOf(failure: unknown): string {
  const { message, reason, cause } = failure as { message?: string; reason?: string; cause?: { message?: string } };
  return message ?? [reason, cause?.message].filter(Boolean).join(": ");
}

const [, , stateDir = "", worker = ""] = process.argv;
await runWorker(stateDir, JSON.parse(worker) as LocalWorker).catch((failure: unknown) => {
  console.error(messageOf(failure));
  process.exit(1);
});
