import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
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

it("the first start creates different valid keys in files that only their owner can read, and later starts keep them", async () => {
  const directories = [stateDir, join(stateDir, "other")];
  await mkdir(join(stateDir, "other"));
  const keysAtStart = async (directory: string) => {
    await createLocalSecrets(directory);
    expect((await stat(localSecretsFile(directory))).mode & 0o777).toBe(0o600);
    const keys = await readLocalSecrets(directory);
    expect(readEncryptionKeys(keys).current).toHaveLength(32);
    return keys;
  };

  const [first, other] = await Promise.all(directories.map(keysAtStart));

  expect(first).not.toEqual(other);
  expect(await keysAtStart(stateDir)).toEqual(first);
});

it("no key is read if no service has run", async () => {
  expect(() => readEncryptionKeys({})).toThrow("WEBHOOK_SECRETS_KEY is missing");
  expect(await readLocalSecrets(stateDir)).toEqual({});
});

it.each(["WEBHOOK_SECRETS_KEY", "WEBHOOK_SECRETS_KEY_PREVIOUS"])(
  "a malformed %s is reported without its value",
  (name) => {
    const valid = Buffer.alloc(32).toString("base64");

    const read = () => readEncryptionKeys({ WEBHOOK_SECRETS_KEY: valid, [name]: "hunter2" });

    expect(read).toThrow(`${name} must be 32 random bytes in base64`);
    expect(read).not.toThrow("hunter2");
  },
);

it.each([undefined, "", " "])("a previous key of %j counts as absent", (previous) => {
  const valid = Buffer.alloc(32).toString("base64");

  expect(
    readEncryptionKeys({ WEBHOOK_SECRETS_KEY: `${valid}\n`, WEBHOOK_SECRETS_KEY_PREVIOUS: previous }).previous,
  ).toBeNull();
});
