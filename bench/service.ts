// The service for a benchmark: `npm start` on a port and state of its own, ended with the benchmark.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export type BenchService = {
  origin: string;
  baseUrl: string;
  /** Makes a request as the demo account. */
  call(path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  stop(): Promise<void>;
};

export async function startService(port: number, variables: Record<string, string> = {}): Promise<BenchService> {
  const stateDir = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  const env = { ...process.env, ...variables, PORT: String(port), STATE_DIR: stateDir };
  const service = spawn(process.execPath, ["src/cli/start.ts"], { env, stdio: ["ignore", "pipe", "pipe"] });
  await said(service, "curl ");
  const { key } = JSON.parse(await readFile(join(stateDir, "demo.json"), "utf8")) as { key: string };
  const baseUrl = `http://localhost:${port}/api/v1`;
  return {
    origin: `http://localhost:${port}`,
    baseUrl,
    call: (path, body, headers = {}) =>
      fetch(baseUrl + path, {
        method: body === undefined ? "GET" : "POST",
        headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json", ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async stop() {
      const ended = new Promise((resolve) => service.once("exit", resolve));
      service.kill("SIGTERM");
      await ended;
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

function said(service: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = "";
    const listen = (chunk: Buffer) => {
      output += String(chunk);
      if (output.includes(text)) resolve();
    };
    service.stdout?.on("data", listen);
    service.stderr?.on("data", listen);
    service.once("exit", (code) => reject(new Error(`the service ended with ${code}:\n${output}`)));
  });
}
