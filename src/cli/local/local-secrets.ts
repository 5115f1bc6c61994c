// The file in STATE_DIR with the secrets of a local service: the key that encrypts webhook secrets. Its format is that of
// dotenv. `npm start` creates it, and the local Worker and the operator's commands read it.
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import type { EncryptionKeyTexts } from "../../settings.ts";

export function localSecretsFile(stateDir: string): string {
  return join(stateDir, "secrets.env");
}

/** Creates the file with a new key, unless it exists. Only its owner may read it. */
export async function createLocalSecrets(stateDir: string): Promise<void> {
  const key = randomBytes(32).toString("base64");
  const options = { mode: 0o600, flag: "wx" };
  await writeFile(localSecretsFile(stateDir), `WEBHOOK_SECRETS_KEY=${key}\n`, options).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    },
  );
}

/** Returns the keys in the file. Returns no keys if there is no file. */
export async function readLocalSecrets(stateDir: string): Promise<EncryptionKeyTexts> {
  const text = await readFile(localSecretsFile(stateDir), "utf8").catch(() => "");
  const { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS } = parseEnv(text);
  return { WEBHOOK_SECRETS_KEY, WEBHOOK_SECRETS_KEY_PREVIOUS };
}
