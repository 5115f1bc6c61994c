// Starts the service at any commit, using only commands and API calls that every version has, so that versions can be compared.
import { execFile, execFileSync, spawn } from "node:child_process";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { outputUntil } from "../../test/e2e/service.ts";

export type CheckoutService = {
  name: string;
  /** All processes of the service descend from this one. */
  pid: number;
  /** Creates a document, and returns the response's `Server-Timing` in ms. Rejects if the status is not 201. */
  create(sample: string): Promise<Record<string, number>>;
  /** Sets how much longer each call of a binding takes; see `delayed-worker.ts`. */
  delay(ms: number): Promise<void>;
  stop(): Promise<void>;
};

const root = join(import.meta.dirname, "../..");

/** The folders of the samples. A version's own folder is preferred, because the format of templates has changed. */
export const comparedSamples = {
  "one line": join(root, "bench/one-line"),
  table: "bench/small-table",
  invoice: "templates/invoice",
  report: "templates/report",
};

/** Checks the commit out into a new folder and installs its packages. `.` is this checkout as it is. */
export async function prepareCheckout(commit: string): Promise<string> {
  if (commit === ".") return root;
  const folder = await mkdtemp(join(tmpdir(), `colophon-${commit}-`));
  execFileSync("git", ["clone", "-q", root, folder]);
  execFileSync("git", ["checkout", "-q", commit], { cwd: folder });
  execFileSync("npm", ["ci", "--silent"], { cwd: folder, env: plainEnvironment() });
  return folder;
}

/** Prevents npm from confusing the two checkouts, and from using this one's Node for the other. */
function plainEnvironment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name));
  const paths = (process.env["PATH"] ?? "").split(":").filter((path) => !path.includes("node_modules"));
  return { ...Object.fromEntries(own), PATH: paths.join(":") };
}

export async function startCheckout(
  folder: string,
  { name, port, inspectorPort }: { name: string; port: number; inspectorPort?: number },
): Promise<CheckoutService> {
  const stateDir = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  const inspector = inspectorPort !== undefined && { INSPECTOR_PORT: String(inspectorPort) };
  const main = "bench/harness/delayed-worker.ts";
  if (folder !== root)
    for (const path of [main, "bench/harness/change-methods.ts"]) await cp(join(root, path), join(folder, path));
  const variables = { PORT: String(port), STATE_DIR: stateDir, DEMO: "0", WORKER_MAIN: main, ...inspector };
  const env = { ...plainEnvironment(), ...variables };
  const options = { cwd: folder, env };
  const service = spawn("npm", ["start", "-s"], { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  await outputUntil(service, "Base URL");
  const cli = async (...words: string[]) => {
    const { stdout } = await promisify(execFile)("npm", ["run", "-s", "cli", "--", ...words, "--json"], options);
    return JSON.parse(stdout);
  };
  await cli("plan", "set", "--plan", "enterprise", "--monthly-renders", "1000000");
  const { account } = await cli("account", "create", "--name", "Bench", "--plan", "enterprise");
  const { key } = await cli("key", "create", "--account", account.id);
  const bodies = new Map<string, string>();
  for (const [sample, path] of Object.entries(comparedSamples)) {
    const template = path.startsWith("/") ? path : join(folder, path);
    const pushed = await cli("template", "push", template, "--account", account.id);
    const data = JSON.parse(await readFile(join(template, "sample.json"), "utf8"));
    bodies.set(sample, JSON.stringify({ templateId: pushed.template.id, data }));
  }
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return {
    name: name === "." ? basename(root) : name,
    pid: service.pid ?? 0,
    async create(sample) {
      const request = { method: "POST", headers, body: bodies.get(sample) ?? "" };
      const response = await fetch(`http://localhost:${port}/api/v1/documents`, request);
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
      const metrics = (response.headers.get("Server-Timing") ?? "").matchAll(/(\w+);dur=([\d.]+)/g);
      return Object.fromEntries(Array.from(metrics, ([, stage = "", ms]) => [stage, Number(ms)]));
    },
    async delay(ms) {
      await fetch(`http://localhost:${port}/api/delay/${ms}`);
    },
    async stop() {
      const ended = new Promise((resolve) => service.once("exit", resolve));
      process.kill(-(service.pid ?? 0), "SIGTERM");
      await ended;
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

export async function inTurn<T>(services: CheckoutService[], measure: (service: CheckoutService) => Promise<T>) {
  const results: T[] = [];
  for (const service of services) results.push(await measure(service));
  return results;
}
