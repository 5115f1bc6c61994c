// Runs the operator's commands for webhook secrets on a local service, and replaces the key that encrypts the secrets.
import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newAccount, startService, type RunningService } from "./service.ts";

let service: RunningService;

beforeAll(async () => {
  service = await startService({ DEMO: "0" });
}, 120_000);
afterAll(() => service.stop());

const secretsOf = async (accountId: string) => {
  const { secrets } = await service.cli<{ secrets: string[] }>("webhook-secret", "show", "--account", accountId);
  return secrets;
};

/** Returns the contents of all database files, including those that SQLite has not yet merged. */
async function storedBytes(): Promise<string> {
  const folder = join(service.stateDir, "v3");
  const paths = await readdir(folder, { recursive: true });
  const files = paths.filter((path) => path.includes(".sqlite"));
  const contents = await Promise.all(files.map((path) => readFile(join(folder, path), "latin1")));
  return contents.join("\n");
}

it("stores webhook secrets so that nobody can read them without a key in a file of mode 0600", async () => {
  const { id } = await newAccount(service, "free");
  await service.cli("webhook-secret", "rotate", "--account", id);

  const secrets = await secretsOf(id);
  const stored = await storedBytes();

  expect((await stat(join(service.stateDir, "secrets.env"))).mode & 0o777).toBe(0o600);
  expect(secrets).toHaveLength(2);
  expect(stored).toContain(id);
  for (const secret of secrets) expect(stored).not.toContain(secret.slice("whsec_".length));
});

it("keeps its webhook secrets when the key is replaced", async () => {
  const file = join(service.stateDir, "secrets.env");
  const { id } = await newAccount(service, "free");
  const before = await secretsOf(id);
  const [, oldKey = ""] = (await readFile(file, "utf8")).trim().split(/=(.*)/s);
  const newKey = randomBytes(32).toString("base64");

  await writeFile(file, `WEBHOOK_SECRETS_KEY=${newKey}\nWEBHOOK_SECRETS_KEY_PREVIOUS=${oldKey}\n`);
  const { reEncrypted } = await service.cli<{ reEncrypted: number }>("webhook-secret", "re-encrypt");
  await writeFile(file, `WEBHOOK_SECRETS_KEY=${newKey}\n`);

  expect(reEncrypted).toBeGreaterThanOrEqual(1);
  expect(await secretsOf(id)).toEqual(before);
});

it("names the variable when the key is not the one that encrypted the secrets", async () => {
  const file = join(service.stateDir, "secrets.env");
  const { id } = await newAccount(service, "free");
  const saved = await readFile(file, "utf8");

  await writeFile(file, `WEBHOOK_SECRETS_KEY=${randomBytes(32).toString("base64")}\n`);
  const shown = secretsOf(id);

  await expect(shown).rejects.toThrow("which is neither WEBHOOK_SECRETS_KEY nor WEBHOOK_SECRETS_KEY_PREVIOUS");
  await expect(service.cli("webhook-secret", "re-encrypt")).rejects.toThrow(/cannot be read with WEBHOOK_SECRETS_KEY/);
  await writeFile(file, saved);
});
