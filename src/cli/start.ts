// `npm start`: the whole service on this machine. Prepares the browser, the database and a demo account, runs the Worker,
// and ends with one line to paste. Safe to run again: data and the demo key stay.
import { spawn, spawnSync, type ChildProcessByStdio } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { createAccount, createKey } from "../operations/accounts/manage-accounts.ts";
import { parseApiKey } from "../core/accounts/api-key.ts";
import { pushTemplate } from "../operations/templates/push-template.ts";
import { operatorServices } from "../services.ts";
import { projectRoot, stateDir, withBindings } from "./bindings.ts";
import { checkStateDirectory } from "./local/state-directory.ts";
import { prepareLocalBrowser } from "./local-browser.ts";
import { readTemplateFolder } from "./templates/template-folder.ts";

type Service = ChildProcessByStdio<null, Readable, Readable>;
type Demo = { accountId: string; key: string };

const port = Number(process.env["PORT"] ?? 8787);
const origin = `http://localhost:${port}`;
const baseUrl = `${origin}/api/v1`;
const wrangler = join(projectRoot, "node_modules/wrangler/bin/wrangler.js");
const runFile = join(stateDir, "running.json");
const startTimeoutMs = 120_000;
const clockMs = 5_000;

async function start(): Promise<void> {
  await mkdir(stateDir, { recursive: true });
  await checkStateDirectory(stateDir);
  await endLeftover();
  const browserEnv = await prepareLocalBrowser();
  const env = { ...smallHeaps, ...process.env, ...browserEnv, ...quietWrangler };
  migrate(env);
  const demo = process.env["DEMO"] === "0" ? null : await prepareDemo();
  const service = runService(env);
  await writeFile(runFile, JSON.stringify({ starter: process.pid, processGroup: service.pid ?? 0 } satisfies Running));
  await serviceIsReady(service);
  keepTime();
  console.log(banner(demo));
}

/** Wrangler keeps a trace of every request in a database of its own: a fifth of what the whole service computes. */
const quietWrangler = {
  WRANGLER_SEND_METRICS: "false",
  WRANGLER_HIDE_BANNER: "true",
  X_LOCAL_OBSERVABILITY: "false",
  X_LOCAL_EXPLORER: "false",
};

/**
 * The simulator's isolates collect their garbage late, and each piece of it holds native memory: in a heap that may grow
 * as it likes that comes to more than a gigabyte after 10,000 documents. Sizes in MB; creates are no slower for it.
 */
const smallHeaps = {
  MINIFLARE_WORKERD_V8_FLAGS: "--initial-old-space-size=1 --min-semi-space-size=1 --max-semi-space-size=2",
};

/** What a running service says of itself: the process that printed the banner, and the group of all it started. */
type Running = { starter: number; processGroup: number };

/**
 * A start that was killed hard leaves its service behind, with the port and the database: it is ended first. One that is
 * alive is left alone.
 */
async function endLeftover(): Promise<void> {
  if (!existsSync(runFile)) return;
  const { starter, processGroup } = JSON.parse(await readFile(runFile, "utf8")) as Running;
  if (starter !== process.pid && (await commandLineOf(starter)).includes("cli/start.ts")) {
    throw new Error(`a service with this STATE_DIR is running already (process ${starter})`);
  }
  if ((await commandLineOf(processGroup)).includes(stateDir)) process.kill(-processGroup, "SIGKILL");
  await rm(runFile, { force: true });
}

async function commandLineOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
}

function migrate(env: NodeJS.ProcessEnv): void {
  const args = ["d1", "migrations", "apply", "DB", "--local", "--persist-to", stateDir];
  const { status, stdout, stderr } = spawnSync(process.execPath, [wrangler, ...args], {
    cwd: projectRoot,
    env: { ...env, CI: "1" },
  });
  if (status !== 0) throw new Error(`the migrations failed:\n${String(stdout)}${String(stderr)}`);
}

/** The demo account and its key, kept in STATE_DIR for the next start, with the sample templates pushed. */
async function prepareDemo(): Promise<Demo & { invoiceId: string; sampleData: object }> {
  return withBindings(false, async (bindings) => {
    const services = operatorServices(bindings);
    const demo = await loadOrCreateDemo(services);
    const folders = (await readdir(join(projectRoot, "templates"))).sort();
    let invoice: { invoiceId: string; sampleData: object } | null = null;
    for (const name of folders) {
      const read = await readTemplateFolder(join(projectRoot, "templates", name));
      if (read.status === "broken") throw new Error(`templates/${name}: ${JSON.stringify(read.problems)}`);
      const pushed = await pushTemplate(services, { accountId: demo.accountId, folder: name, content: read.content });
      if (name === "invoice" && pushed.status === "pushed") {
        invoice = { invoiceId: pushed.template.id, sampleData: read.content.sampleData };
      }
    }
    if (!invoice) throw new Error("templates/invoice is missing");
    return { ...demo, ...invoice };
  });
}

async function loadOrCreateDemo(services: ReturnType<typeof operatorServices>): Promise<Demo> {
  const file = join(stateDir, "demo.json");
  const saved = existsSync(file) ? (JSON.parse(await readFile(file, "utf8")) as Demo) : null;
  const keyId = saved && parseApiKey(saved.key)?.id;
  const keys = saved ? await services.accounts.listKeys(saved.accountId) : [];
  if (saved && keys.some(({ id, revokedAt }) => id === keyId && revokedAt === null)) return saved;
  const account = await createAccount(services, "Demo", "pro");
  const key = await createKey(services, account.id, "demo");
  if (!key) throw new Error("the demo account is gone");
  const demo = { accountId: account.id, key: key.key };
  await writeFile(file, JSON.stringify(demo), { mode: 0o600 });
  return demo;
}

/** In a process group of its own, so that all of it ends together. */
function runService(env: NodeJS.ProcessEnv): Service {
  const variables = { BASE_URL: baseUrl, CDN_URL: `${origin}/files`, BROWSER_POOLS: "1", ...overrides() };
  // A benchmark runs a Worker of its own around the same service.
  const main = process.env["WORKER_MAIN"];
  const args = [
    ...[
      "dev",
      ...(main ? [main] : []),
      "--port",
      String(port),
      "--inspector-port",
      "0",
      "--persist-to",
      stateDir,
      "--log-level",
      "warn",
    ],
    ...["--show-interactive-dev-session", "false"],
    ...Object.entries(variables).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
  ];
  const service = spawn(process.execPath, [wrangler, ...args], {
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
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  process.on("SIGHUP", end);
  service.on("exit", (code) => process.exit(code ?? 0));
  return service;
}

/** All lines but the simulator's notice that it compiles its own scripts anew, because its heaps have other sizes. */
function passOn(from: Readable, to: Writable): void {
  createInterface(from).on("line", (line) => {
    if (!line.includes("bootstrap compile cache")) to.write(`${line}\n`);
  });
}

/** Variables of `wrangler.toml` that the environment may set for a local run. */
function overrides(): Record<string, string> {
  const names = [
    ...["LEASE_SECONDS", "RENDER_BUDGET_MS", "POOL_CONCURRENT_PAGES", "POOL_MAX_PAGES", "BROWSER_POOLS"],
    ...["WEBHOOK_ALLOWED_ORIGINS", "WEBHOOK_TIMEOUT_MS", "WEBHOOKS_IN_FLIGHT", "IMAGE_ALLOWED_ORIGINS"],
  ];
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
}

async function serviceIsReady(service: Service): Promise<void> {
  const giveUpAt = Date.now() + startTimeoutMs;
  while (Date.now() < giveUpAt && service.exitCode === null) {
    const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null);
    if (response?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the service did not answer on ${origin} within ${startTimeoutMs / 1000} s`);
}

/** On the platform the clock runs the scheduled work; `wrangler dev` leaves that to whoever calls it. */
function keepTime(): void {
  const tick = () =>
    fetch(`${origin}/cdn-cgi/handler/scheduled`, { signal: AbortSignal.timeout(5_000) }).catch(() => {});
  setInterval(() => void tick(), clockMs);
}

function banner(demo: Awaited<ReturnType<typeof prepareDemo>> | null): string {
  const lines = ["", `Base URL  ${baseUrl}`];
  if (demo) {
    const data = Object.fromEntries(Object.entries(demo.sampleData).map(([key, value]) => [key, shortened(value)]));
    const body = JSON.stringify({ templateId: demo.invoiceId, data }).replaceAll("'", "\\u0027");
    lines.push(`Demo key  ${demo.key}`, "", "Render an invoice:", "");
    lines.push(
      `curl -sS ${baseUrl}/documents -H 'Authorization: Bearer ${demo.key}' -H 'Content-Type: application/json' -d '${body}'`,
    );
  }
  return [...lines, ""].join("\n");
}

/** The line has to fit a terminal: three rows of a list will do. */
function shortened(value: unknown): unknown {
  return Array.isArray(value) ? value.slice(0, 3) : value;
}

await start().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
