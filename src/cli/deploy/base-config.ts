// Reads wrangler.toml, and derives from it the configuration of an environment that has been deployed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { experimental_readRawConfig } from "wrangler";
import type { Wrangler } from "../wrangler.ts";
import { UsageError } from "./deploy-options.ts";
import { databaseId } from "./deploy-plan.ts";
import {
  configFile,
  environmentConfig,
  type Deployment,
  type Environment,
  type WranglerConfig,
} from "./environment.ts";
import { recordedDeployment } from "./recorded-deployments.ts";

/** Returns `wrangler.toml` as it is written, without the defaults that wrangler adds. */
export function readBaseConfig(root: string): WranglerConfig {
  return experimental_readRawConfig({ config: join(root, "wrangler.toml") }).rawConfig;
}

/** Writes the configuration file of an environment, which wrangler's commands take. */
export async function writeConfig(root: string, environment: Environment, config: WranglerConfig): Promise<void> {
  await writeFile(join(root, configFile(environment)), `${JSON.stringify(config, null, 2)}\n`);
}

/**
 * Returns the configuration of a deployed environment, with the ids of its databases, which wrangler needs to reach them
 * from here. Throws if `deployments.json` does not know the environment.
 */
export async function deployedConfig(
  root: string,
  environment: Environment,
  wrangler: Wrangler,
): Promise<WranglerConfig> {
  const recorded = await recordedDeployment(root, environment);
  if (!isComplete(recorded))
    throw new UsageError(
      `deployments.json has no entry for ${environment}. Run npm run deploy -- --env ${environment}.`,
    );
  const config = environmentConfig(readBaseConfig(root), environment, recorded);
  await writeConfig(root, environment, config);
  const { status, stdout, stderr } = await wrangler(["d1", "list", "--json", "--config", configFile(environment)]);
  if (status !== 0) throw new Error(`wrangler d1 list failed: ${`${stdout}\n${stderr}`.trim()}`);
  const databases = config.d1_databases?.map((database) => {
    const id = databaseId(stdout, database.database_name ?? "");
    if (id === null) throw new UsageError(`The account has no database ${database.database_name}.`);
    return { ...database, database_id: id };
  });
  return { ...config, d1_databases: databases };
}

function isComplete(recorded: Partial<Deployment>): recorded is Deployment {
  return recorded.domain !== undefined;
}
