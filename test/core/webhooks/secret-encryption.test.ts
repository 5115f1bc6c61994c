import { expect, it } from "vitest";
import { parseEncryptionKey, secretCipher, type EncryptionKeys } from "../../../src/core/webhooks/secret-encryption.ts";
import { newWebhookSecret } from "../../../src/core/webhooks/webhook-signature.ts";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);

function cipherWith(current: number, previous: number | null = null) {
  const keys: EncryptionKeys = { current: keyOf(current), previous: previous === null ? null : keyOf(previous) };
  return secretCipher(() => keys);
}

it("an encrypted secret is decrypted to the same text, and contains neither the secret nor the key", async () => {
  const secret = newWebhookSecret();

  const encrypted = await cipherWith(1).encrypt("account-1", secret);

  expect(await cipherWith(1).decrypt("account-1", encrypted)).toBe(secret);
  const stored = JSON.stringify(encrypted);
  expect(stored).not.toContain(secret.slice(6, 20));
  expect(stored).not.toContain(btoa(String.fromCharCode(...keyOf(1))).slice(0, 20));
});

it("an encrypted secret has a different ciphertext each time", async () => {
  const cipher = cipherWith(1);

  const [first, second] = [await cipher.encrypt("a", "whsec_1"), await cipher.encrypt("a", "whsec_1")];

  expect(first.ciphertext).not.toBe(second.ciphertext);
  expect(first.keyId).toBe(second.keyId);
});

it("an encrypted secret cannot be decrypted for a different account", async () => {
  const cipher = cipherWith(1);

  const encrypted = await cipher.encrypt("account-1", "whsec_1");

  expect(await cipher.decrypt("account-2", encrypted)).toBeNull();
});

it("an encrypted secret cannot be decrypted after any of its bytes has changed", async () => {
  const cipher = cipherWith(1);
  const { keyId, ciphertext } = await cipher.encrypt("a", "whsec_1");
  const bytes = Uint8Array.from(atob(ciphertext), (character) => character.charCodeAt(0));

  const decrypted = [...bytes.keys()].map((index) => {
    const changed = bytes.with(index, (bytes[index] ?? 0) ^ 1);
    return cipher.decrypt("a", { keyId, ciphertext: btoa(String.fromCharCode(...changed)) });
  });

  expect(new Set(await Promise.all(decrypted))).toEqual(new Set([null]));
});

it.each(["", "not base64!"])("an encrypted secret with a damaged format is unreadable (%j)", async (ciphertext) => {
  const cipher = cipherWith(1);

  expect(await cipher.decrypt("a", { keyId: await cipher.currentKeyId(), ciphertext })).toBeNull();
});

it("after the encryption key was replaced, old secrets need the previous key, and new secrets only the current key", async () => {
  const old = await cipherWith(1).encrypt("a", "whsec_1");
  const young = await cipherWith(2, 1).encrypt("a", "whsec_2");

  expect(await cipherWith(2, 1).decrypt("a", old)).toBe("whsec_1");
  expect(await cipherWith(2).decrypt("a", old)).toBeNull();
  expect(await cipherWith(2).decrypt("a", young)).toBe("whsec_2");
  expect(young.keyId).toBe(await cipherWith(2).currentKeyId());
});

it("a key is read from the base64 of 32 bytes", () => {
  expect(parseEncryptionKey(btoa(String.fromCharCode(...keyOf(7))))).toEqual(keyOf(7));
});

it.each([
  ["an empty text", ""],
  ["31 bytes", btoa("k".repeat(31))],
  ["33 bytes", btoa("k".repeat(33))],
  ["hexadecimal digits", "ab".repeat(32)],
  ["base64url", `${"-".repeat(43)}=`],
  ["a missing padding", "A".repeat(43)],
  ["a line break inside", `${"A".repeat(20)}\n${"A".repeat(23)}=`],
])("a key is refused if it is %s", (_what, text) => {
  expect(parseEncryptionKey(text)).toBeNull();
});

it("a key is not read before the cipher is used, and the caller gets the error if it cannot be read", async () => {
  const cipher = secretCipher(() => {
    throw new Error("no key");
  });

  await expect(cipher.encrypt("a", "whsec_1")).rejects.toThrow("no key");
});
