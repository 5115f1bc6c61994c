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

/** The parts of JSON: brackets, strings with the colon that follows a key, and everything between them. */
const parts = /[{}[\]]|"[^"\\]*(?:\\.[^"\\]*)*"(?:\s*:)?|[^{}[\]"]+/gs;

/** Returns the line with spaces in place of the content of its `encryption`. The line is valid JSON, and keeps its length. */
export function withoutEncryption(line: Uint8Array): Uint8Array {
  let depth = 0;
  let isHidden = false;
  // As Latin-1, each character is one byte.
  const text = Buffer.from(line).toString("latin1");
  const blanked = text.replace(parts, (part: string) => {
    const isInside = isHidden && depth > 1;
    if (depth === 1 && part.endsWith(":"))
      isHidden = JSON.parse(part.slice(0, part.lastIndexOf('"') + 1)) === "encryption";
    if (part === "{" || part === "[") depth++;
    if (part === "}" || part === "]") depth--;
    return isInside && depth > 1 ? " ".repeat(part.length) : part;
  });
  return Buffer.from(blanked, "latin1");
}
