// The steps of a deployment, as wrangler commands. Each step can be repeated: it first looks for what it would make, or
// wrangler itself skips what is done. So a deployment that failed halfway is simply started again.
import { configFile, type Deployment, type Environment, type WranglerConfig } from "./environment.ts";

/** `title` says what the step does, for example `bucket colophon-files-staging`. */
export type Step = EnsureStep | RunStep;

/** Makes something unless it exists. */
export type EnsureStep = {
  kind: "ensure";
  title: string;
  find: string[];
  /** Returns whether the output of `find` contains the thing. Without it, `find` fails unless the thing exists. */
  isFound?: (output: string) => boolean;
  make: string[];
};

/** Runs a command whose output the operator should see. */
export type RunStep = { kind: "run"; title: string; command: string[] };

/**
 * Returns the steps in their order. Everything that the Worker is bound to comes first, then the migrations, then the code,
 * because new code needs the new tables. Migrations therefore only add what the running code can ignore.
 */
export function deploySteps(
  config: WranglerConfig,
  environment: Environment,
  { filesDomain, zoneId }: Deployment,
  secretsFile: string | null,
): Step[] {
  const file = ["--config", configFile(environment)];
  return [
    ...namesOf(config.d1_databases, "database_name").map((name) => ensureDatabase(name, file)),
    ...namesOf(config.r2_buckets, "bucket_name").map((name) => ensureBucket(name, file)),
    ...queueNames(config).map((name) => ensureQueue(name, file)),
    ...(filesDomain && zoneId ? [ensureFilesDomain(publicBucket(config), { filesDomain, zoneId, file })] : []),
    ...(config.d1_databases ?? []).map(({ binding }) => applyMigrations(binding, file)),
    {
      kind: "run",
      title: `Worker ${config.name}`,
      command: ["deploy", ...file, ...(secretsFile ? ["--secrets-file", secretsFile] : [])],
    },
  ];
}

function ensureDatabase(name: string, file: string[]): EnsureStep {
  return {
    kind: "ensure",
    title: `database ${name}`,
    find: ["d1", "list", "--json", ...file],
    isFound: (output) => databaseId(output, name) !== null,
    make: ["d1", "create", name, "--update-config=false", ...file],
  };
}

/** Returns the id of a database in the output of `wrangler d1 list --json`, or null if it is not there. */
export function databaseId(output: string, name: string): string | null {
  const databases: unknown = JSON.parse(output);
  const found = Array.isArray(databases)
    ? databases.find((entry: unknown) => isDatabase(entry) && entry.name === name)
    : null;
  return isDatabase(found) ? found.uuid : null;
}

function isDatabase(entry: unknown): entry is { name: string; uuid: string } {
  return (
    typeof entry === "object" &&
    entry !== null &&
    "name" in entry &&
    "uuid" in entry &&
    typeof entry.name === "string" &&
    typeof entry.uuid === "string"
  );
}

function ensureBucket(name: string, file: string[]): EnsureStep {
  return {
    kind: "ensure",
    title: `bucket ${name}`,
    find: ["r2", "bucket", "info", name, ...file],
    make: ["r2", "bucket", "create", name, "--update-config=false", ...file],
  };
}

/**
 * Wrangler's own provisioning would make a queue that has a producer, but not one that is only consumed, such as the
 * dead-letter queue.
 */
function ensureQueue(name: string, file: string[]): EnsureStep {
  return {
    kind: "ensure",
    title: `queue ${name}`,
    find: ["queues", "info", name, ...file],
    make: ["queues", "create", name, ...file],
  };
}

function ensureFilesDomain(
  bucket: string,
  { filesDomain, zoneId, file }: { filesDomain: string; zoneId: string; file: string[] },
): EnsureStep {
  const target = [bucket, "--domain", filesDomain];
  return {
    kind: "ensure",
    title: `domain ${filesDomain} of bucket ${bucket}`,
    find: ["r2", "bucket", "domain", "get", ...target, ...file],
    make: ["r2", "bucket", "domain", "add", ...target, "--zone-id", zoneId, "--min-tls", "1.2", "--force", ...file],
  };
}

function applyMigrations(binding: string, file: string[]): RunStep {
  const command = ["d1", "migrations", "apply", binding, "--remote", ...file];
  return { kind: "run", title: `migrations of ${binding}`, command };
}

function publicBucket({ r2_buckets: buckets = [] }: WranglerConfig): string {
  const name = buckets.find(({ binding }) => binding === "FILES")?.bucket_name;
  if (typeof name !== "string") throw new Error("wrangler.toml has no bucket with the binding FILES");
  return name;
}

/** Returns the names of all queues that the Worker produces for or consumes, dead-letter queues included. */
function queueNames({ queues }: WranglerConfig): string[] {
  const produced = queues?.producers?.map(({ queue }) => queue) ?? [];
  const consumed = queues?.consumers?.flatMap(({ queue, dead_letter_queue }) => [queue, dead_letter_queue]) ?? [];
  return [...new Set([...produced, ...consumed])].filter((name) => typeof name === "string");
}

function namesOf<K extends string>(entries: { [key in K]?: unknown }[] | undefined, key: K): string[] {
  return (entries ?? []).map((entry) => entry[key]).filter((name) => typeof name === "string");
}
