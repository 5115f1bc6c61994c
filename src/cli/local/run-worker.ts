// The process of the local Worker, which `service-process.ts` starts: builds the Worker, runs it in Miniflare, prints what it logs and
// triggers the scheduled run. It does not use wrangler's development server, which puts a second runtime in front of the Worker:
// the passage through it took a fifth of the processor time of a small create.
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseEnv } from "node:util";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";
import { localSecretsFile } from "./local-secrets.ts";

/** The second argument of this process, as JSON. The first one is `STATE_DIR`, by which the next start recognises the process. */
export type LocalWorker = {
  /** The entry point. Without it, the one in `wrangler.toml` is used. */
  main: string | undefined;
  port: number;
  inspectorPort: number | undefined;
  /** These override the variables in `wrangler.toml`. */
  variables: Record<string, string>;
};

const wrangler = "node_modules/wrangler/bin/wrangler.js";
const scheduledRunIntervalMs = 5_000;

async function runWorker(stateDir: string, { main, port, inspectorPort, variables }: LocalWorker): Promise<void> {
  const config = unstable_readConfig({ config: "wrangler.toml" });
  const bundle = buildBundle(main ?? config.main ?? "", join(stateDir, "bundle"));
  const secrets = parseEnv(await readFile(localSecretsFile(stateDir), "utf8"));
  const vars = { ...config.vars, ...variables, ...secrets };
  const { workerOptions } = unstable_getMiniflareWorkerOptions({ ...config, vars });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: "localhost",
      port,
      ...(inspectorPort !== undefined && { inspectorPort }),
      resourcePersistencePath: join(stateDir, "v3"),
      unsafeDevRegistryPath: process.env["WRANGLER_REGISTRY_PATH"],
      logRequests: false,
      // The simulator would download a description of where requests come from, and pass it to the Worker with each of them.
      cf: {},
      handleStructuredLogs: printLog,
      workers: [
        {
          ...workerOptions,
          name: config.name,
          rootPath: bundle.folder,
          modulesRoot: bundle.folder,
          modules: [{ type: "ESModule", path: bundle.path }],
          routes: directRoutes(config.assets?.run_worker_first),
        },
      ],
    }),
  );
  await miniflare.ready;
  const worker = await miniflare.getWorker();
  // On the platform, a cron trigger starts the scheduled run.
  setInterval(() => void worker.scheduled({ cron: "* * * * *" }).catch(() => {}), scheduledRunIntervalMs);
}

/** Writes the Worker into one module, as a deployment does. */
function buildBundle(main: string, folder: string): { folder: string; path: string } {
  const { status, stderr } = spawnSync(process.execPath, [wrangler, "deploy", main, "--dry-run", "--outdir", folder]);
  if (status !== 0) throw new Error(`the Worker could not be built:\n${String(stderr)}`);
  return { folder, path: join(folder, basename(main).replace(/\.ts$/, ".js")) };
}

/**
 * Lets requests that skip the static files go straight to the Worker. Otherwise, they first pass through two Workers of the simulator,
 * which look whether there is such a file: 1 ms of processor time for each request.
 */
function directRoutes(paths: boolean | string[] | undefined): string[] {
  return Array.isArray(paths) ? paths.map((path) => `*${path}`) : [];
}

function printLog({ level, message }: { level: string; message: string }): void {
  const output = level === "error" || level === "warn" ? process.stderr : process.stdout;
  output.write(`${message}\n`);
}

const [, , stateDir = "", worker = ""] = process.argv;
await runWorker(stateDir, JSON.parse(worker) as LocalWorker).catch((failure: unknown) => {
  console.error(failure instanceof Error ? failure.message : failure);
  process.exit(1);
});
