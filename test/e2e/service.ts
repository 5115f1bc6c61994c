// Starts the service as an operator does, with `npm start` or `npm run serve`. Each service has its own process, port and state
// directory.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server } from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { readLocalSecrets } from "../../src/cli/local/local-secrets.ts";
import { serviceAt } from "../../src/cli/service-api.ts";
import type { PlanName } from "../../src/core/accounts/plans.ts";

export type RunningService = {
  baseUrl: string;
  origin: string;
  /** The text that `npm start` printed until the service was ready. */
  output: string;
  /** The key of the demo account; empty if the service has none. */
  demoKey: string;
  stateDir: string;
  process: ChildProcess;
  /**
   * Runs the operator's command with `--json`, and returns the parsed output. If the command fails, rejects with the exit code
   * and stderr.
   */
  cli<T>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
};

type Command = "start" | "serve";

/** `project` is the folder with the service's `src` and `wrangler.toml`. */
export async function startService(
  variables: Record<string, string> = {},
  state?: string,
  command: Command = "start",
  project = ".",
): Promise<RunningService> {
  const stateDir = state ?? (await mkdtemp(join(tmpdir(), "colophon-test-")));
  const port = await freePort();
  const env = { ...process.env, ...variables, PORT: String(port), STATE_DIR: stateDir };
  const child = spawn(process.execPath, [join(project, `src/cli/${command}.ts`)], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const lastLine = command === "serve" ? "serve.ready" : variables["DEMO"] === "0" ? "Base URL" : "-d '";
  const output = await outputUntil(child, lastLine);
  const origin = `http://localhost:${port}`;
  return {
    baseUrl: `${origin}/api/v1`,
    origin,
    output,
    demoKey: /colophon_\w+_[\w-]+/.exec(output)?.[0] ?? "",
    stateDir,
    process: child,
    async cli<T>(...args: string[]) {
      const { stdout } = await promisify(execFile)(process.execPath, ["src/cli/main.ts", ...args, "--json"], { env });
      return JSON.parse(stdout) as T;
    },
    async stop() {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      if (child.exitCode === null) await ended;
      if (!state) await rm(stateDir, { recursive: true, force: true });
    },
  };
}

/** Makes the server listen on this machine, and returns its origin. */
export async function originOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** The system uses ports from 32768 on for connections, so one of them could be in use before the service listens on it. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/**
 * Waits until a complete line of the process's output contains `text`, and returns the output. Later output is read, so that the process
 * never blocks, but discarded.
 */
export function outputUntil(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = "";
    let isComplete = false;
    const listen = (chunk: Buffer) => {
      if (isComplete) return;
      output += String(chunk);
      const at = output.indexOf(text);
      isComplete = at >= 0 && output.indexOf("\n", at) >= 0;
      if (isComplete) resolve(output);
    };
    child.stdout?.on("data", listen);
    child.stderr?.on("data", listen);
    child.once("exit", (code) => reject(new Error(`the service ended with ${code}:\n${output}`)));
  });
}

export type Account = { id: string; key: string; keyId: string };

/** Creates an account with a key. */
export async function newAccount(
  { origin, stateDir }: RunningService,
  plan: PlanName,
  own: { shard?: number; monthlyRenders?: number } = {},
): Promise<Account> {
  const { OPERATOR_KEY = "" } = await readLocalSecrets(stateDir);
  const { call, account } = serviceAt(origin, OPERATOR_KEY);
  const { id } = await call("POST /accounts", { body: { name: "N", plan, ...own } });
  const { key, id: keyId } = await account(id).call("POST /keys", { body: { name: "N" } });
  return { id, key, keyId };
}

/** Pushes a sample template, and returns the body of a request that renders the template with its sample data. */
export async function pushSample(
  service: RunningService,
  account: Account,
  folder: string,
): Promise<{ templateId: string; data: object }> {
  const push = ["template", "push", folder, "--account", account.id];
  const { template } = await service.cli<{ template: { id: string } }>(...push);
  const { sampleData } = await read<{ sampleData: object }>(service, account, `/templates/${template.id}`);
  return { templateId: template.id, data: sampleData };
}

export function createDocument(
  { baseUrl }: RunningService,
  { key }: Pick<Account, "key">,
  body: Record<string, unknown>,
): Promise<Response> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return fetch(`${baseUrl}/documents`, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Sends a GET request, and returns the `data` of the response. */
export async function read<T>({ baseUrl }: RunningService, { key }: Pick<Account, "key">, path: string): Promise<T> {
  const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${key}` } });
  return ((await response.json()) as { data: T }).data;
}
