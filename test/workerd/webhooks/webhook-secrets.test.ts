// Tests webhook secrets in a real D1 database. A new account has one secret. After a rotation, the old and the new secret are both
// valid until the overlap ends.
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { secretCipher } from "../../../src/core/webhooks/secret-encryption.ts";
import { newWebhookSecret } from "../../../src/core/webhooks/webhook-signature.ts";
import { createAccount, rotateWebhookSecret } from "../../../src/operations/accounts/manage-accounts.ts";
import { accountStore } from "../../../src/platform/accounts/account-store.ts";
import { d1Client } from "../../../src/platform/d1/d1-client.ts";
import { webhookSecretStore } from "../../../src/platform/webhooks/webhook-secret-store.ts";
import { readEncryptionKeys } from "../../../src/services/encryption-keys.ts";
import { deliveryServices } from "../../../src/services/object-services.ts";
import { operatorServices } from "../../../src/services/operator-services.ts";
import { audit } from "../../fixtures/audit.ts";
import { singleDatabase } from "../../fixtures/databases.ts";
import { callTimeoutMs } from "../app.ts";
import { losingD1 } from "../storage/spied-d1.ts";

const d1 = d1Client(env.DB, callTimeoutMs);
const cipher = secretCipher(() => readEncryptionKeys(env));
const secrets = webhookSecretStore(d1, cipher);
/** The store behind a D1 that loses a response. */
const losing = () => webhookSecretStore(losingD1("batch"), cipher);
const hour = 3_600_000;
const day = 24 * hour;
/** Later than the creation of every account in these tests. */
const later = Date.UTC(2100, 0, 1);
const secretPattern = /^whsec_[A-Za-z0-9+/]{43}=$/;

it("an account gets only one secret even if the response to its insert was lost", async () => {
  const services = { ...operatorServices(env), accounts: accountStore(singleDatabase(losingD1("batch")), cipher) };

  const { id } = await createAccount(services, { name: "Lost", plan: "free" });

  expect(await secrets.valid(id, Date.now())).toHaveLength(1);
});

it.for([
  { at: 1_999, valid: 2 },
  { at: 2_000, valid: 1 },
  { at: 2_001, valid: 1 },
])("a rotation keeps the previous secret until the overlap ends (valid at $at ms: $valid)", async ({ at, valid }) => {
  const { accountId } = await account();

  await rotate(accountId, "whsec_second", later + 1_000, later + 2_000);

  expect(await secrets.valid(accountId, later + at)).toHaveLength(valid);
});

it("a rotation during an overlap makes the oldest secret expire immediately, so that at most two secrets are valid", async () => {
  const { accountId } = await account();
  await rotate(accountId, "whsec_second", later + 1_000, later + 1_000 + day);

  await rotate(accountId, "whsec_third", later + 2_000, later + 2_000 + day);

  expect(await secrets.valid(accountId, later + 2_000)).toEqual(["whsec_third", "whsec_second"]);
  expect(await secrets.valid(accountId, later + 1_999 + day)).toEqual(["whsec_third", "whsec_second"]);
  expect(await secrets.valid(accountId, later + 2_000 + day)).toEqual(["whsec_third"]);
});

it.for([
  ["whsec_1", "whsec_2"],
  ["whsec_2", "whsec_1"],
] as const)("a rotation makes its secret the newest even in the same millisecond (%s, %s)", async ([one, two]) => {
  const { accountId } = await account();

  for (const secret of [one, two]) await rotate(accountId, secret, later + 1_000, later + 2_000);

  expect(await secrets.valid(accountId, later + 1_000)).toEqual([two, one]);
});

it("a rotation after an overlap does not make the oldest secret valid again", async () => {
  const { accountId } = await account();
  await rotate(accountId, "whsec_second", later + 1_000, later + 2_000);

  await rotate(accountId, "whsec_third", later + 3_000, later + 4_000);

  expect(await secrets.valid(accountId, later + 3_000)).toEqual(["whsec_third", "whsec_second"]);
});

it("a rotation does not affect other accounts", async () => {
  const [mine, theirs] = [await account(), await account()];

  await rotate(mine.accountId, "whsec_second", later + 1_000, later + 2_000);

  expect(await secrets.valid(theirs.accountId, later + 5_000)).toEqual([theirs.first]);
});

it("a rotation takes effect only once, even if its response was lost", async () => {
  const { accountId, first } = await account();

  await rotate(accountId, "whsec_second", later + 1_000, later + 2_000, losing());

  expect(await secrets.valid(accountId, later + 1_000)).toEqual(["whsec_second", first]);
  expect(await secrets.valid(accountId, later + 2_000)).toEqual(["whsec_second"]);
});

it("a repeated rotation does not replace the secret of a later rotation", async () => {
  const { accountId } = await account();
  const first = audit(accountId, { createdAt: later + 1_000 });
  await secrets.rotate(accountId, "whsec_second", later + 1_000 + day, first);
  await rotate(accountId, "whsec_third", later + 1_010, later + 1_010 + day);

  await secrets.rotate(accountId, "whsec_second", later + 1_000 + day, first);

  expect(await secrets.valid(accountId, later + 1_010)).toEqual(["whsec_third", "whsec_second"]);
  expect(await secrets.valid(accountId, later + 1_010 + 2 * day)).toEqual(["whsec_third"]);
});

it("concurrent rotations leave two valid secrets, and only one after the overlap", async () => {
  const { accountId } = await account();

  const rotations = Array.from({ length: 8 }, newWebhookSecret);
  await Promise.all(rotations.map((secret) => rotate(accountId, secret, later + 1_000, later + 2_000)));

  expect(await secrets.valid(accountId, later + 1_000)).toHaveLength(2);
  expect(await secrets.valid(accountId, later + 2_000)).toHaveLength(1);
});

it("the operator's rotation returns the valid secrets, newest first, and keeps the previous secret for a day", async () => {
  const { accountId, first } = await account();
  const now = Date.now();

  const valid = await rotateWebhookSecret({ ...operatorServices(env), now: () => now }, accountId);

  expect(valid).toEqual([expect.stringMatching(secretPattern), first]);
  expect(valid[0]).not.toBe(first);
  expect(await secrets.valid(accountId, now + day - 1)).toEqual(valid);
  expect(await secrets.valid(accountId, now + day)).toEqual(valid.slice(0, 1));
});

it("a stored secret is encrypted, whether it is the first secret or a rotated secret", async () => {
  const { accountId } = await account();
  await rotateWebhookSecret(operatorServices(env), accountId);

  const valid = await secrets.valid(accountId, Date.now());
  const stored = JSON.stringify(await rowsOf(accountId));

  expect(valid).toHaveLength(2);
  for (const secret of valid) expect(stored).not.toContain(secret.slice("whsec_".length));
});

it("a stored secret that cannot be read is skipped while the account has another valid secret", async () => {
  const { accountId } = await account();
  await env.DB.prepare("UPDATE webhook_secrets SET key_id = 'lost' WHERE account_id = ?").bind(accountId).run();

  await rotate(accountId, "whsec_second", later + 1_000, later + 2_000);

  expect(await secrets.valid(accountId, later + 1_000)).toEqual(["whsec_second"]);
});

const keyText = (byte: number) => btoa(String.fromCharCode(...new Uint8Array(32).fill(byte)));
const before = { ...env, WEBHOOK_SECRETS_KEY: keyText(1) };
const during = { ...env, WEBHOOK_SECRETS_KEY: keyText(2), WEBHOOK_SECRETS_KEY_PREVIOUS: keyText(1) };
const after = { ...env, WEBHOOK_SECRETS_KEY: keyText(2) };
const validWith = (bindings: Env, accountId: string) => deliveryServices(bindings).secrets.valid(accountId, later);

/** Removes all secrets, so that no other test's secret uses a different key, and creates accounts with the key `before`. */
async function accounts(count: number): Promise<string[]> {
  await env.DB.prepare("DELETE FROM webhook_secrets").run();
  const services = operatorServices(before);
  const created = Array.from({ length: count }, () => createAccount(services, { name: "Test", plan: "free" }));
  return (await Promise.all(created)).map(({ id }) => id);
}

it("the new encryption key suffices after all secrets were re-encrypted, including secrets in an overlap", async () => {
  const ids = await accounts(60);
  const [first = ""] = ids;
  await rotateWebhookSecret({ ...operatorServices(before), now: () => later - 1 }, first);
  const expected = await Promise.all(ids.map((id) => validWith(before, id)));

  const counts = await operatorServices(during).secrets.reEncrypt(later);

  expect(counts).toEqual({ reEncrypted: 61, unreadable: 0 });
  expect(await Promise.all(ids.map((id) => validWith(after, id)))).toEqual(expected);
  expect(expected[0]).toHaveLength(2);
  expect(await operatorServices(during).secrets.reEncrypt(later)).toEqual({ reEncrypted: 0, unreadable: 0 });
});

it("a re-encryption leaves secrets of an unknown key unchanged, and counts them", async () => {
  const [lost = "", other = ""] = await accounts(2);
  await env.DB.prepare("UPDATE webhook_secrets SET key_id = 'lost' WHERE account_id = ?").bind(lost).run();
  const rows = await rowsOf(lost);

  expect(await operatorServices(during).secrets.reEncrypt(later)).toEqual({ reEncrypted: 1, unreadable: 1 });
  expect(await rowsOf(lost)).toEqual(rows);
  expect(await validWith(after, other)).toHaveLength(1);
});

it("a re-encryption removes expired secrets, so their key is not needed", async () => {
  const [id = ""] = await accounts(1);
  await secretsWith(before).rotate(id, "whsec_second", later, audit(id, { createdAt: later - 2 }));

  await operatorServices(during).secrets.reEncrypt(later);

  expect(await rowsOf(id)).toHaveLength(1);
  expect(await validWith(after, id)).toEqual(["whsec_second"]);
});

it("a re-encryption does not undo a rotation that happens at the same time", async () => {
  const [id = ""] = await accounts(1);

  await Promise.all([
    operatorServices(during).secrets.reEncrypt(later),
    secretsWith(during).rotate(id, "whsec_second", later + day, audit(id, { createdAt: later })),
  ]);

  const valid = await secretsWith(during).valid(id, later);
  expect(valid).toEqual(["whsec_second", expect.stringMatching(secretPattern)]);
});

const secretsWith = (bindings: typeof before) => operatorServices(bindings).secrets;

const { WEBHOOK_SECRETS_KEY: _removed, ...keyless } = env;

it("without the encryption key, operator's commands that need webhook secrets name the missing key and store nothing, and other commands work", async () => {
  const id = crypto.randomUUID();
  const services = { ...operatorServices(keyless as Env), newId: () => id };

  expect(await services.accounts.listPlans()).toHaveLength(4);
  await expect(createAccount(services, { name: "Test", plan: "free" })).rejects.toThrow(
    "WEBHOOK_SECRETS_KEY is missing",
  );
  expect(await operatorServices(env).accounts.findAccount(id)).toBeNull();
});

function rotate(accountId: string, secret: string, createdAt: number, overlapEnd: number, store = secrets) {
  return store.rotate(accountId, secret, overlapEnd, audit(accountId, { createdAt }));
}

async function rowsOf(accountId: string): Promise<object[]> {
  const found = await env.DB.prepare("SELECT * FROM webhook_secrets WHERE account_id = ?").bind(accountId).all();
  return found.results;
}

async function account(): Promise<{ accountId: string; first: string }> {
  const { id: accountId } = await createAccount(operatorServices(env), { name: "Test", plan: "free" });
  const [first = ""] = await secrets.valid(accountId, Date.now());
  return { accountId, first };
}
