// `npm run serve`: runs the service on one machine, for use behind a reverse proxy. Unlike `npm start`, it has no demo account,
// limits request rates, refuses private addresses, restarts crashed processes, and finishes the requests in flight before it ends.
// docs/self-hosting.md describes it.
import { chmod, mkdir } from "node:fs/promises";
import { messageOf } from "colophon-base/message-of";
import { prepareLocalBrowser } from "colophon-templates/browser";
import { basePath } from "../core/api-paths.ts";
import { createLocalSecrets } from "./local/local-secrets.ts";
import { endLeftover } from "./local/running-file.ts";
import { buildWorker, givenVariables, oneBrowser, serviceEnv } from "./local/service-process.ts";
import { checkStateDirectory } from "./local/state-directory.ts";
import { stateDir } from "./paths.ts";
import { Front } from "./serve/front.ts";
import { logLine } from "./serve/log-line.ts";
import { readServeOptions, type ServeOptions } from "./serve/serve-options.ts";
import { Supervisor, type PreparedWorker } from "./serve/supervise.ts";

/** Exit codes of sysexits.h: a supervisor such as systemd should restart the service after the first, but not after the second. */
const exitCodes = { failed: 1, configuration: 78 };
/** A create takes at most 26 s. */
const drainTimeoutMs = 28_000;
/** After this time, requests get 503 until the Worker runs. */
const startTimeoutMs = 600_000;

async function configuration(): Promise<ServeOptions> {
  const options = readServeOptions(process.env);
  await mkdir(stateDir, { recursive: true });
  await chmod(stateDir, 0o700);
  await checkStateDirectory(stateDir);
  await endLeftover();
  return options;
}

async function serve({ host, port, publicUrl, trustedProxies, allowedOrigins }: ServeOptions): Promise<void> {
  const prepared = prepareWorker(publicUrl, allowedOrigins);
  const supervisor = new Supervisor({ prepared, onGivenUp: () => end(exitCodes.failed) });
  const front = new Front({ publicUrl, trustedProxies, workerPort: (timeoutMs) => supervisor.port(timeoutMs) });
  let isEnding = false;
  async function end(code: number): Promise<void> {
    if (isEnding) return;
    isEnding = true;
    console.log(logLine("info", "serve.ending", "Requests in flight are finished before the service ends."));
    await front.close(code === 0 ? drainTimeoutMs : 0);
    await supervisor.stop();
    process.exit(code);
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void end(0));
  // Requests that arrive during a restart wait for the Worker.
  await front.listen(port, host);
  await prepared;
  await supervisor.port(startTimeoutMs);
  console.log(logLine("info", "serve.ready", `${publicUrl.origin} on ${host}:${port}`));
}

async function prepareWorker(publicUrl: URL, allowedOrigins: string[]): Promise<PreparedWorker> {
  await createLocalSecrets(stateDir);
  const env = serviceEnv(await prepareLocalBrowser());
  const bundle = await buildWorker(env);
  const variables = { ...oneBrowser, ...givenVariables(), BASE_URL: publicUrl.origin + basePath };
  return { worker: { bundle, port: 0, variables, scheduledRunIntervalMs: 60_000, allowedOrigins }, env };
}

function endWith(code: number): (error: unknown) => never {
  return (error) => {
    console.log(logLine("error", "serve.failed", messageOf(error)));
    process.exit(code);
  };
}

await serve(await configuration().catch(endWith(exitCodes.configuration))).catch(endWith(exitCodes.failed));
