// Starts the service for a benchmark as `npm start` does, with its own port and state, and stops it afterwards.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { PlanName } from "../../src/core/accounts/plans.ts";
import type { Sample } from "./samples.ts";
import type { Tenant } from "./seed.ts";

export type BenchService = {
  origin: string;
  /** Accounts on the same plan. Each account has the templates of the samples. */
  tenants: [Tenant, ...Tenant[]];
  /** The environment variables of processes that work on the state of the service. */
  env: NodeJS.ProcessEnv;
  /** The id of the process that started the service. All processes of the service descend from it. */
  pid: number;
  /** Creates a document from the sample. Rejects if the status of the response is not 201. */
  create(sample: Sample, tenant?: Tenant, headers?: Record<string, string>): Promise<void>;
  stop(): Promise<void>;
};

type ServiceOptions = { tenants?: number; plan?: PlanName; samples?: string[]; variables?: Record<string, string> };

export async function startService(
  port: number,
  {
    tenants: count = 1,
    plan = "enterprise",
    samples = ["small-table", "invoice"],
    variables = {},
  }: ServiceOptions = {},
): Promise<BenchService> {
  const stateDir = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  const env = { ...process.env, ...variables, PORT: String(port), STATE_DIR: stateDir, DEMO: "0" };
  const service = spawn(process.execPath, ["src/cli/start.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
  await printed(service, "Base URL");
  const seeded = await promisify(execFile)(
    process.execPath,
    ["bench/harness/seed.ts", String(count), plan, ...samples],
    { env },
  );
  const tenants = JSON.parse(seeded.stdout) as [Tenant, ...Tenant[]];
  const origin = `http://localhost:${port}`;
  return {
    origin,
    tenants,
    env,
    pid: service.pid ?? 0,
    async create(sample, tenant = tenants[0], headers = {}) {
      const response = await postDocument(origin, tenant, sample, headers);
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
    },
    async stop() {
      // If the process has already exited, there will be no exit event.
      if (service.exitCode === null) {
        const ended = new Promise((resolve) => service.once("exit", resolve));
        service.kill("SIGTERM");
        await ended;
      }
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

export function postDocument(
  origin: string,
  { key, templateIds }: Tenant,
  { name, format, data, metadata }: Sample,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${origin}/api/v1/documents`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ templateId: templateIds[name], data, format, metadata }),
  });
}

/** Resolves when the service has printed the text. */
export function printed(service: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    let isPrinted = false;
    // The output is read to its end, so that the service never waits for its reader, but it is kept only until then.
    const listen = (chunk: Buffer) => {
      if (isPrinted) return;
      output += String(chunk);
      isPrinted = output.includes(text);
      if (isPrinted) resolve();
    };
    service.stdout?.on("data", listen);
    service.stderr?.on("data", listen);
    service.once("exit", (code) => reject(new Error(`the service exited with code ${code}:\n${output}`)));
  });
}
