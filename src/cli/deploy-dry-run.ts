// `npm run deploy:dry`: builds the Worker as a deployment of each environment would, without a Cloudflare account. Prints
// the size of the bundle and its start-up time, and fails if one of them exceeds its limit, or if the bundle contains a command.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buildAssets } from "./assets/build-assets.ts";
import { projectRoot } from "./bindings.ts";
import { readBaseConfig } from "./deploy/base-config.ts";
import { bundleSize, describeBundle, exceededLimits, foreignSources, startupMs } from "./deploy/bundle-limits.ts";
import { environmentConfig, environments, type Environment } from "./deploy/environment.ts";
import { recordedDeployment } from "./deploy/recorded-deployments.ts";
import { wranglerIn } from "./wrangler.ts";

const wrangler = wranglerIn(projectRoot);
const outputFolder = ".wrangler/dry-run";

try {
  await buildAssets(projectRoot);
  for (const environment of environments) {
    console.log(environment);
    const problems = await dryRun(environment);
    if (problems.length > 0) throw new Error(problems.join("\n"));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Returns one sentence for each limit that the Worker exceeds, and one if it contains what must not be deployed. */
async function dryRun(environment: Environment): Promise<string[]> {
  const recorded = await recordedDeployment(projectRoot, environment);
  const deployment = { ...recorded, domain: recorded.domain ?? "colophon.example.com" };
  const file = `wrangler.${environment}.dry-run.json`;
  const config = environmentConfig(readBaseConfig(projectRoot), environment, deployment);
  await writeFile(join(projectRoot, file), JSON.stringify(config));
  try {
    const folder = `${outputFolder}/${environment}`;
    await rm(join(projectRoot, folder), { recursive: true, force: true });
    const upload = `${folder}.bundle`;
    await run(["deploy", "--dry-run", "--outdir", folder, "--outfile", upload, "--config", file]);
    const profile = `${folder}.cpuprofile`;
    const startup = await run(["check", "startup", "--worker", upload, "--outfile", profile, "--config", file]);
    const bundle = { ...bundleSize(join(projectRoot, folder)), startupMs: startupMs(startup) };
    console.log(describeBundle(bundle));
    return [...exceededLimits(bundle), ...foreignSources(join(projectRoot, folder))];
  } finally {
    await rm(join(projectRoot, file));
  }
}

async function run(args: string[]): Promise<string> {
  const { status, stdout, stderr } = await wrangler(args);
  if (status !== 0) throw new Error(`wrangler ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout;
}
