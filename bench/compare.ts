// Compares the speed of checkouts of this project that lie side by side, each with its packages installed:
//   node bench/compare.ts ../old ../older .
// All services run at the same time, and are called alternately, so that changes in the machine's speed affect all of them.
// Uses only the commands and the API that every version has had.
import { execFile, spawn, type ChildProcess } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { promisify } from "node:util";
import { processorMs } from "./harness/processes.ts";
import { throughput } from "./harness/measure.ts";
import { median } from "./harness/statistics.ts";

const rounds = Number(process.env["ROUNDS"] ?? 5);
const callsInRound = 40;
const callers = 8;
const throughputMs = 3_000;

/** A version's own folder of each sample, because the format of templates has changed. */
const samples = ["bench/one-line", "bench/small-table", "templates/invoice"];
const root = join(import.meta.dirname, "..");
const folderOf = (checkout: string, sample: string) => join(sample === "bench/one-line" ? root : checkout, sample);

type Running = { name: string; pid: number; create(sample: string): Promise<void>; stop(): Promise<void> };

async function compare(checkouts: string[]): Promise<void> {
  const services: Running[] = [];
  try {
    for (const [index, checkout] of checkouts.entries()) services.push(await start(resolve(checkout), 8790 + index));
    console.log(
      `medians of ${rounds} rounds, and their ratios to the first: ${services.map(({ name }) => name).join(", ")}`,
    );
    for (const sample of samples) await compareSample(services, sample);
  } finally {
    await Promise.all(services.map((service) => service.stop()));
  }
}

async function compareSample(services: Running[], sample: string): Promise<void> {
  const inTurn = <T>(measure: (service: Running) => Promise<T>) =>
    services.reduce<Promise<T[]>>(
      async (before, service) => [...(await before), await measure(service)],
      Promise.resolve([]),
    );
  for (let call = 0; call < 2 * callsInRound; call++) await inTurn((service) => timed(service, sample));
  const times: number[][] = [];
  const rates: number[][] = [];
  const processors: Record<string, number>[][] = [];
  for (let round = 0; round < rounds; round++) {
    const calls: number[][] = [];
    for (let call = 0; call < callsInRound; call++) calls.push(await inTurn((service) => timed(service, sample)));
    times.push(services.map((_, index) => median(calls.map((row) => row[index] ?? NaN))));
    rates.push(await inTurn((service) => throughput(callers, throughputMs, () => service.create(sample))));
    processors.push(await inTurn((service) => processorPerCreate(service, sample)));
  }
  show(`${basename(sample)}: p50 ms`, times);
  show(`  ${callers} callers, documents/s`, rates);
  for (const name of Object.keys(processors[0]?.[0] ?? {}))
    show(
      `  processor ms of a create: ${name}`,
      processors.map((row) => row.map((ms) => ms[name] ?? NaN)),
    );
}

async function timed(service: Running, sample: string): Promise<number> {
  const startedMs = performance.now();
  await service.create(sample);
  return performance.now() - startedMs;
}

async function processorPerCreate({ pid, create }: Running, sample: string): Promise<Record<string, number>> {
  const before = await processorMs(pid);
  for (let call = 0; call < callsInRound; call++) await create(sample);
  const after = await processorMs(pid);
  return Object.fromEntries(
    Object.keys(after).map((name) => [name, ((after[name] ?? 0) - (before[name] ?? 0)) / callsInRound]),
  );
}

/** `rows` has a value of each service for each round. A ratio is the median of the rounds' ratios. */
function show(what: string, rows: number[][]): void {
  const columns = (rows[0] ?? []).map((_, index) => {
    const value = median(rows.map((row) => row[index] ?? NaN));
    const ratio = median(rows.map((row) => (row[index] ?? NaN) / (row[0] ?? NaN)));
    return `${value.toFixed(1).padStart(8)} (${ratio.toFixed(2)})`;
  });
  console.log(`${what.padEnd(44)}${columns.join("")}`);
}

async function start(checkout: string, port: number): Promise<Running> {
  const stateDir = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  const env = { ...process.env, PORT: String(port), STATE_DIR: stateDir, DEMO: "0" };
  const options = { cwd: checkout, env };
  const service = spawn("npm", ["start", "-s"], { ...options, stdio: ["ignore", "pipe", "pipe"], detached: true });
  await printed(service, "Base URL");
  const cli = async (...words: string[]) =>
    JSON.parse((await promisify(execFile)("npm", ["run", "-s", "cli", "--", ...words, "--json"], options)).stdout);
  await cli("plan", "set", "--plan", "enterprise", "--monthly-renders", "1000000");
  const { account } = await cli("account", "create", "--name", "Bench", "--plan", "enterprise");
  const { key } = await cli("key", "create", "--account", account.id);
  const bodies: Record<string, string> = {};
  for (const sample of samples) {
    const folder = folderOf(checkout, sample);
    const { template } = await cli("template", "push", folder, "--account", account.id);
    const data = JSON.parse(await readFile(join(folder, "sample.json"), "utf8"));
    bodies[sample] = JSON.stringify({ templateId: template.id, data });
  }
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  return {
    name: basename(checkout),
    pid: service.pid ?? 0,
    async create(sample) {
      const body = bodies[sample] ?? "";
      const response = await fetch(`http://localhost:${port}/api/v1/documents`, { method: "POST", headers, body });
      const text = await response.text();
      if (response.status !== 201) throw new Error(text);
    },
    async stop() {
      const ended = new Promise((done) => service.once("exit", done));
      process.kill(-(service.pid ?? 0), "SIGTERM");
      await ended;
      await rm(stateDir, { recursive: true, force: true });
    },
  };
}

function printed(service: ChildProcess, text: string): Promise<void> {
  return new Promise((done, fail) => {
    let output = "";
    const listen = (chunk: Buffer) => {
      output = (output + String(chunk)).slice(-10_000);
      if (output.includes(text)) done();
    };
    service.stdout?.on("data", listen);
    service.stderr?.on("data", listen);
    service.once("exit", (code) => fail(new Error(`the service exited with code ${code}:\n${output}`)));
  });
}

await compare(process.argv.slice(2));
