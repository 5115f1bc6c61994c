// How a request encrypts the file of a document. The passwords of a document that is rendered after the response are stored only
// encrypted, until it has ended.
import { base64, base64Bytes } from "colophon-base/encoding";
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

export const onlyPdfEncrypted = '`encryption` is only allowed with the `format` "pdf".';

/** Returns how the file is encrypted. The request has been validated. */
export function pdfEncryption(request: EncryptionRequest): PdfEncryption {
  const { userPassword, ownerPassword, permissions = allPermissions, encryptMetadata = true } = request;
  return {
    userPassword: prepared(userPassword),
    ownerPassword: prepared(ownerPassword),
    permissions: [...new Set(permissions)],
    encryptMetadata,
  };
}

function prepared(password: string | undefined): Uint8Array | null {
  const result = password === undefined ? null : preparePassword(password);
  return result?.status === "prepared" ? result.bytes : null;
}

/** Returns text that can be decrypted only with the service's keys, and only for this document. */
export async function sealEncryption(
  cipher: SecretCipher,
  documentId: string,
  encryption: PdfEncryption,
): Promise<string> {
  const text = JSON.stringify(encryption, (_key, value: unknown) =>
    value instanceof Uint8Array ? base64(value) : value,
  );
  return JSON.stringify(await cipher.encrypt(documentId, text));
}

/** Returns null if the keys with which it was sealed are gone. */
export async function openEncryption(
  cipher: SecretCipher,
  documentId: string,
  sealed: string,
): Promise<PdfEncryption | null> {
  const text = await cipher.decrypt(documentId, JSON.parse(sealed) as EncryptedSecret);
  if (text === null) return null;
  type Stored = Omit<PdfEncryption, "userPassword" | "ownerPassword"> &
    Record<"userPassword" | "ownerPassword", string | null>;
  const { userPassword, ownerPassword, ...rest } = JSON.parse(text) as Stored;
  const bytesOf = (password: string | null) => (password === null ? null : base64Bytes(password));
  return { ...rest, userPassword: bytesOf(userPassword), ownerPassword: bytesOf(ownerPassword) };
}
