// The file in STATE_DIR with the secrets of a local service: the key that encrypts webhook secrets, and the operator's key. It has
// the format of dotenv. `npm start` creates it, and the local Worker and the operator's commands read it.
import { randomBytes } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { EncryptionKeyTexts } from "../../services/encryption-keys.ts";

export function localSecretsFile(stateDir: string): string {
  return join(stateDir, "secrets.env");
}

/** Creates the file with new keys, unless it already has them. Only its owner may read it. */
export async function createLocalSecrets(stateDir: string): Promise<void> {
  const { WEBHOOK_SECRETS_KEY: encryption, OPERATOR_KEY: operator } = await readLocalSecrets(stateDir);
  const missing = [
    ...(encryption ? [] : [`WEBHOOK_SECRETS_KEY=${randomBytes(32).toString("base64")}`]),
    ...(operator ? [] : [`OPERATOR_KEY=colophon_operator_${randomBytes(32).toString("base64url")}`]),
  ];
  const lines = missing.map((line) => `${line}\n`).join("");
  await appendFile(localSecretsFile(stateDir), lines, { mode: 0o600 });
}

export type LocalSecrets = EncryptionKeyTexts & { OPERATOR_KEY?: string | undefined };

/** Returns the keys in the file. Returns no keys if there is no file. */
export async function readLocalSecrets(stateDir: string): Promise<LocalSecrets> {
  const text = await readFile(localSecretsFile(stateDir), "utf8").catch(() => "");
  const { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS, OPERATOR_KEY } = parseEnv(text);
  return { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS, OPERATOR_KEY };
}
