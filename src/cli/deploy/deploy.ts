// Deploys an environment: writes its configuration, makes what the Worker is bound to, applies the migrations, deploys the
// Worker and runs the smoke test. Started again after a failure, it goes on where it stopped.
import type { Wrangler } from "../wrangler.ts";
import { readBaseConfig, writeConfig } from "./base-config.ts";
import { readDeployOptions, UsageError, validDeployment } from "./deploy-options.ts";
import { deploySteps } from "./deploy-plan.ts";
import { baseUrlOf, configFile, environmentConfig, type Deployment, type Environment } from "./environment.ts";
import { accountToUse } from "./login.ts";
import { recordDeployment, recordedDeployment } from "./recorded-deployments.ts";
import { runSteps } from "./run-steps.ts";
import { withSecretsFile } from "./worker-secrets.ts";

export type DeployContext = {
  /** The root folder of the project. */
  root: string;
  wrangler: Wrangler;
  variables: Record<string, string | undefined>;
  print(line: string): void;
  /** Tests the service at this base URL. Rejects if it does not work. */
  smokeTest(baseUrl: string): Promise<void>;
};

export async function deploy(args: string[], context: DeployContext): Promise<void> {
  const { root, wrangler, variables, print } = context;
  const { environment, given } = readDeployOptions(args, variables);
  const base = readBaseConfig(root);
  const recorded = await recordedDeployment(root, environment);
  requireSameAccount(environment, given.accountId, recorded.accountId);
  const values = validDeployment(environment, { ...recorded, ...given }, base.name ?? "");

  await withSecretsFile(variables, async (secretsFile) => {
    const deployment = { ...values, accountId: await accountToUse(wrangler, values.accountId) };
    const config = environmentConfig(base, environment, deployment);
    await writeConfig(root, environment, config);
    await recordDeployment(root, environment, deployment);
    await runSteps(deploySteps(config, environment, deployment, secretsFile), wrangler, print);
    print(nextSteps(environment, deployment));
  });
  await context.smokeTest(baseUrlOf(values));
}

/** A variable for another project must not move an environment to another account, where it would find no data. */
function requireSameAccount(environment: Environment, given: string | undefined, recorded: string | undefined): void {
  if (given === undefined || recorded === undefined || given === recorded) return;
  throw new UsageError(
    `${environment} was deployed to the account ${recorded}, not ${given}. To move it, first delete its accountId in deployments.json.`,
  );
}

function nextSteps(environment: Environment, deployment: Deployment): string {
  const baseUrl = baseUrlOf(deployment);
  const cli = (command: string) => `  npm run -s cli -- ${command} --remote --env ${environment}`;
  return [
    "",
    `Base URL  ${baseUrl}`,
    "",
    "The first account, its key and a template, with the Worker's WEBHOOK_SECRETS_KEY in a variable of that name:",
    "",
    cli("account create --name NAME --plan pro"),
    cli("key create --account ACCOUNT_ID"),
    cli("template push templates/invoice --account ACCOUNT_ID"),
    "",
    "The whole smoke test, with that key:",
    "",
    `  COLOPHON_KEY=KEY npm run smoke -- ${baseUrl}`,
    "",
    "Back to the previous code:",
    "",
    `  npx wrangler rollback --config ${configFile(environment)}`,
    "",
  ].join("\n");
}
