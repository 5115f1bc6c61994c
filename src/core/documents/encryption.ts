// How a request encrypts the file of a document. The passwords of a document that is rendered after the response are stored only
// encrypted, until it has ended.
import { permissions as allPermissions, type PdfEncryption, type Permission } from "colophon-pdf/encryption";
import { preparePassword } from "colophon-pdf/prepare-password";
import type { EncryptedSecret, SecretCipher } from "../webhooks/secret-encryption.ts";

export type EncryptionRequest = {
  userPassword?: string | undefined;
  ownerPassword?: string | undefined;
  /** By default, everything is permitted. */
  permissions?: Permission[] | undefined;
  encryptMetadata?: boolean | undefined;
};

/** Returns how the file is encrypted. The request has been validated. */
export function pdfEncryption(request: EncryptionRequest): PdfEncryption {
  const { userPassword, ownerPassword, permissions = allPermissions, encryptMetadata = true } = request;
  return { userPassword: prepared(userPassword), ownerPassword: prepared(ownerPassword), permissions, encryptMetadata };
}

function prepared(password: string | undefined): Uint8Array | null {
  const result = password === undefined ? null : preparePassword(password);
  return result?.status === "prepared" ? result.bytes : null;
}

/** Returns text that can be decrypted only with the service's keys, and only for this document. */
export async function sealEncryption(
  cipher: SecretCipher,
  documentId: string,
  request: EncryptionRequest,
): Promise<string> {
  return JSON.stringify(await cipher.encrypt(documentId, JSON.stringify(request)));
}

/** Returns null if the keys with which it was sealed are gone. */
export async function openEncryption(
  cipher: SecretCipher,
  documentId: string,
  sealed: string,
): Promise<PdfEncryption | null> {
  const text = await cipher.decrypt(documentId, JSON.parse(sealed) as EncryptedSecret);
  return text === null ? null : pdfEncryption(JSON.parse(text) as EncryptionRequest);
}
