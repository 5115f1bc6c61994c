// `npm run deploy [-- --env staging]`: applies the migrations of every database, then deploys the Worker. Passes its arguments on to
// wrangler, and ends with the status of the first command that fails.
import { spawnSync } from "node:child_process";
import { deployCommands } from "./deploy/deploy-commands.ts";

for (const args of deployCommands(process.argv.slice(2))) {
  const { status } = spawnSync("wrangler", args, { stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}
