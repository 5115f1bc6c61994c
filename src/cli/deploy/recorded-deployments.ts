// The file `deployments.json` in the root folder. It records the host names and the account of each environment, so they
// are given only once. It contains no secrets and is meant to be committed.
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isObject, parseJson } from "../untrusted-json.ts";
import { UsageError } from "./deploy-options.ts";
import { environments, type Deployment, type Environment } from "./environment.ts";

const fileName = "deployments.json";
const fields = ["domain", "filesDomain", "zoneId", "accountId"] as const;

type Recorded = Partial<Record<Environment, Partial<Deployment>>>;

/** Returns the recorded values of an environment, or an empty object if it has not been deployed yet. */
export async function recordedDeployment(root: string, environment: Environment): Promise<Partial<Deployment>> {
  return (await readRecorded(root))[environment] ?? {};
}

/** Records the values of an environment. The values of the other environment stay as they are. */
export async function recordDeployment(root: string, environment: Environment, deployment: Deployment): Promise<void> {
  const recorded = { ...(await readRecorded(root)), [environment]: deployment };
  const file = join(root, fileName);
  await writeFile(`${file}.new`, `${JSON.stringify(recorded, null, 2)}\n`);
  await rename(`${file}.new`, file);
}

async function readRecorded(root: string): Promise<Recorded> {
  const file = join(root, fileName);
  if (!existsSync(file)) return {};
  const recorded = parseJson(await readFile(file, "utf8"));
  if (!isObject(recorded)) throw new UsageError(`${fileName} is not a JSON object. Correct or delete it.`);
  return Object.fromEntries(environments.map((name) => [name, readEntry(name, recorded[name])]));
}

function readEntry(environment: Environment, entry: unknown): Partial<Deployment> | undefined {
  if (entry === undefined) return undefined;
  if (!isObject(entry)) throw new UsageError(`${fileName}: ${environment} must be an object.`);
  const values = fields.flatMap((field) => {
    const value = entry[field];
    if (value === undefined) return [];
    if (typeof value !== "string") throw new UsageError(`${fileName}: ${environment}.${field} must be a string.`);
    return [[field, value] as const];
  });
  return Object.fromEntries(values);
}
