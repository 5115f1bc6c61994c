// The secrets of the Worker that a deployment can set. They are read from variables, because arguments end up in logs and
// in the history of the shell.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./deploy-options.ts";

const base64Key = {
  pattern: /^[A-Za-z0-9+/]{43}=$/,
  expected: "32 random bytes in base64 (`openssl rand -base64 32`)",
};

/** What each secret must look like. A secret that is not given keeps the value that it has. */
const secrets: Record<string, { pattern: RegExp; expected: string }> = {
  HEALTH_SECRET: { pattern: /^[!-~]{16,}$/, expected: "at least 16 characters, all of them visible ASCII characters" },
  WEBHOOK_SECRETS_KEY: base64Key,
  WEBHOOK_SECRETS_KEY_PREVIOUS: base64Key,
};

/**
 * Passes the path of a file with the given secrets to `use`, or null if none is given. Only the owner can read the file, and it is
 * removed afterwards.
 */
export async function withSecretsFile<T>(
  variables: Record<string, string | undefined>,
  use: (file: string | null) => Promise<T>,
): Promise<T> {
  const given = givenSecrets(variables);
  if (Object.keys(given).length === 0) return use(null);
  const folder = await mkdtemp(join(tmpdir(), "colophon-"));
  try {
    const file = join(folder, "secrets.json");
    await writeFile(file, JSON.stringify(given), { mode: 0o600 });
    return await use(file);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function givenSecrets(variables: Record<string, string | undefined>): Record<string, string> {
  const given = Object.entries(secrets).flatMap(([name, { pattern, expected }]) => {
    const value = variables[name];
    if (!value) return [];
    if (!pattern.test(value)) throw new UsageError(`The secret ${name} must have ${expected}.`);
    return [[name, value] as const];
  });
  return Object.fromEntries(given);
}
