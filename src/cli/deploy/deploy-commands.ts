// The commands of wrangler that deploy an environment.
import { parseArgs } from "node:util";
import { readConfig } from "../local/wrangler-config.ts";

/** Returns the arguments of each command. `args` are passed to all of them; `--env NAME` also says whose databases these are. */
export function deployCommands(args: string[], config = readConfig(environmentOf(args))): string[][] {
  const migrations = config.d1_databases.map(({ binding }) => ["d1", "migrations", "apply", binding, "--remote"]);
  return [...migrations, ["deploy"]].map((command) => [...command, ...args]);
}

function environmentOf(args: string[]): string | undefined {
  const { env } = parseArgs({ args, options: { env: { type: "string", short: "e" } }, strict: false }).values;
  return typeof env === "string" ? env : undefined;
}
