// Runs the fault tests. `npm run test:faults` runs 100 seeds, `-- --seeds 1000` runs 1,000, and `-- --seed 17` runs one.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { seeds: { type: "string" }, seed: { type: "string" } } });
const env = {
  ...process.env,
  FAULT_SEED: values.seed ?? "1",
  FAULT_SEEDS: values.seed ? "1" : (values.seeds ?? "100"),
};
process.exitCode =
  spawnSync(process.execPath, ["test/run.ts", "--all", "--project", "faults"], { stdio: "inherit", env }).status ?? 1;
