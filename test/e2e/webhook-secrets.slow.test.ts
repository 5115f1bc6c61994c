// Runs the operator's commands for webhook secrets on a local service, and replaces the key that encrypts the secrets.
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newAccount, startService, type RunningService } from "./service.ts";

const stateDir = await mkdtemp(join(tmpdir(), "colophon-test-"));
let service: RunningService;

beforeAll(async () => {
  service = await startService({ DEMO: "0" }, stateDir);
}, 120_000);
afterAll(async () => {
  await service.stop();
  await rm(stateDir, { recursive: true, force: true });
});

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

/** Starts the service again with these keys of webhook secrets. */
async function restartWith(keys: Record<string, string>): Promise<void> {
  const file = join(service.stateDir, "secrets.env");
  const operatorKey = /^OPERATOR_KEY=.*$/m.exec(await readFile(file, "utf8"))?.[0] ?? "";
  await service.stop();
  await writeFile(file, [...Object.entries(keys).map((pair) => pair.join("=")), operatorKey, ""].join("\n"));
  service = await startService({ DEMO: "0" }, service.stateDir);
}

const encryptionKey = async () =>
  /^WEBHOOK_SECRETS_KEY=(.*)$/m.exec(await readFile(join(service.stateDir, "secrets.env"), "utf8"))?.[1] ?? "";

it("keeps its webhook secrets when the key is replaced", { timeout: 240_000 }, async () => {
  const { id } = await newAccount(service, "free");
  const before = await secretsOf(id);
  const oldKey = await encryptionKey();
  const newKey = randomBytes(32).toString("base64");

  await restartWith({ WEBHOOK_SECRETS_KEY: newKey, WEBHOOK_SECRETS_KEY_PREVIOUS: oldKey });
  const { reEncrypted } = await service.cli<{ reEncrypted: number }>("webhook-secret", "re-encrypt");
  await restartWith({ WEBHOOK_SECRETS_KEY: newKey });

  expect(reEncrypted).toBeGreaterThanOrEqual(1);
  expect(await secretsOf(id)).toEqual(before);
});

it("names the variable when the key is not the one that encrypted the secrets", { timeout: 240_000 }, async () => {
  const { id } = await newAccount(service, "free");

  await restartWith({ WEBHOOK_SECRETS_KEY: randomBytes(32).toString("base64") });

  await expect(secretsOf(id)).rejects.toThrow("WEBHOOK_SECRETS_KEY is missing, or is not the key that encrypted them");
  await expect(service.cli("webhook-secret", "re-encrypt")).rejects.toThrow(/cannot be read with WEBHOOK_SECRETS_KEY/);
});
