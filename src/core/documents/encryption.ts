// How a request encrypts the file of a document. The passwords of a document that is rendered after the response are stored only
// encrypted, until it has ended.
import { permissions as allPermissions, type PdfEncryption, type Permission } from "colophon-pdf/encryption";
import type { EncryptedSecret, SecretCipher } from "../webhooks/secret-encryption.ts";

/** The passwords are prepared. */
export type EncryptionRequest = {
  userPassword?: string | undefined;
  ownerPassword?: string | undefined;
  /** By default, everything is permitted. */
  permissions?: Permission[] | undefined;
  encryptMetadata?: boolean | undefined;
};

export function pdfEncryption(request: EncryptionRequest): PdfEncryption {
  const { userPassword, ownerPassword, permissions = allPermissions, encryptMetadata = true } = request;
  const bytesOf = (password: string | undefined) =>
    password === undefined ? null : new TextEncoder().encode(password);
  return { userPassword: bytesOf(userPassword), ownerPassword: bytesOf(ownerPassword), permissions, encryptMetadata };
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
