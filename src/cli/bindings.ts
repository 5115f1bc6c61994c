// Provides the bindings for the operator's commands: D1, R2, the entry point of the running service, and the keys of webhook secrets.
// They belong to the local service or to a deployed environment. Wrangler's proxy provides the bindings, so the stores work
// with either. A deployed service does not reveal its keys, so they are read from environment variables.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getPlatformProxy, unstable_readConfig, type Unstable_Config, type Unstable_RawConfig } from "wrangler";
import type { OperatorBindings } from "../services/operator-services.ts";
import type { EncryptionKeyTexts } from "../settings.ts";
import { readLocalSecrets } from "./local/local-secrets.ts";
import { projectRoot, registry, stateDir } from "./paths.ts";

/** Where the operator's commands act: on the local service, or on a deployed environment of `wrangler.toml`. */
export type Target = { remote: boolean; env?: string | undefined };

/** The keys of webhook secrets may be missing. */
export type CommandBindings = Required<Omit<OperatorBindings, keyof EncryptionKeyTexts>> & EncryptionKeyTexts;

export async function withBindings<T>(
  { remote, env }: Target,
  use: (bindings: CommandBindings) => Promise<T>,
): Promise<T> {
  Object.assign(process.env, registry);
  const folder = await mkdtemp(join(tmpdir(), "colophon-"));
  try {
    const configPath = join(folder, "wrangler.json");
    const config = unstable_readConfig({ config: join(projectRoot, "wrangler.toml"), ...(env && { env }) });
    await writeFile(configPath, JSON.stringify(operatorConfig(config, remote)));
    const persist = { path: join(stateDir, "v3") };
    const proxy = await getPlatformProxy<CommandBindings>({ configPath, persist, remoteBindings: remote });
    try {
      return await use({ ...proxy.env, ...(remote ? deployedKeys() : await readLocalSecrets(stateDir)) });
    } finally {
      await proxy.dispose();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function deployedKeys(): EncryptionKeyTexts {
  const { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS } = process.env;
  return { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS };
}

/**
 * Returns the part of the service's configuration that the commands need. The rest is left out, so that no browser or
 * Durable Object starts.
 */
function operatorConfig(config: Unstable_Config, remote: boolean): Unstable_RawConfig {
  return {
    // The service itself has the name of the configuration. A second Worker of that name would hide it.
    name: `${config.name}-operator`,
    compatibility_date: config.compatibility_date,
    account_id: config.account_id,
    d1_databases: config.d1_databases.map((database) => ({ ...database, remote })),
    r2_buckets: config.r2_buckets.map((bucket) => ({ ...bucket, remote })),
    services: [{ binding: "MAINTENANCE", service: config.name ?? "", entrypoint: "Maintenance", remote }],
  };
}
