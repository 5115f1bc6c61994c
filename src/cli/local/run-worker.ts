// The process of the local Worker, which `service-process.ts` starts: runs wrangler's development server, and prints what the
// Worker logs. Wrangler's inspector is off unless a port is given for it: it sends every log line on to two more processes, which
// takes 2 ms of processor time, and keeps all of them in memory.
import { once } from "node:events";
import { unstable_startWorker } from "wrangler";

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

async function runWorker(
  stateDir: string,
  { main, port, inspectorPort, envFile, variables }: LocalWorker,
): Promise<void> {
  const bindings = Object.entries(variables).map(([name, value]) => [name, { type: "plain_text", value }] as const);
  const worker = await unstable_startWorker({
    config: "wrangler.toml",
    entrypoint: main,
    envFiles: [envFile],
    bindings: Object.fromEntries(bindings),
    dev: {
      server: { port },
      inspector: inspectorPort === undefined ? false : { port: inspectorPort },
      persist: stateDir,
      registry: process.env["WRANGLER_REGISTRY_PATH"],
      logLevel: "warn",
      structuredLogsHandler: printLog,
    },
  });
  // Rejects when something fails that a change of the sources cannot mend, for example if the port is already in use.
  await once(worker.raw, "teardown");
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
