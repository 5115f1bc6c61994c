import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createLocalSecrets, localSecretsFile, readLocalSecrets } from "../../../src/cli/local/local-secrets.ts";
import { readEncryptionKeys } from "../../../src/services/encryption-keys.ts";

let stateDir: string;

beforeEach(async () => {
  stateDir = await mkdtemp(join(tmpdir(), "colophon-test-"));
});
afterEach(() => rm(stateDir, { recursive: true, force: true }));

it("creates a valid key in a file that only its owner can read", async () => {
  await createLocalSecrets(stateDir);

  expect(readEncryptionKeys(await readLocalSecrets(stateDir)).current).toHaveLength(32);
  expect((await stat(localSecretsFile(stateDir))).mode & 0o777).toBe(0o600);
});

it("keeps the key of an earlier start", async () => {
  await createLocalSecrets(stateDir);
  const first = await readFile(localSecretsFile(stateDir), "utf8");

  await createLocalSecrets(stateDir);

  expect(await readFile(localSecretsFile(stateDir), "utf8")).toBe(first);
});

it("creates different keys for different directories", async () => {
  const other = await mkdtemp(join(tmpdir(), "colophon-test-"));
  await Promise.all([createLocalSecrets(stateDir), createLocalSecrets(other)]);

  const [mine, theirs] = [await readLocalSecrets(stateDir), await readLocalSecrets(other)];
  await rm(other, { recursive: true });

  expect(mine).not.toEqual(theirs);
});

it("reads no key if no service has run", async () => {
  expect(() => readEncryptionKeys({})).toThrow("WEBHOOK_SECRETS_KEY is missing");
  expect(await readLocalSecrets(stateDir)).toEqual({});
});

it.each(["WEBHOOK_SECRETS_KEY", "WEBHOOK_SECRETS_KEY_PREVIOUS"])(
  "names %s if it is malformed, without its value",
  (name) => {
    const valid = Buffer.alloc(32).toString("base64");

    const read = () => readEncryptionKeys({ WEBHOOK_SECRETS_KEY: valid, [name]: "hunter2" });

    expect(read).toThrow(`${name} must be 32 random bytes in base64`);
    expect(read).not.toThrow("hunter2");
  },
);

it.each([undefined, "", " "])("counts a previous key of %j as absent", (previous) => {
  const valid = Buffer.alloc(32).toString("base64");

  expect(
    readEncryptionKeys({ WEBHOOK_SECRETS_KEY: `${valid}\n`, WEBHOOK_SECRETS_KEY_PREVIOUS: previous }).previous,
  ).toBeNull();
});
