// `npm run costs`: prints what a month of the service costs, for several numbers of documents and regions. The arguments
// `--pools`, `--idle-seconds` and `--months-kept` replace the values of wrangler.toml and a retention of three months.
import { parseArgs } from "node:util";
import { projectRoot } from "./bindings.ts";
import { costTable } from "./costs/cost-table.ts";
import { readBaseConfig } from "./deploy/base-config.ts";

const usage = "usage: npm run costs -- [--pools N] [--idle-seconds N] [--months-kept N]";

try {
  const { vars = {} } = readBaseConfig(projectRoot);
  const value = { type: "string" as const };
  const { values } = parseArgs({ options: { pools: value, "idle-seconds": value, "months-kept": value } });
  console.log(
    costTable({
      poolsPerRegion: positive("--pools", values.pools ?? vars["BROWSER_POOLS"]),
      idleSeconds: positive("--idle-seconds", values["idle-seconds"] ?? Number(vars["SESSION_IDLE_MS"]) / 1000),
      monthsKept: positive("--months-kept", values["months-kept"] ?? 3),
    }),
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(usage);
  process.exitCode = 2;
}

function positive(name: string, value: unknown): number {
  const number = Number(value);
  if (!Number.isFinite(number) || number <= 0) throw new Error(`${name} must be a positive number`);
  return number;
}
