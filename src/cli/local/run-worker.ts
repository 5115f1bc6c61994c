// The process of the local Worker, which `service-process.ts` starts: applies the migrations, runs the Worker in Miniflare, prints its logs
// and triggers the scheduled run. It does not use wrangler's development server, which puts a second runtime in front of the Worker: passing
// through it took a fifth of the processor time of a small create.
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseEnv } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { outboundWorker } from "./guarded-fetch.ts";
import { localSecretsFile } from "./local-secrets.ts";
import { migrateAll } from "./migrations.ts";
import { readConfig, simulatorOptions } from "./wrangler-config.ts";

/**
 * The variable LOCAL_WORKER of this process, as JSON. Other users of the machine cannot read it. They can read the argument of the
 * process, `STATE_DIR`, by which the next start recognises the process.
 */
export type LocalWorker = {
  /** The path of the module that `buildWorker` wrote. */
  bundle: string;
  /** 0 chooses a free port. The parent process learns it by a message, if it has a channel. */
  port: number;
  inspectorPort?: number | undefined;
  /** Values that override the variables in `wrangler.toml`. */
  variables: Record<string, string>;
  scheduledRunIntervalMs: number;
  /** The origins that the Worker may call although they are not public; null if it may call any address. */
  allowedOrigins: string[] | null;
};

/** The message to the parent process when the Worker is ready. */
export type WorkerReady = { port: number };

const outboundName = "outbound";
/** The local runtime has no jurisdictions. */
const withoutJurisdiction: Record<string, string> = { JURISDICTION: "" };

async function runWorker(stateDir: string, worker: LocalWorker): Promise<void> {
  const { bundle, port, inspectorPort, variables, allowedOrigins } = worker;
  const config = readConfig();
  const secrets = parseEnv(await readFile(localSecretsFile(stateDir), "utf8"));
  const vars = { ...config.vars, ...variables, ...withoutJurisdiction, ...secrets };
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: allowedOrigins ? "127.0.0.1" : "localhost",
      port,
      ...(inspectorPort !== undefined && { inspectorPort }),
      resourcePersistencePath: join(stateDir, "v3"),
      logRequests: false,
      // By default, the simulator downloads a description of the requests' location, and passes it to the Worker with each
      // request.
      cf: {},
      handleStructuredLogs: printLog,
      workers: [
        {
          ...simulatorOptions({ ...config, vars }),
          name: config.name,
          rootPath: dirname(bundle),
          modulesRoot: dirname(bundle),
          modules: [{ type: "ESModule", path: bundle }],
          routes: directRoutes(config.assets?.run_worker_first),
          ...(allowedOrigins && { outboundService: outboundName }),
        },
        ...(allowedOrigins ? [outboundWorker(outboundName, allowedOrigins, originOf(vars["BROWSER_CDP_URL"]))] : []),
      ],
    }),
  );
  const url = await miniflare.ready;
  await migrateAll(miniflare, config);
  const running = await miniflare.getWorker();
  // On the platform, a cron trigger starts the scheduled run.
  setInterval(() => void running.scheduled({ cron: "* * * * *" }).catch(() => {}), worker.scheduledRunIntervalMs);
  process.send?.({ port: Number(url.port) } satisfies WorkerReady);
}

/**
 * Sends requests that skip the static files straight to the Worker. Otherwise, they first pass through two Workers of the simulator
 * that look for a static file: 1 ms of processor time per request.
 */
function directRoutes(paths: boolean | string[] | undefined): string[] {
  return Array.isArray(paths) ? paths.map((path) => `*${path}`) : [];
}

/** The Worker itself refuses an invalid URL. */
function originOf(url: unknown): string {
  return URL.canParse(String(url)) ? new URL(String(url).replace(/^ws/, "http")).origin : "";
}

function printLog({ level, message }: { level: string; message: string }): void {
  const output = level === "error" || level === "warn" ? process.stderr : process.stdout;
  output.write(`${message}\n`);
}

// If the parent is killed, it cannot end this process and the other processes of its group.
process.on("disconnect", () => process.kill(-process.pid, "SIGKILL"));
const stateDir = process.argv[2] ?? "";
const worker = process.env["LOCAL_WORKER"] ?? "";
await runWorker(stateDir, JSON.parse(worker) as LocalWorker).catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});
