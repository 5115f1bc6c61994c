// The D1 and R2 bindings of a local service with this STATE_DIR, for benchmarks that write rows by the thousand.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig, type Unstable_RawConfig } from "wrangler";
import { readLocalSecrets } from "../../src/cli/local/local-secrets.ts";
import { projectRoot, stateDir } from "../../src/cli/paths.ts";

export async function withBindings<T>(use: (bindings: Env) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "colophon-bench-"));
  try {
    const { name, compatibility_date, d1_databases, r2_buckets } = unstable_readConfig({
      config: join(projectRoot, "wrangler.toml"),
    });
    // The rest is left out, so that no browser or Durable Object starts.
    const config: Unstable_RawConfig = { name: `${name}-seed`, compatibility_date, d1_databases, r2_buckets };
    const configPath = join(folder, "wrangler.json");
    await writeFile(configPath, JSON.stringify(config));
    const proxy = await getPlatformProxy<Env>({ configPath, persist: { path: join(stateDir, "v3") } });
    try {
      return await use({ ...proxy.env, ...(await readLocalSecrets(stateDir)) });
    } finally {
      await proxy.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
