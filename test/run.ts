// `npm test`: prepares the browser, then runs vitest with whatever arguments were given.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { prepareLocalBrowser } from "../src/cli/local-browser.ts";

const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
const env = { ...process.env, ...(await prepareLocalBrowser()), WRANGLER_SEND_METRICS: "false" };
const args = [vitest, "run", "--config", "test/vitest.config.ts", ...process.argv.slice(2)];
process.exitCode = spawnSync(process.execPath, args, { stdio: "inherit", env }).status ?? 1;
