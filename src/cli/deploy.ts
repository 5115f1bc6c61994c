// `npm run deploy [-- --env staging]`: applies the migrations of every database, then deploys the Worker. Passes its arguments on to
// wrangler, and ends with the status of the first command that fails.
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { readConfig } from "./local/wrangler-config.ts";

/** Returns the arguments of each command of wrangler. `args` are passed to all of them; `--env NAME` also selects the databases. */
export function deployCommands(args: string[], config = readConfig(environmentOf(args))): string[][] {
  const migrations = config.d1_databases.map(({ binding }) => ["d1", "migrations", "apply", binding, "--remote"]);
  return [...migrations, ["deploy"]].map((command) => [...command, ...args]);
}

function environmentOf(args: string[]): string | undefined {
  const { env } = parseArgs({ args, options: { env: { type: "string", short: "e" } }, strict: false }).values;
  return typeof env === "string" ? env : undefined;
}

for (const args of import.meta.main ? deployCommands(process.argv.slice(2)) : []) {
  const { status } = spawnSync("wrangler", args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
