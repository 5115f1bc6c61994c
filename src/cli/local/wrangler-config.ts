// The only module that uses wrangler's `unstable_` functions, which any release of wrangler may change or remove. If `unstable_readConfig` goes,
// parse `wrangler.toml` with a TOML parser: `readConfig` is the file, or one `env.NAME` of it, with wrangler's defaults. If
// `unstable_getMiniflareWorkerOptions` goes, write the bindings of the file as miniflare's `WorkerOptions`; they differ in names only.
import { join } from "node:path";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig, type Unstable_Config } from "wrangler";
import { projectRoot } from "../paths.ts";

/** `env` names an environment of the file; without it, the top level is read, which is production. */
export function readConfig(env?: string): Unstable_Config {
  return unstable_readConfig({ config: join(projectRoot, "wrangler.toml"), ...(env !== undefined && { env }) });
}

/** Returns the bindings and compatibility settings of a Worker for miniflare. Its modules are not among them. */
export function simulatorOptions(config: ReturnType<typeof unstable_readConfig>) {
  return unstable_getMiniflareWorkerOptions(config).workerOptions;
}
