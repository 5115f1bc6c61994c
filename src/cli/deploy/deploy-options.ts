// Reads and validates what `npm run deploy` is told: arguments first, then environment variables, then what the last
// deployment of the environment has recorded.
import { parseArgs } from "node:util";
import { environments, isEnvironment, isWorkersDev, type Deployment, type Environment } from "./environment.ts";

/** Thrown when an argument, a variable or a recorded value is missing or invalid. */
export class UsageError extends Error {}

type Variables = Record<string, string | undefined>;
type Field = keyof Deployment;

/** The environment variable that can replace each argument. */
const variableNames: Record<Field, string> = {
  domain: "DEPLOY_DOMAIN",
  filesDomain: "DEPLOY_FILES_DOMAIN",
  zoneId: "DEPLOY_ZONE_ID",
  accountId: "CLOUDFLARE_ACCOUNT_ID",
};

const argumentNames: Record<Field, string> = {
  domain: "--domain",
  filesDomain: "--files-domain",
  zoneId: "--zone-id",
  accountId: "--account-id",
};

export const deployUsage = `usage: npm run deploy -- --env ${environments.join("|")} [--domain HOST] [--files-domain HOST --zone-id ID] [--account-id ID]
  --env           the environment (DEPLOY_ENV)
  --domain        the host name of the API (DEPLOY_DOMAIN); necessary the first time
  --files-domain  the host name of the public bucket (DEPLOY_FILES_DOMAIN); without it, the Worker serves the files
  --zone-id       the id of the zone of --files-domain (DEPLOY_ZONE_ID)
  --account-id    the Cloudflare account (CLOUDFLARE_ACCOUNT_ID); necessary if your login has several
Values are recorded in deployments.json and used again. The variable of each argument is in parentheses.
The variable HEALTH_SECRET sets the secret of the deep health check.`;

export type DeployOptions = { environment: Environment; given: Partial<Deployment> };

/** Returns the environment, and the values that were given for it as arguments or variables. */
export function readDeployOptions(args: string[], variables: Variables): DeployOptions {
  const values = parseValues(args);
  const environment = values.env ?? variables["DEPLOY_ENV"];
  if (!environment) throw new UsageError(`Say which environment to deploy: --env ${environments.join(" or --env ")}.`);
  if (!isEnvironment(environment))
    throw new UsageError(`--env must be ${environments.join(" or ")}, not \`${environment}\`.`);
  const fromArguments: Partial<Deployment> = {
    domain: values.domain,
    filesDomain: values["files-domain"],
    zoneId: values["zone-id"],
    accountId: values["account-id"],
  };
  const fields = Object.keys(variableNames) as Field[];
  const given = fields.flatMap((field) => {
    const value = fromArguments[field] ?? variables[variableNames[field]];
    return value ? [[field, value.trim()] as const] : [];
  });
  return { environment, given: Object.fromEntries(given) };
}

function parseValues(args: string[]) {
  const value = { type: "string" as const };
  const options = { env: value, domain: value, "files-domain": value, "zone-id": value, "account-id": value };
  try {
    return parseArgs({ args, options, strict: true }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error));
  }
}

/** Returns the values of a deployment if they are complete and fit together. `workerName` has no suffix. */
export function validDeployment(environment: Environment, values: Partial<Deployment>, workerName: string): Deployment {
  const { domain, filesDomain, zoneId, accountId } = values;
  if (!domain) throw new UsageError(`Give the host name of the API the first time: --domain pdf.example.com.`);
  requireHost("domain", domain);
  if (isWorkersDev(domain)) requireWorkersDev(environment, domain, workerName);
  if (filesDomain !== undefined) {
    requireHost("filesDomain", filesDomain);
    if (isWorkersDev(filesDomain)) throw new UsageError("--files-domain must be a domain of your own.");
    if (filesDomain === domain) throw new UsageError("--files-domain and --domain must be different host names.");
    if (!zoneId) throw new UsageError("--files-domain also needs --zone-id, which the zone's overview page shows.");
  }
  if (zoneId !== undefined && !filesDomain) throw new UsageError("--zone-id is only for --files-domain.");
  if (zoneId !== undefined) requireId("zoneId", zoneId);
  if (accountId !== undefined) requireId("accountId", accountId);
  return { domain, filesDomain, zoneId, accountId };
}

function requireHost(field: Field, value: string): void {
  const label = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?";
  const isHost = value.length <= 253 && new RegExp(`^(${label}\\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])$`).test(value);
  if (!isHost)
    throw new UsageError(
      `${argumentNames[field]} must be a host name in lower case, such as pdf.example.com, not \`${value}\`.`,
    );
}

function requireWorkersDev(environment: Environment, domain: string, workerName: string): void {
  if (environment === "production") throw new UsageError("Production needs a --domain of your own, not workers.dev.");
  const expected = `${workerName}-${environment}`;
  if (!new RegExp(`^${expected}\\.[a-z0-9-]+\\.workers\\.dev$`).test(domain))
    throw new UsageError(`The address below workers.dev is ${expected}.YOUR-SUBDOMAIN.workers.dev, not \`${domain}\`.`);
}

function requireId(field: Field, value: string): void {
  if (!/^[0-9a-f]{32}$/.test(value))
    throw new UsageError(`${argumentNames[field]} must have 32 hexadecimal digits, unlike \`${value}\`.`);
}
