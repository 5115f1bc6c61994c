// The only module that uses wrangler's `unstable_` functions, which any release of wrangler may change or remove. If `unstable_readConfig` is
// removed, parse `wrangler.toml` with a TOML parser: `readConfig` returns the file, or its section `env.NAME`, with wrangler's defaults. If
// `unstable_getMiniflareWorkerOptions` is removed, convert the file's bindings to miniflare's `WorkerOptions`, which only have different names.
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig, type Unstable_Config } from "wrangler";
import { projectRoot } from "../paths.ts";

/** `env` is the name of an environment in the file; without it, the top level is read, which is production. */
export function readConfig(env?: string): Unstable_Config {
  return unstable_readConfig({ config: join(projectRoot, "wrangler.toml"), ...(env !== undefined && { env }) });
}

/** Returns a Worker's bindings and compatibility settings for miniflare, without its modules. */
export function simulatorOptions(config: ReturnType<typeof unstable_readConfig>) {
  return unstable_getMiniflareWorkerOptions(config).workerOptions;
}
