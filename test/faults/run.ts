// Runs the fault tests. `npm run test:faults` runs the seeds 1 to 100. Append `-- --seeds 1000` to run 1,000 seeds, or
// `-- --seed 17` to run only seed 17.
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
