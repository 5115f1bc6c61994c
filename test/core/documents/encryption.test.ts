import { expect, it } from "vitest";
import {
  openEncryption,
  pdfEncryption,
  sealEncryption,
  type EncryptionRequest,
} from "../../../src/core/documents/encryption.ts";
import { secretCipher } from "../../../src/core/webhooks/secret-encryption.ts";

const keyOf = (byte: number) => new Uint8Array(32).fill(byte);
const cipherOf = (byte: number, purpose = "passwords", previous: number | null = null) =>
  secretCipher(() => ({ current: keyOf(byte), previous: previous === null ? null : keyOf(previous) }), purpose);
const encryption: EncryptionRequest = { userPassword: "s3cret-é", ownerPassword: "0wner", permissions: ["copy"] };

it("the default encryption permits everything, and encrypts the metadata", () => {
  const { permissions, ...rest } = pdfEncryption({ userPassword: "a" });

  expect(permissions).toHaveLength(7);
  expect(rest).toEqual({ userPassword: new Uint8Array([97]), ownerPassword: null, encryptMetadata: true });
});

it("a sealed encryption is opened for its document, also with its key as the previous one, and contains no password", async () => {
  const sealed = await sealEncryption(cipherOf(1), "d", encryption);

  expect(await openEncryption(cipherOf(1), "d", sealed)).toEqual(pdfEncryption(encryption));
  expect(await openEncryption(cipherOf(2, "passwords", 1), "d", sealed)).toEqual(pdfEncryption(encryption));
  const bytes = Buffer.from(JSON.parse(sealed).ciphertext, "base64");
  for (const password of ["s3cret", "0wner"]) expect([sealed, bytes.toString("latin1")].join()).not.toContain(password);
});

it.each([
  ["with a different key", cipherOf(2), "d"],
  ["for a different document", cipherOf(1), "e"],
  ["for a different purpose", cipherOf(1, "webhook secret"), "d"],
])("a sealed encryption cannot be opened %s", async (_, cipher, documentId) => {
  expect(await openEncryption(cipher, documentId, await sealEncryption(cipherOf(1), "d", encryption))).toBeNull();
});
